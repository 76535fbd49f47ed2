/** One walk over a whole document: its size, its depth, and where its references lead. */
import { limits } from "../../base/limits.ts";
import { escapeKey, isRaw, Refs } from "./refs.ts";

export interface Inspection {
  isTooLarge: boolean;
  isTooDeep: boolean;
  /** References out of the document, and references to nothing, with their places. */
  external: { pointer: string; ref: string }[];
  dead: { pointer: string; ref: string }[];
  /** Every target of a reference. */
  targets: Set<string>;
}

/** Keys whose value is data, in which a `$ref` is a word like any other. */
export const dataKeys: ReadonlySet<string> = new Set(["example", "default", "const", "enum", "value", "dataValue", "x-default"]);

/** Keys whose children are named by the author: below them no key has a meaning of its own. */
export const maps: ReadonlySet<string> = new Set(
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
    goesOn(depth) {
      if (++nodes > limits.yamlNodes_count) found.isTooLarge = true;
      if (depth > limits.apiNesting_levels) found.isTooDeep = true;
      return !found.isTooLarge && !found.isTooDeep;
    },
  });
  return found;
}

/** Every `$ref` below a node, each once. */
export function referencesIn(node: unknown): Set<string> {
  const found = new Set<string>();
  walkReferences(node, { reference: (ref) => found.add(ref), goesOn: () => true });
  return found;
}

interface Walker {
  reference(ref: string, path: readonly string[]): void;
  /** Asked for each value; false leaves out what is below. */
  goesOn(depth: number): boolean;
}

function walkReferences(root: unknown, walker: Walker): void {
  const path: string[] = [];
  const walk = (value: unknown, isMap: boolean, isData: boolean): void => {
    if (!walker.goesOn(path.length) || typeof value !== "object" || value === null) return;
    const names = !Array.isArray(value) && !isMap;
    if (names && !isData) {
      const ref = (value as Record<string, unknown>).$ref;
      if (typeof ref === "string") walker.reference(ref, path);
    }
    for (const key of Object.keys(value)) {
      const below = (value as Record<string, unknown>)[key];
      path.push(key);
      const data = isData || (names && (dataKeys.has(key) || key.startsWith("x-") || (key === "examples" && Array.isArray(below))));
      walk(below, names && maps.has(key) && !Array.isArray(below), data);
      path.pop();
    }
  };
  walk(root, false, false);
}

function pointerOf(path: readonly string[]): string {
  return `#${path.map((key) => `/${escapeKey(key)}`).join("")}`;
}
