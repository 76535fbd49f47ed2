/** Reads the declarations of tags. */

import { child, children, type Located, ownText, type Raw } from "./refs.ts";

/** Returns the declarations in `tags`, by the name of the tag. The first declaration of a name counts. */
export function declaredTags(root: Raw): Map<string, Located> {
  const found = new Map<string, Located>();
  for (const node of children(child({ value: root, pointer: "#" }, "tags"))) {
    const name = ownText(node.value, "name");
    if (name !== undefined && !found.has(name)) found.set(name, node);
  }
  return found;
}

/**
 * Returns the label of a tag: `x-group`, `x-displayName` or `summary` in its declaration, or else its name.
 */
export function tagLabel(name: string, declaration: unknown): string {
  return (
    ownText(declaration, "x-group") ??
    ownText(declaration, "x-displayName") ??
    ownText(declaration, "summary") ??
    name
  );
}
