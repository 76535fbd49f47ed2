/** Removes the fields from values that their direction excludes: `readOnly` fields from requests, `writeOnly` fields from responses. */

import { isRaw, type Refs } from "./refs.ts";
import { type Direction, type Property, type SchemaRef, viewOf } from "./schema-view.ts";

/** Maximum nesting depth of values that are searched for fields to remove. */
const depth_levels = 20;

/** Returns a value without excluded fields. Returns the value itself if there are none. */
export function sentValue(value: unknown, schema: SchemaRef | undefined, refs: Refs, direction: Direction, depth = 0): unknown {
  const flag = direction === "request" ? "readOnly" : direction === "response" ? "writeOnly" : undefined;
  if (!flag || !schema || typeof value !== "object" || value === null || depth > depth_levels) return value;
  if (Array.isArray(value)) {
    const { items, prefixItems } = viewOf(schema, refs);
    const sent = value.map((item, index) => sentValue(item, prefixItems[index] ?? items, refs, direction, depth + 1));
    return sent.some((item, index) => item !== value[index]) ? sent : value;
  }
  if (!isRaw(value)) return value;
  let isChanged = false;
  const declared = propertiesOf(schema, refs, 0);
  const additional = viewOf(schema, refs).additional;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const property = declared.find((one) => one.name === name);
    const below = property?.schema ?? (typeof additional === "object" ? additional : undefined);
    if (property && viewOf(property.schema, refs)[flag]) {
      isChanged = true;
      return [];
    }
    const sent = sentValue(inner, below, refs, direction, depth + 1);
    isChanged ||= sent !== inner;
    return [[name, sent]];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Returns the properties of a schema, and then those of its alternatives. */
function propertiesOf(schema: SchemaRef, refs: Refs, depth: number): Property[] {
  const view = viewOf(schema, refs);
  const options = depth < 3 ? view.variants.flatMap(({ options }) => options) : [];
  return [
    ...view.properties.filter(({ undeclared }) => !undeclared),
    ...options.flatMap((option) => propertiesOf(option.schema, refs, depth + 1)),
  ];
}
