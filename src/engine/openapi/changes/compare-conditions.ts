/** Compares the keywords whose schemas limit values in a way that no other field of a view shows. */

import { entries, isRaw, type Located, texts } from "../nodes/refs.ts";
import { canonical } from "../nodes/value-text.ts";
import type { SchemaRef, SchemaView } from "../schema/schema-view.ts";
import type { AddChange } from "./change.ts";
import { inCode } from "./code-in-message.ts";
import { type ComparedViews, isAdditional } from "./compare-limits.ts";

/** How the values that a schema allows differ between versions. */
export interface Effects {
  /** Some values aren't allowed anymore. */
  lost: boolean;
  /** Other values are allowed now. */
  gained: boolean;
  /** The effect of a change isn't known. */
  unknown: boolean;
}

/** What comparing conditions needs of the comparison of schemas. */
export interface SchemaComparer {
  /** Adds the changes between two schemas, of which one can be missing. `what`: how messages call them. */
  compareOptional(before: SchemaRef | undefined, after: SchemaRef | undefined, what: string): void;
  effects(before: SchemaRef, after: SchemaRef): Effects;
}

/** Keywords that don't limit values. */
const annotations = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "example",
  "examples",
  "title",
]);

/** Keywords with one schema that allows fewer values if it does so itself. */
const schemaKeywords = ["contains", "contentSchema", "propertyNames", "unevaluatedItems"] as const;
/** Keywords with one such schema for each name. */
const mapKeywords = ["dependentSchemas", "dependencies", "patternProperties"] as const;

/** Whether a schema allows all values. */
export function allowsAllValues({ nodes }: SchemaView): boolean {
  const isAnnotation = (keyword: string) =>
    annotations.has(keyword) || keyword.startsWith("x-") || ["$ref", "allOf"].includes(keyword);
  return nodes.every(
    ({ value }) => value === true || (isRaw(value) && Object.keys(value).every(isAnnotation)),
  );
}

export function compareConditions(views: ComparedViews, add: AddChange, schemas: SchemaComparer): void {
  const { before, after, place } = views;
  for (const keyword of schemaKeywords)
    schemas.compareOptional(
      schemaOf(before, keyword),
      schemaOf(after, keyword),
      `\`${keyword}\` of ${place}`,
    );
  if (![before, after].every((view) => isAdditional(view, "unevaluatedProperties")))
    schemas.compareOptional(
      schemaOf(before, "unevaluatedProperties"),
      schemaOf(after, "unevaluatedProperties"),
      `\`unevaluatedProperties\` of ${place}`,
    );
  for (const keyword of mapKeywords) compareMaps(views, keyword, schemas);
  compareTuples(views, add, schemas);
  compareRequiredNames(views, add);
  compareNots(views, add, schemas);
  compareIfs(views, add, schemas);
}

function nodesWith({ nodes }: SchemaView, keyword: string): Located[] {
  return nodes.flatMap(({ value, pointer }) =>
    isRaw(value) && Object.hasOwn(value, keyword)
      ? [{ value: value[keyword], pointer: `${pointer}/${keyword}` }]
      : [],
  );
}

/** Returns the schema of a keyword. Excludes `false`, which is a limit. */
function schemaOf(view: SchemaView, keyword: string): SchemaRef | undefined {
  const parts = nodesWith(view, keyword).filter(({ value }) => isRaw(value));
  return parts.length === 0 ? undefined : { parts };
}

function compareMaps(
  { before, after, place }: ComparedViews,
  keyword: string,
  schemas: SchemaComparer,
): void {
  const byName = (view: SchemaView) => {
    const found = new Map<string, SchemaRef>();
    for (const [name, part] of nodesWith(view, keyword).flatMap(entries))
      if (!Array.isArray(part.value)) found.set(name, { parts: [...(found.get(name)?.parts ?? []), part] });
    return found;
  };
  const [earlier, later] = [byName(before), byName(after)];
  for (const name of new Set([...earlier.keys(), ...later.keys()]))
    schemas.compareOptional(
      earlier.get(name),
      later.get(name),
      `\`${keyword}\` for ${inCode(name)} of ${place}`,
    );
}

/** Compares the items at fixed positions. At other positions, the schema of all items applies. */
function compareTuples(
  { before, after, direction, place }: ComparedViews,
  add: AddChange,
  schemas: SchemaComparer,
): void {
  const [hadNoItems, hasNoItems] = [before, after].map((view) =>
    nodesWith(view, "items").some(({ value }) => value === false),
  ) as [boolean, boolean];
  if (hasNoItems && !hadNoItems)
    add(`${direction}-limit-tightened`, `Other items of ${place} aren't allowed anymore`);
  if (hadNoItems && !hasNoItems)
    add(`${direction}-limit-loosened`, `Other items of ${place} are allowed now`);

  const count = Math.max(before.prefixItems.length, after.prefixItems.length);
  for (let at = 0; at < count; at++) {
    const [was, is] = [before.prefixItems[at], after.prefixItems[at]];
    // Where other items aren't allowed, this has its own change.
    if ((was === undefined && hadNoItems) || (is === undefined && hasNoItems)) continue;
    schemas.compareOptional(was ?? before.items, is ?? after.items, `item ${at + 1} of ${place}`);
  }
}

