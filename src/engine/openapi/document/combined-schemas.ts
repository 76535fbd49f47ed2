/** Combines the schemas that apply to the same value, with their restricted names and values. */

import { isRaw, type Raw, type Refs } from "../nodes/refs.ts";

/** Restricted parts of one schema: names of properties, and values of its enum or discriminator. */
export interface RestrictedSchema {
  names: Set<string>;
  values: Set<string>;
}

export interface CombinedSchema extends RestrictedSchema {
  /** The schemas that can apply to the same value. */
  schemas: Raw[];
}

export const compositions = ["allOf", "oneOf", "anyOf", "if", "then", "else"];

export class CombinedSchemas {
  private readonly refs: Refs;
  private readonly restricted: ReadonlyMap<object, RestrictedSchema>;
  private readonly known = new Map<object, CombinedSchema>();

  constructor(refs: Refs, restricted: ReadonlyMap<object, RestrictedSchema>) {
    this.refs = refs;
    this.restricted = restricted;
  }

  of(schema: unknown): CombinedSchema {
    const known = isRaw(schema) ? this.known.get(schema) : undefined;
    if (known) return known;
    const combined: CombinedSchema = { names: new Set(), values: new Set(), schemas: [] };
    const waiting = new Set<unknown>([schema]);
    for (const node of waiting) {
      if (!isRaw(node)) continue;
      combined.schemas.push(node);
      const { names, values } = this.restricted.get(node) ?? { names: [], values: [] };
      for (const name of names) combined.names.add(name);
      for (const value of values) combined.values.add(value);
      if ("$ref" in node) waiting.add(this.refs.follow({ value: node, pointer: "" })?.value);
      for (const key of compositions) for (const part of partsOf(node, key)) waiting.add(part);
    }

    if (isRaw(schema)) this.known.set(schema, combined);
    return combined;
  }
}

/** Returns the schemas of a composition: a list, or one schema. */
export function partsOf(node: Raw, key: string): unknown[] {
  return Array.isArray(node[key]) ? (node[key] as unknown[]) : [node[key]];
}
