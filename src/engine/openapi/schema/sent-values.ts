/**
 * Removes the fields from values that their direction excludes: `readOnly` fields from requests, `writeOnly`
 * fields from responses.
 */

import { isRaw, type Raw, type Refs } from "../nodes/refs.ts";
import type { Direction } from "./schema-flags.ts";
import { type SchemaRef, viewOf } from "./schema-view.ts";

/** Maximum nesting depth of values that are searched for fields to remove. */
const depth_levels = 20;
/** Maximum nesting depth of alternatives that are searched for a field. */
const alternatives_levels = 3;

/** Returns a value without excluded fields. Returns the value itself if there are none. */
export function sentValue(
  value: unknown,
  schema: SchemaRef | undefined,
  refs: Refs,
  direction: Direction,
  depth = 0,
): unknown {
  if (
    direction === "schema" ||
    !schema ||
    typeof value !== "object" ||
    value === null ||
    depth > depth_levels
  )
    return value;

  if (Array.isArray(value)) {
    const { items, prefixItems } = viewOf(schema, refs, direction);
    const sent = value.map((item, index) =>
      sentValue(item, prefixItems[index] ?? items, refs, direction, depth + 1),
    );
    return sent.some((item, index) => item !== value[index]) ? sent : value;
  }

  return isRaw(value) ? sentObject(value, schema, refs, direction, depth) : value;
}

function sentObject(value: Raw, schema: SchemaRef, refs: Refs, direction: Direction, depth: number): Raw {
  const { additional } = viewOf(schema, refs, direction);
  let isChanged = false;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const declared = declaredProperty(name, schema, refs, direction);

    // A field that only exists in the whole schema is excluded.
    if (!declared && declaredProperty(name, schema, refs, "schema")) {
      isChanged = true;
      return [];
    }

    const sent = sentValue(
      inner,
      declared ?? (typeof additional === "object" ? additional : undefined),
      refs,
      direction,
      depth + 1,
    );

    isChanged ||= sent !== inner;
    return [[name, sent]];
  });

  return isChanged ? Object.fromEntries(members) : value;
}

/** Returns the schema of a declared property of a schema or its alternatives. */
export function declaredProperty(
  name: string,
  schema: SchemaRef,
  refs: Refs,
  direction: Direction,
  level = 0,
): SchemaRef | undefined {
  const { properties, variants } = viewOf(schema, refs, direction);
  const own = properties.find((property) => property.name === name && !property.undeclared);
  if (own || level >= alternatives_levels) return own?.schema;
  for (const { options } of variants)
    for (const option of options) {
      const found = declaredProperty(name, option.schema, refs, direction, level + 1);
      if (found) return found;
    }
  return undefined;
}
