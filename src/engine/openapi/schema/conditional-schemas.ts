/**
 * Reads the parts of a schema that apply to some values: `then`, `else`, and the schemas and names that
 * depend on a property.
 */

import { child, entries, isRaw, type Located, own, texts } from "../nodes/refs.ts";

interface Parts {
  parts: Located[];
}

/**
 * When a part of a schema applies: if a value matches a schema, unless it matches it, or if it has a
 * property.
 */
export type Condition = { kind: "if" | "unless"; schema: Parts } | { kind: "property"; name: string };

export interface ConditionalSchema {
  condition: Condition;
  /** Name of the part: its keyword or the name of the property. */
  label: string;
  schema: Parts;
}

/** Returns the conditional parts of a node, in the order of the specification. */
export function conditionalSchemas(node: Located): ConditionalSchema[] {
  if (!isRaw(node.value)) return [];
  const found: ConditionalSchema[] = [];
  const test = child(node, "if");
  for (const [keyword, kind] of [
    ["then", "if"],
    ["else", "unless"],
  ] as const) {
    const part = test && child(node, keyword);
    if (part && part.value !== true)
      found.push({
        condition: { kind, schema: { parts: [test] } },
        label: keyword,
        schema: { parts: [part] },
      });
  }

  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"])
    for (const [name, part] of own(node.value, keyword) === undefined ? [] : entries(child(node, keyword))) {
      const schema = Array.isArray(part.value) ? { ...part, value: { required: texts(part.value) } } : part;
      if (schema.value !== true)
        found.push({ condition: { kind: "property", name }, label: name, schema: { parts: [schema] } });
    }

  return found;
}
