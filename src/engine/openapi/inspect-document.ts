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
  /** Valid references inside the document. */
  targets: Set<string>;
}

/** Inspects a document. Stops when it exceeds a limit, so that the lists are then incomplete. */
export function inspectDocument(root: unknown): Inspection {
  const found: Inspection = { isTooLarge: false, isTooDeep: false, external: [], dead: [], targets: new Set() };
  const refs = new Refs(isRaw(root) ? root : {});
  let nodes = 0;
  walkReferences(root, {
    reference(ref, path) {
      if (found.targets.has(ref)) return;
      if (!ref.startsWith("#")) found.external.push({ pointer: pointerTo(path), ref });
      else if (refs.at(ref)) found.targets.add(ref);
      else found.dead.push({ pointer: pointerTo(path), ref });
    },
    shouldVisit(depth) {
      if (++nodes > limits.yamlNodes_count) found.isTooLarge = true;
      if (depth > limits.apiNesting_levels) found.isTooDeep = true;
      return !found.isTooLarge && !found.isTooDeep;
    },
  });
  return found;
}
