/** Parses YAML with the core schema of YAML 1.2 and merge keys. Custom tags are errors. */

import {
  boolCoreTag,
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
} from "js-yaml";
import { limits } from "../../../base/limits.ts";
import { exactNumber } from "./json-text.ts";

/** Maximum number of keys that all merge keys of a document add. */
const mergedKeys_count = 200_000;

/** A number or boolean whose source text isn't its usual text: `3.10`, `01234`, `1e10`, `True`. */
export class SourceScalar {
  readonly value: unknown;
  readonly source: string;

  constructor(value: unknown, source: string) {
    this.value = value;
    this.source = source;
  }
}

function withSource(
  tag: ScalarTagDefinition,
  valueOf: (value: unknown, source: string) => unknown,
): ScalarTagDefinition {
  return defineScalarTag(tag.tagName, {
    ...tag,
    resolve(source, isExplicit, name) {
      const resolved: unknown = tag.resolve(source, isExplicit, name);
      if (resolved === NOT_RESOLVED) return NOT_RESOLVED;
      const value = valueOf(resolved, source);
      return String(value) === source ? value : new SourceScalar(value, source);
    },
  });
}

/** A mapping whose keys are the source texts of scalars. */
const sourceMapTag = defineMappingTag(mapTag.tagName, {
  ...mapTag,
  addPair: (map, key, value) => mapTag.addPair(map, keyText(key), value),
  has: (map, key) => mapTag.has(map, keyText(key)),
});

function keyText(key: unknown): unknown {
  if (typeof key === "string") return key;
  return key instanceof SourceScalar ? key.source : typeof key === "bigint" ? key.toString() : key;
}

const schema = CORE_SCHEMA.withTags(
  withSource(intCoreTag, (value, source) => (/^-?\d+$/.test(source) ? exactNumber(source) : value)),
  withSource(floatCoreTag, (value) => value),
  withSource(boolCoreTag, (value) => value),
  sourceMapTag,
  mergeTag,
);

/**
 * Parses a document. The result can contain `SourceScalar`s. Throws a `YAMLException`, or a `RangeError` for
 * deep nesting.
 */
export function parseYaml(text: string): unknown {
  return load(text, { schema, maxDepth: limits.apiNesting_levels, maxTotalMergeKeys: mergedKeys_count });
}
