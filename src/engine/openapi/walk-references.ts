/** Finds the `$ref`s in a node of a document. Distinguishes keywords from data and from the keys of maps. */

/** Keys whose value is data, where `$ref` has no meaning. */
export const dataKeys: ReadonlySet<string> = new Set(["example", "default", "const", "enum", "value", "dataValue", "x-default"]);

/** Keys whose value, unless it's a list, is a map. The keys of a map are chosen by the author and are not keywords. */
export const mapKeys: ReadonlySet<string> = new Set(
  "properties patternProperties dependentSchemas $defs definitions schemas parameters responses requestBodies headers securitySchemes links callbacks pathItems paths webhooks content encoding examples variables mapping scopes".split(
    " ",
  ),
);

/** Whether the value of a keyword is data or an extension, where `$ref` has no meaning. */
export function isDataKey(key: string, value: unknown): boolean {
  return dataKeys.has(key) || key.startsWith("x-") || (key === "examples" && Array.isArray(value));
}

/** Returns the distinct `$ref`s in a node, except those in data and extensions. */
export function referencesIn(node: unknown): Set<string> {
  const found = new Set<string>();
  walkReferences(node, { reference: (ref) => found.add(ref), shouldVisit: () => true });
  return found;
}

interface Walker {
  /** Called for each `$ref`, with the keys of the path to its node. Copy the array to keep it, because it is reused. */
  reference(ref: string, path: readonly string[]): void;
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
      const ref = (value as Record<string, unknown>).$ref;
      if (typeof ref === "string") walker.reference(ref, path);
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
