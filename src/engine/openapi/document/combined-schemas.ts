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

/** Maximum number of steps of each search for restricted parts in a document. */
const steps_count = 5_000_000;

/** Thrown if a search for restricted parts takes too many steps, so the document can't be used. */
export class TooManySteps extends Error {}

/** Counts the steps of a search. */
export class Steps {
  private left = steps_count;

  spend(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooManySteps();
  }
}

export class CombinedSchemas {
  private readonly refs: Refs;
  private readonly restricted: ReadonlyMap<object, RestrictedSchema>;
  private readonly known = new Map<object, CombinedSchema>();
  private readonly parts = new Map<object, readonly Raw[]>();
  private readonly steps = new Steps();

  constructor(refs: Refs, restricted: ReadonlyMap<object, RestrictedSchema>) {
    this.refs = refs;
    this.restricted = restricted;
  }

  /** Throws `TooManySteps` if the results have too many schemas, such as those of a long chain of `allOf`. */
  of(schema: unknown): CombinedSchema {
    const combined: CombinedSchema = { names: new Set(), values: new Set(), schemas: [] };
    if (!isRaw(schema)) return combined;
    const known = this.known.get(schema);
    if (known) return known;

    const seen = new Set<Raw>();
    const waiting = [schema];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      combined.schemas.push(node);
      const { names = [], values = [] } = this.restricted.get(node) ?? {};
      for (const name of names) combined.names.add(name);
      for (const value of values) combined.values.add(value);
      const parts = this.partsOf(node);
      this.steps.spend(1 + parts.length);
      for (let index = parts.length - 1; index >= 0; index--) waiting.push(parts[index]!);
    }

    this.steps.spend(combined.names.size + combined.values.size);
    this.known.set(schema, combined);
    return combined;
  }

  /** Returns the schemas that a schema combines directly. */
  private partsOf(node: Raw): readonly Raw[] {
    const known = this.parts.get(node);
    if (known) return known;
    const target = "$ref" in node ? this.refs.follow({ value: node, pointer: "" })?.value : undefined;
    const parts = [target, ...compositions.flatMap((key) => partsOf(node, key))].filter(isRaw);
    this.parts.set(node, parts);
    return parts;
  }
}

/** Returns the schemas of a composition: a list, or one schema. */
export function partsOf(node: Raw, key: string): unknown[] {
  return Array.isArray(node[key]) ? (node[key] as unknown[]) : [node[key]];
}
