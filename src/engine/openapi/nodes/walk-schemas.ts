/** Finds the schemas of a document. Distinguishes keywords from data and from the keys of maps. */

import { isRaw, type Raw } from "./refs.ts";
import { isDataKey, mapKeys } from "./walk-references.ts";

/** Keys whose value is a schema or contains schemas. */
const schemaKeys = new Set(
  "schema itemSchema schemas properties patternProperties dependentSchemas $defs definitions items prefixItems contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames contentSchema not if then else allOf anyOf oneOf".split(
    " ",
  ),
);

/**
 * Calls `visit` for each schema that is an object, with the keys of the path to it. Copy the array to keep
 * it, because it is reused.
 */
export function walkSchemas(root: Raw, visit: (schema: Raw, path: readonly string[]) => void): void {
  const seen = new Set<object>();
  const path: string[] = [];
  const walk = (node: unknown, isSchema: boolean, isMap: boolean): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const isNamed = !isMap && isRaw(node);
    if (isNamed && isSchema) visit(node, path);

    for (const key of Object.keys(node)) {
      const below = (node as Raw)[key];
      if (isNamed && isDataKey(key, below)) continue;
      path.push(key);
      walk(below, isNamed ? schemaKeys.has(key) : isSchema, isNamed && mapKeys.has(key) && isRaw(below));
      path.pop();
    }
  };

  walk(root, false, false);
}
