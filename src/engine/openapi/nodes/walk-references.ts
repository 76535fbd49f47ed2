/**
 * Finds the references in a node of a document. Distinguishes keywords from data and from the keys of maps.
 */

import { canonicalPointer, escapeKey, isRaw } from "./refs.ts";

/** Keys whose value is data, where `$ref` has no meaning. */
export const dataKeys: ReadonlySet<string> = new Set([
  "example",
  "default",
  "const",
  "enum",
  "value",
  "dataValue",
  "x-default",
]);

/**
 * Keys whose value, unless it's a list, is a map. The keys of a map are chosen by the author and are not
 * keywords.
 */
export const mapKeys: ReadonlySet<string> = new Set(
  "properties patternProperties dependentSchemas $defs definitions schemas parameters responses requestBodies headers securitySchemes links callbacks pathItems paths webhooks content encoding examples variables mapping scopes".split(
    " ",
  ),
);

/** Whether the value of a keyword is data or an extension, where `$ref` has no meaning. */
export function isDataKey(key: string, value: unknown): boolean {
  return dataKeys.has(key) || key.startsWith("x-") || (key === "examples" && Array.isArray(value));
}

/** Returns the distinct references in a node as `canonicalPointer`s, except those in data and extensions. */
export function referencesIn(node: unknown, withMappings = true): Set<string> {
  const found = new Set<string>();
  walkReferences(node, {
    reference: (ref, _, isMapping) => (withMappings || !isMapping) && found.add(canonicalPointer(ref)),
    shouldVisit: () => true,
  });
  return found;
}

/**
 * Returns the pointer of a value of `discriminator.mapping`, which is a reference or the name of a schema.
 */
export function mappedPointer(target: string): string {
  return target.startsWith("#") ? canonicalPointer(target) : `#/components/schemas/${escapeKey(target)}`;
}

interface Walker {
  /**
   * Called for each reference, with the keys of the path to its node. Copy the array to keep it, because it
   * is reused. `isMapping`: whether the reference is a value of `discriminator.mapping`.
   */
  reference(ref: string, path: readonly string[], isMapping: boolean): void;
  /** Called for each value. Returns false to skip the value and its children. */
  shouldVisit(depth: number, value: unknown): boolean;
}

/** Visits a value and everything inside it. Finds `$ref`s outside data and extensions. */
export function walkReferences(root: unknown, walker: Walker): void {
  const path: string[] = [];
  const walk = (value: unknown, isMap: boolean, isData: boolean): void => {
    if (!walker.shouldVisit(path.length, value) || typeof value !== "object" || value === null) return;
    const names = !Array.isArray(value) && !isMap;
    if (names && !isData) {
      const { $ref: ref, $dynamicRef: dynamicRef, discriminator } = value as Record<string, unknown>;
      if (typeof ref === "string") walker.reference(ref, path, false);
      if (typeof dynamicRef === "string") walker.reference(dynamicRef, path, false);
      const mapping = isRaw(discriminator) ? discriminator.mapping : undefined;
      if (isRaw(mapping))
        for (const target of Object.values(mapping))
          if (typeof target === "string") walker.reference(mappedPointer(target), path, true);
    }

    for (const key of Object.keys(value)) {
      const below = (value as Record<string, unknown>)[key];
      path.push(key);
      const data = isData || (names && isDataKey(key, below));
      walk(below, names && mapKeys.has(key) && !Array.isArray(below), data);
      path.pop();
    }
  };

  walk(root, false, false);
}