function compareRequiredNames({ before, after, direction, place }: ComparedViews, add: AddChange): void {
  const byName = (view: SchemaView) => {
    const found = new Map<string, Set<string>>();
    for (const keyword of ["dependentRequired", "dependencies"])
      for (const [name, { value }] of nodesWith(view, keyword).flatMap(entries))
        if (Array.isArray(value)) found.set(name, new Set([...(found.get(name) ?? []), ...texts(value)]));
    return found;
  };
  const [earlier, later] = [byName(before), byName(after)];
  for (const name of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(name) ?? new Set<string>(), later.get(name) ?? new Set<string>()];
    for (const other of is)
      if (!was.has(other))
        add(
          `${direction}-limit-tightened`,
          `The property ${inCode(other)} of ${place} is now required with ${inCode(name)}`,
        );
    for (const other of was)
      if (!is.has(other))
        add(
          `${direction}-limit-loosened`,
          `The property ${inCode(other)} of ${place} is no longer required with ${inCode(name)}`,
        );
  }
}

/** Compares the values that `not` excludes: a schema that allows more values excludes more. */
function compareNots(
  { before, after, direction, place }: ComparedViews,
  add: AddChange,
  schemas: SchemaComparer,
): void {
  const nots = (view: SchemaView) =>
    nodesWith(view, "not").map((part) => ({ schema: { parts: [part] }, text: limitsText(part.value) }));
  for (const [was, is] of pairsOf(nots(before), nots(after))) {
    if (!was) add(`${direction}-limit-tightened`, `\`not\` of ${place} was added`);
    else if (!is) add(`${direction}-limit-loosened`, `\`not\` of ${place} was removed`);
    else {
      const { lost, gained, unknown } = schemas.effects(was.schema, is.schema);
      addEffect({ lost: gained, gained: lost, unknown }, `\`not\` of ${place} changed`, direction, add);
    }
  }
}

/** Adds a change with the rule of its effects: if values are lost and gained, the one that breaks clients. */
function addEffect(
  { lost, gained, unknown }: Effects,
  message: string,
  direction: ComparedViews["direction"],
  add: AddChange,
): void {
  if (lost || gained) {
    const isTighter = direction === "request" ? lost : !gained;
    add(`${direction}-limit-${isTighter ? "tightened" : "loosened"}`, message);
  } else if (unknown) add("limit-changed", message);
}

interface Conditional {
  test: SchemaRef;
  /** The schemas of `then` and `else`. */
  yes: SchemaRef | undefined;
  no: SchemaRef | undefined;
  /** The limits of the test, to recognize it. */
  text: string;
}

function compareIfs(
  { before, after, direction, place }: ComparedViews,
  add: AddChange,
  schemas: SchemaComparer,
): void {
  for (const [was, is] of pairsOf(conditionalsOf(before), conditionalsOf(after))) {
    if (!was) add(`${direction}-limit-tightened`, `\`if\` of ${place} was added`);
    else if (!is) add(`${direction}-limit-loosened`, `\`if\` of ${place} was removed`);
    else {
      addEffect(
        effectsOfTest(schemas.effects(was.test, is.test), Boolean(is.yes), Boolean(is.no)),
        `\`if\` of ${place} changed`,
        direction,
        add,
      );
      schemas.compareOptional(was.yes, is.yes, `\`then\` of ${place}`);
      schemas.compareOptional(was.no, is.no, `\`else\` of ${place}`);
    }
  }
}

/** Returns the conditions that have an effect. */
function conditionalsOf({ nodes }: SchemaView): Conditional[] {
  return nodes.flatMap(({ value, pointer }): Conditional[] => {
    if (!isRaw(value) || value.if === undefined) return [];
    const part = (keyword: string): SchemaRef | undefined =>
      value[keyword] === undefined || value[keyword] === true
        ? undefined
        : { parts: [{ value: value[keyword], pointer: `${pointer}/${keyword}` }] };
    const [test, yes, no] = [part("if"), part("then"), part("else")];
    if (!test || !(yes || no)) return [];
    return [{ test, yes, no, text: limitsText(value.if) }];
  });
}

/**
 * Returns the effects of a test that matches other values. Values for which it no longer matches leave the
 * limits of `then`, and have those of `else`.
 */
function effectsOfTest({ lost, gained, unknown }: Effects, hasThen: boolean, hasElse: boolean): Effects {
  if (hasThen && hasElse) return { lost: false, gained: false, unknown: lost || gained || unknown };
  return hasThen ? { lost: gained, gained: lost, unknown } : { lost, gained, unknown };
}

/** Pairs the parts with the same limits, and then the others in their order. */
function pairsOf<T extends { text: string }>(
  before: readonly T[],
  after: readonly T[],
): [before: T | undefined, after: T | undefined][] {
  const earlier = [...before];
  const pairs: [T | undefined, T | undefined][] = [];
  const unpaired = after.filter((is) => {
    const at = earlier.findIndex((was) => was.text === is.text);
    if (at >= 0) pairs.push([earlier.splice(at, 1)[0], is]);
    return at < 0;
  });
  for (let at = 0; at < Math.max(earlier.length, unpaired.length); at++)
    pairs.push([earlier[at], unpaired[at]]);
  return pairs;
}

function limitsText(value: unknown): string {
  return canonical(limitsIn(value, ""));
}

/** Returns a value without annotations, and with lists in a fixed order, except those whose order matters. */
function limitsIn(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => limitsIn(item, ""));
    if (key === "prefixItems") return items;
    return items.sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
  }
  if (!isRaw(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inside]) => !annotations.has(name) || isRaw(inside))
      .map(([name, inside]) => [name, limitsIn(inside, name)]),
  );
}
