/** Finds the security schemes that a part of a document uses. */

import { componentName, own, ownText, type Raw } from "../nodes/refs.ts";
import { isDataKey } from "../nodes/walk-references.ts";

/**
 * Returns the names of the security schemes in a list of requirements (OpenAPI 3.1, 4.8.30), in order and
 * with duplicates. Empty if the value isn't a list.
 */
export function requiredSchemes(security: unknown): string[] {
  return Array.isArray(security) ? security.flatMap((requirement) => Object.keys(requirement ?? {})) : [];
}

/**
 * Returns the names of the security schemes in all `security` lists in a node, except in examples and
 * defaults.
 */
export function schemesIn(node: unknown): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, below] of Object.entries(value)) {
      if (key === "security") for (const name of requiredSchemes(below)) names.add(name);
      if (!isDataKey(key, below)) visit(below);
    }
  };

  visit(node);
  return names;
}

/**
 * Returns the declared security schemes with these names, and those that they refer to, by name. Leaves out
 * names that `components.securitySchemes` doesn't have.
 */
export function declaredSchemes(root: Raw, names: Iterable<string>): Raw {
  const declared = own(own(root, "components"), "securitySchemes");
  const wanted = new Set(names);
  for (const name of wanted) {
    const next = componentName(ownText(own(declared, name), "$ref") ?? "");
    if (next !== undefined) wanted.add(next);
  }
  return Object.fromEntries(
    [...wanted].flatMap((name) => {
      const scheme = own(declared, name);
      return scheme === undefined ? [] : [[name, scheme]];
    }),
  );
}

/**
 * Returns the names of the declared security schemes that only closed parts use, with those that these refer
 * to. `closed`, `open`: names of the schemes that restricted and public parts of the document use.
 */
export function closedSchemes(root: Raw, closed: Iterable<string>, open: Iterable<string>): string[] {
  const needed = declaredSchemes(root, open);
  return Object.keys(declaredSchemes(root, closed)).filter((name) => !Object.hasOwn(needed, name));
}
