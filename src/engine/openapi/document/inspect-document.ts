/** Checks the size, nesting depth and references of an OpenAPI document in one pass. */

import { limits } from "../../../base/limits.ts";
import { isRaw, pointerTo, type Raw, Refs } from "../nodes/refs.ts";
import { walkReferences } from "../nodes/walk-references.ts";
import { hasIdentifier } from "../schema/schema-identifiers.ts";

export interface Inspection {
  isTooLarge: boolean;
  isTooDeep: boolean;
  /** Number of values, up to the limit. */
  values: number;
  /** Whether the document contains `bigint`s. */
  hasBigIntegers: boolean;
  /** Whether a schema has `$id`, `$anchor`, `$dynamicAnchor` or `$dynamicRef`. */
  hasIdentifiers: boolean;
  /** Discriminators with a mapping. */
  discriminators: Raw[];
  /** Schemas with a discriminator next to `oneOf` or `anyOf`. */
  choices: Raw[];
  /** External references, each with a pointer to the place that uses the reference. */
  external: { pointer: string; ref: string }[];
  /** Broken references, each with a pointer to the place that uses the reference. */
  dead: { pointer: string; ref: string }[];
}

/** Inspects a document. Stops if the document exceeds a limit. The lists are then incomplete. */
export function inspectDocument(root: unknown): Inspection {
  const found: Inspection = {
    isTooLarge: false,
    isTooDeep: false,
    values: 0,
    hasBigIntegers: false,
    hasIdentifiers: false,
    discriminators: [],
    choices: [],
    external: [],
    dead: [],
  };

  /** References that have already been found to be valid. */
  const valid = new Set<string>();
  const refs = new Refs(isRaw(root) ? root : {});
  walkReferences(root, {
    reference(ref, path, isMapping) {
      if (valid.has(ref) || isMapping) return;
      if (!ref.startsWith("#")) found.external.push({ pointer: pointerTo(path), ref });
      else if (refs.at(ref)) valid.add(ref);
      else found.dead.push({ pointer: pointerTo(path), ref });
    },
    shouldVisit(depth, value) {
      if (isRaw(value)) {
        if (hasIdentifier(value)) found.hasIdentifiers = true;
        if (isRaw(value.mapping) && typeof value.propertyName === "string") found.discriminators.push(value);
        if (isRaw(value.discriminator) && (value.oneOf ?? value.anyOf)) found.choices.push(value);
      }

      if (typeof value === "bigint") found.hasBigIntegers = true;
      if (++found.values > limits.apiValues_count) found.isTooLarge = true;
      if (depth > limits.apiNesting_levels) found.isTooDeep = true;
      return !found.isTooLarge && !found.isTooDeep;
    },
  });

  return found;
}
