/** Checks size, depth and references of an OpenAPI document in one pass. */

import { limits } from "../../base/limits.ts";
import { isRaw, pointerTo, Refs } from "./refs.ts";
import { walkReferences } from "./walk-references.ts";

export interface Inspection {
  isTooLarge: boolean;
  isTooDeep: boolean;
  /** External references, with the pointers to their uses. */
  external: { pointer: string; ref: string }[];
  /** Broken references, with the pointers to their uses. */
  dead: { pointer: string; ref: string }[];
}

/** Inspects a document. Stops when the document exceeds a limit, so the lists are incomplete in that case. */
export function inspectDocument(root: unknown): Inspection {
  const found: Inspection = { isTooLarge: false, isTooDeep: false, external: [], dead: [] };
  /** Valid references, which are looked up once. */
  const valid = new Set<string>();
  const refs = new Refs(isRaw(root) ? root : {});
  let nodes = 0;
  walkReferences(root, {
    reference(ref, path) {
      if (valid.has(ref)) return;
      if (!ref.startsWith("#")) found.external.push({ pointer: pointerTo(path), ref });
      else if (refs.at(ref)) valid.add(ref);
      else found.dead.push({ pointer: pointerTo(path), ref });
    },
    shouldVisit(depth) {
      if (++nodes > limits.apiValues_count) found.isTooLarge = true;
      if (depth > limits.apiNesting_levels) found.isTooDeep = true;
      return !found.isTooLarge && !found.isTooDeep;
    },
  });
  return found;
}
