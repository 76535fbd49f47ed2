/** Checks size, depth and references of a whole document in one pass. */

import { limits } from "../../base/limits.ts";
import { escapeKey, isRaw, Refs } from "./refs.ts";

export interface Inspection {
  isTooLarge: boolean;
  isTooDeep: boolean;
  /** External references, with the pointers to their uses. */
  external: { pointer: string; ref: string }[];
  /** Broken references, with the pointers to their uses. */
  dead: { pointer: string; ref: string }[];
  /** Valid references inside the document. */
  targets: Set<string>;
}

/** Keys whose value is data, in which `$ref` has no meaning. */
export const dataKeys: ReadonlySet<string> = new Set(["example", "default", "const", "enum", "value", "dataValue", "x-default"]);

/** Keys whose value is a map. The keys of a map are chosen by the author and are not keywords. */
export const mapKeys: ReadonlySet<string> = new Set(
  "properties patternProperties dependentSchemas $defs definitions schemas parameters responses requestBodies headers securitySchemes links callbacks pathItems paths webhooks content encoding examples variables mapping scopes".split(
    " ",
  ),
);

export function inspect(root: unknown): Inspection {
  const found: Inspection = { isTooLarge: false, isTooDeep: false, external: [], dead: [], targets: new Set() };
  const refs = new Refs(isRaw(root) ? root : {});
  let nodes = 0;
  walkReferences(root, {
    reference(ref, path) {
      if (found.targets.has(ref)) return;
      if (!ref.startsWith("#")) found.external.push({ pointer: pointerOf(path), ref });
      else if (refs.at(ref)) found.targets.add(ref);
      else found.dead.push({ pointer: pointerOf(path), ref });
    },
    shouldVisit(depth) {
      if (++nodes > limits.yamlNodes_count) found.isTooLarge = true;
      if (depth > limits.apiNesting_levels) found.isTooDeep = true;
      return !found.isTooLarge && !found.isTooDeep;
    },
  });
  return found;
}

/** The distinct `$ref`s in a node, except those in data and extensions. */
export function referencesIn(node: unknown): Set<string> {
  const found = new Set<string>();
  walkReferences(node, { reference: (ref) => found.add(ref), shouldVisit: () => true });
  return found;
}

interface Walker {
  reference(ref: string, path: readonly string[]): void;
  /** Called for each value. Returns false to skip the value and its children. */
  shouldVisit(depth: number): boolean;
}

function walkReferences(root: unknown, walker: Walker): void {
  const path: string[] = [];
  const walk = (value: unknown, isMap: boolean, isData: boolean): void => {
    if (!walker.shouldVisit(path.length) || typeof value !== "object" || value === null) return;
    const names = !Array.isArray(value) && !isMap;
    if (names && !isData) {
      const ref = (value as Record<string, unknown>).$ref;
      if (typeof ref === "string") walker.reference(ref, path);
    }
    for (const key of Object.keys(value)) {
      const below = (value as Record<string, unknown>)[key];
      path.push(key);
      const data = isData || (names && (dataKeys.has(key) || key.startsWith("x-") || (key === "examples" && Array.isArray(below))));
      walk(below, names && mapKeys.has(key) && !Array.isArray(below), data);
      path.pop();
    }
  };
  walk(root, false, false);
}

function pointerOf(path: readonly string[]): string {
  return `#${path.map((key) => `/${escapeKey(key)}`).join("")}`;
}
