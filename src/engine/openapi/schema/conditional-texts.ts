/** Removes `<Visibility>` from the texts of a document, which are the same for all readers. */

import { hasVisibility, withoutVisibility } from "../../access-words.ts";
import { platformExtension } from "../nodes/extensions.ts";
import { isRaw, own, ownText, pointerTo, type Raw } from "../nodes/refs.ts";
import { dataKeys, mapKeys } from "../nodes/walk-references.ts";

const textKeys = new Set(["description", "summary", "title"]);

/**
 * Removes `<Visibility>` elements from descriptions, summaries and titles in place. Returns the pointers of
 * these texts.
 */
export function removeConditions(root: Raw): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const path: string[] = [];
  const visit = (node: unknown, isMap: boolean): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);

    for (const [key, value] of Object.entries(node)) {
      const isKeyword = !isMap && isRaw(node);
      if (isKeyword && (dataKeys.has(key) || (key === "examples" && Array.isArray(value)))) continue;
      path.push(key);
      if (typeof value === "string") {
        if (isKeyword && textKeys.has(key) && hasVisibility(value)) {
          node[key] = withoutVisibility(value);
          found.push(pointerTo(path));
        }
      } else visit(value, isKeyword && mapKeys.has(key) && isRaw(value));
      path.pop();
    }
  };

  visit(root, false);
  return found;
}

/**
 * Whether an operation's `x-platform.content`, which can be different for some readers, contains
 * `<Visibility>`.
 */
export function hasConditionalContent(operation: unknown): boolean {
  return hasVisibility(ownText(platformExtension(operation), "content") ?? "");
}

/** Removes `<Visibility>` elements from an operation's `x-platform.content` in place. */
export function removeConditionalContent(operation: unknown): void {
  for (const key of ["x-platform", "x-mint"]) {
    const extension = own(operation, key);
    const content = ownText(extension, "content");
    if (isRaw(extension) && content !== undefined) extension.content = withoutVisibility(content);
  }
}
