/**
 * Creates an example value for a schema, for samples and playgrounds. In requests, `x-default` takes
 * precedence.
 */

import { DocumentMemo } from "../nodes/document-memo.ts";
import { jsonText } from "../nodes/json-text.ts";
import { isRaw, ownText, type Raw, type Refs, setOwn } from "../nodes/refs.ts";
import { memberPath, shown } from "../nodes/value-text.ts";
import type { Example, MediaType } from "../request/operation.ts";
import { additionalName } from "../schema/additional-name.ts";
import type { Condition } from "../schema/conditional-schemas.ts";
import type { Direction } from "../schema/schema-flags.ts";
import { resourceOf } from "../schema/schema-identifiers.ts";
import {
  jsonContentOf,
  keyOf,
  requiredOnly,
  type SchemaRef,
  type SchemaView,
  schemaRef,
  viewOf,
} from "../schema/schema-view.ts";
import { sentValue } from "../schema/sent-values.ts";
import { type CheckOptions, checkValue, type Finding } from "./check-value.ts";
import { textForPattern } from "./pattern-text.ts";

/**
 * Maximum nesting depth of optional fields in an example, including variants. Values from the document can be
 * deeper.
 */
const exampleDepth_levels = 10;
/**
 * Number of schemas in an example after which optional fields are omitted. A value from the document counts
 * as one.
 */
const exampleNodes_count = 160;

export interface ExampleOptions {
  direction: Direction;
  /** Whether to include optional properties. Default: true. */
  optional?: boolean;
}

const examples = new DocumentMemo<unknown>(2_000);

/** Returns an example. Undefined if there is none, for example because the schema is broken. */
export function exampleOf(schema: SchemaRef, refs: Refs, options: ExampleOptions): unknown {
  const key = `${options.direction} ${options.optional} ${keyOf(withoutReference(schema, refs))}`;
  return examples.get(refs, key, () => {
    const quick = new ExampleMaker(refs, options, false);
    const value = quick.make(schema, []);
    // Checking the whole value once costs less than checking each combined schema in it.
    if (!quick.hasCombined || isValid(value, schema, refs, options)) return value;
    const equal = `${options.direction} ${options.optional} ${contentOf(schema, refs)}`;
    return checkedExamples.get(refs, equal, () => {
      const maker = new ExampleMaker(refs, options, true);
      const made = maker.make(schema, []);
      return maker.repaired(schema, made) ?? made;
    });
  });
}

/**
 * Returns the document's examples of a body: those of its media type, or else of its schema or the items of a
 * list, if there are several.
 */
export function bodyExamplesOf(
  { examples, schema }: Pick<MediaType, "examples" | "schema">,
  refs: Refs,
  direction: Direction,
): Example[] {
  if (examples.length > 0 || !schema) return examples;
  const view = viewOf(schema, refs, direction);
  const items = view.examples.length === 0 && view.items ? viewOf(view.items, refs, direction) : undefined;
  const values = items ? items.examples.map((value) => [value]) : view.examples;
  if (values.length < 2) return [];
  return values.map((value, index) => ({ key: String(index + 1), label: String(index + 1), value }));
}

/**
 * Examples that were found by trying alternatives, by the content of the schema, since documents can repeat a
 * schema in each operation.
 */
const checkedExamples = new DocumentMemo<unknown>(500);

/** Returns a text that is the same for equal schemas. */
function contentOf({ parts }: SchemaRef, refs: Refs): string {
  return parts.map(({ value, pointer }) => `${resourceOf(pointer, refs)} ${jsonText(value)}`).join("\n");
}

/**
 * Returns the target of a schema that is only a reference, since many operations refer to the same schema.
 * Returns any other schema itself.
 */
function withoutReference(schema: SchemaRef, refs: Refs): SchemaRef {
  const [only] = schema.parts;
  const isReference =
    schema.parts.length === 1 &&
    ownText(only!.value, "$ref") !== undefined &&
    Object.keys(only!.value as Raw).length === 1;
  const target = isReference ? refs.target(only!) : undefined;
  return target ? schemaRef(target) : schema;
}

function isValid(
  value: unknown,
  schema: SchemaRef,
  refs: Refs,
  { direction }: ExampleOptions,
  check?: CheckOptions,
): boolean {
  return checkValue(value, schema, refs, direction, "", check).length === 0;
}

/**
 * Maximum number of steps of all checks for an example. The first value is used if no value was found to be
 * valid within it.
 */
const checkSteps_count = 50_000;

/** Creates one example. */
class ExampleMaker {
  /** Whether a schema was met whose keywords a generated value can violate together. */
  hasCombined = false;
  private nodes = 0;
  /** Number of values that are missing, because a schema contains itself or the example is large enough. */
  private cuts = 0;
  private readonly budget = { steps: checkSteps_count };
  private readonly refs: Refs;
  private readonly options: ExampleOptions;
  private readonly triesAlternatives: boolean;

  /**
   * `triesAlternatives`: whether to check the value of each combined schema, and to try other alternatives
   * until one is valid.
   */
  constructor(refs: Refs, options: ExampleOptions, triesAlternatives: boolean) {
    this.refs = refs;
    this.options = options;
    this.triesAlternatives = triesAlternatives;
  }

  private isFull(trail: readonly string[]): boolean {
    return this.nodes > exampleNodes_count || trail.length > exampleDepth_levels;
  }

  private hasPrefill(schema: SchemaRef): boolean {
    return this.options.direction === "request" && viewOf(schema, this.refs, "request").prefill !== undefined;
  }

  make(from: SchemaRef, trail: readonly string[]): unknown {
    const { refs, options } = this;
    const { direction } = options;
    const view = viewOf(from, refs, direction);
    if (view.broken) return undefined;
    if (
      trail.includes(view.key) ||
      trail.length > requiredDepth_levels ||
      ++this.nodes > requiredNodes_count
    ) {
      this.cuts++;
      return undefined;
    }

    if (direction === "request" && view.prefill) return view.prefill.value;
    const given = view.examples.length ? { value: view.examples[0] } : (view.default ?? view.const);
    if (given) return sentValue(given.value, from, refs, direction);
    if (view.enum?.length) return view.enum[0];

    const below = [...trail, view.key];
    const withOptional = options.optional !== false;
    const first = this.compose(view, below, 0, withOptional);
    if (!isCombined(view)) return first;

    this.hasCombined = true;
    if (!this.triesAlternatives) return first;
    const valid =
      this.firstValid(from, this.candidates(first, view, below, withOptional)) ??
      (withOptional ? this.firstValid(from, this.candidates(undefined, view, below, false)) : undefined);
    // A value that several alternatives accept says more than null.
    const isOnlyNull = valid === undefined && view.nullable && view.variants.length === 0;
    return isOnlyNull && this.budget.steps > 0 ? null : (valid ?? first);
  }

  /**
   * Returns the first value that is valid for a schema. Undefined if there is none, or if the budget for
   * checks is used up.
   */
  private firstValid(schema: SchemaRef, values: Iterable<unknown>): unknown {
    const { refs, options, budget } = this;
    const tried = new Set<string>();
    const invalid: [value: unknown, findings: Finding[]][] = [];
    for (const value of values) {
      const text = value === undefined ? undefined : jsonText(value);
      if (text === undefined || tried.has(text)) continue;
      tried.add(text);
      const findings = checkValue(value, schema, refs, options.direction, "", { budget });
      if (budget.steps <= 0) return undefined;
      if (findings.length === 0) return value;
      invalid.push([value, findings]);
    }

    for (const [value, findings] of invalid) {
      const repaired = this.repaired(schema, value, findings);
      if (repaired !== undefined) return repaired;
    }
    return undefined;
  }

  /**
   * Removes the properties of a value that have findings, innermost first, until it's valid. Undefined if it
   * doesn't become valid.
   */
  repaired(schema: SchemaRef, value: unknown, given?: readonly Finding[]): unknown {
    const check = (one: unknown) =>
      checkValue(one, schema, this.refs, this.options.direction, "", { budget: this.budget });
    // A value that several alternatives accept says more than none.
    const isWrong = ({ code }: Finding) => code !== "oneOfSeveral";
    let next = value;
    let findings = given ?? check(value);
    for (let count = 0; findings.length > 0; count++) {
      const pruned = withoutInvalid(next, "", findings.filter(isWrong));
      if (pruned === next || count === repairs_count || this.budget.steps <= 0) return undefined;
      next = pruned;
      findings = check(next);
    }
    return this.budget.steps > 0 ? next : undefined;
  }

  /** Yields values of a combined schema: `first`, and those of its alternatives. */
  private *candidates(
    first: unknown,
    view: SchemaView,
    trail: readonly string[],
    optional: boolean,
  ): Generator<unknown> {
    yield first;
    const most = Math.min(
      candidates_count,
      Math.max(...view.variants.map((variants) => variants.options.length), 1),
    );
    for (let option = 0; option < most; option++) {
      const candidate = this.compose(view, trail, option, optional);
      yield candidate;
      yield* withoutAlternatives(candidate, view);
    }
  }

  /**
   * Combines the schema's own value with the values of its alternatives. `index`: index of the alternative.
   */
  private compose(view: SchemaView, trail: readonly string[], index: number, optional: boolean): unknown {
    const own = this.valueOf(view, trail, optional);
    const alternatives = view.variants.filter(({ kind }) => kind !== "if");
    const chosen = alternatives.map((variants) => {
      const option = variants.options[index] ?? variants.options[0];
      const value = option && this.make(option.schema, trail);
      if (option?.values === undefined || variants.discriminator === undefined || !isRaw(value)) return value;
      // A const or an enum in the option's schema takes precedence over the discriminator value of the
      // option.
      const existing = value[variants.discriminator];
      return existing === undefined || existing === stringPlaceholder
        ? { ...value, [variants.discriminator]: option.values[0] }
        : value;
    });

    const objects = [own, ...chosen].filter(isRaw);
    for (const { schema, condition } of view.variants.find(({ kind }) => kind === "if")?.options ?? []) {
      const value = this.applies(condition!, objects.length ? merged(objects) : own)
        ? this.make(schema, trail)
        : undefined;
      if (isRaw(value)) objects.push(value);
    }

    if (objects.length) {
      const value = merged(objects);
      // Alternatives can require properties that only the schema itself declares.
      for (const { name, schema } of view.properties)
        if (value[name] === anyPlaceholder) value[name] = this.make(schema, trail);
      return value;
    }

    const values = [...chosen, own].filter((value) => value !== undefined);
    return values.find((value) => value !== anyPlaceholder) ?? values[0];
  }

  private applies(condition: Condition, value: unknown): boolean {
    const { refs, options, budget } = this;
    if (condition.kind === "property") return isRaw(value) && value[condition.name] !== undefined;
    return isValid(value, condition.schema, refs, options, { budget }) === (condition.kind === "if");
  }

  private valueOf(view: SchemaView, trail: readonly string[], optional: boolean): unknown {
    const type = view.types[0];
    if (type === undefined) return view.variants.length ? undefined : view.nullable ? null : anyPlaceholder;
    if (type === "string") return this.textOf(view, trail);
    if (type === "boolean") return true;
    if (type === "integer" || type === "number") return numberOf(view);
    return type === "array" ? this.listOf(view, trail) : this.objectOf(view, trail, optional);
  }

  private textOf(view: SchemaView, trail: readonly string[]): string {
    const content = jsonContentOf(view);
    const value = content && this.make(content, trail);
    return value === undefined ? stringOf(view) : jsonText(value);
  }

  private listOf(view: SchemaView, trail: readonly string[]): unknown[] {
    const most = limitOf(view, "maxItems") ?? Number.POSITIVE_INFINITY;
    const least = Math.min(limitOf(view, "minItems") ?? 0, items_count);
    const list: unknown[] = view.prefixItems
      .map((item) => this.make(item, trail))
      .filter((value) => value !== undefined);

    if (view.contains) {
      const needed = Math.min(limitOf(view, "minContains") ?? 1, items_count);
      const item = { parts: [...(view.items?.parts ?? []), ...view.contains.parts] };
      for (let count = 0; count < needed; count++) list.push(this.make(item, trail));
    }

    const isEmpty = list.length === 0 && !this.isFull(trail);
    const wanted = Math.min(most, Math.max(least, isEmpty && view.items ? 1 : 0));
    while (list.length < wanted) {
      const value = view.items ? this.make(view.items, trail) : stringPlaceholder;
      if (value === undefined) break;
      list.push(value);
    }

    const isUnique = view.constraints.some(({ keyword }) => keyword === "uniqueItems");
    return (
      isUnique ? distinct(list, view.items && viewOf(view.items, this.refs, this.options.direction)) : list
    ).slice(0, most);
  }

  /** Undefined for a nested object that can't have one of its required properties. */
  private objectOf(view: SchemaView, trail: readonly string[], optional: boolean): unknown {
    const object: Record<string, unknown> = Object.create(null);
    for (const property of view.properties) {
      const isOptional = !property.required && !this.hasPrefill(property.schema);
      if (isOptional && (!optional || this.isFull(trail))) continue;
      const { cuts } = this;
      const value = this.make(property.schema, trail);
      if (value !== undefined) object[property.name] = value;
      else if (property.required && this.cuts > cuts && trail.length > 1) return undefined;
    }

    const [least, most] = [
      limitOf(view, "minProperties") ?? 0,
      limitOf(view, "maxProperties") ?? Number.POSITIVE_INFINITY,
    ];

    const names = Object.keys(object);
    const required = new Set(view.properties.filter((property) => property.required).map(({ name }) => name));
    for (const name of names.filter((one) => !required.has(one)).reverse())
      if (Object.keys(object).length > most) delete object[name];

    for (const property of view.properties) {
      if (names.length >= least) break;
      const value = Object.hasOwn(object, property.name) ? undefined : this.make(property.schema, trail);
      if (value !== undefined) names.push(property.name);
      if (value !== undefined) object[property.name] = value;
    }

    const wanted = Math.max(
      Math.min(least, items_count) - names.length,
      view.properties.length === 0 && typeof view.additional === "object" && !this.isFull(trail) ? 1 : 0,
    );

    for (let count = 0; count < Math.min(wanted, most); count++) {
      const value =
        typeof view.additional === "object" ? this.make(view.additional, trail) : stringPlaceholder;
      const name = view.propertyNames
        ? this.make(view.propertyNames, trail)
        : `{${additionalName(view) ?? "key"}}`;
      if (value !== undefined && typeof name === "string")
        object[count === 0 ? name : `${name}${count + 1}`] = value;
    }

    // Spreading copies only own properties. An own property `__proto__` stays an ordinary property.
    return { ...object };
  }
}

/**
 * Maximum number of alternatives that are tried, of alternatives that only require properties, and of items
 * and properties that are generated for a minimum.
 */
const candidates_count = 8;
/** Maximum number of checks to remove invalid properties of a value. */
const repairs_count = 20;
const required_count = 20;
const items_count = 20;
/** Limits for required fields. Optional fields have lower limits. */
const requiredNodes_count = 1_000;
const requiredDepth_levels = 30;

/** Whether a schema has keywords whose combination a generated value can violate. */
function isCombined(view: SchemaView): boolean {
  return (
    view.variants.length > 0 ||
    view.not !== undefined ||
    view.conditions.length > 0 ||
    view.propertyNames !== undefined ||
    view.contains !== undefined ||
    (view.nodes.length > 1 && (view.additional !== undefined || view.patternProperties.length > 0)) ||
    limitOf(view, "maxProperties") !== undefined
  );
}

/**
 * Returns a copy of a value without the innermost properties that contain a finding. Returns the value itself
 * if there are none. `path`: the path of the value in the findings.
 */
function withoutInvalid(value: unknown, path: string, findings: readonly Finding[]): unknown {
  const isAbout = (one: Finding, name: string, at: string) =>
    (one.path.startsWith(at) && /^(?:$|[.[])/.test(one.path.slice(at.length))) ||
    (one.code === "propertyNames" && one.path === path && one.found === shown(name));

  if (Array.isArray(value)) {
    const items = value.map((item, index) => withoutInvalid(item, `${path}[${index}]`, findings));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }

  if (!isRaw(value)) return value;
  const members = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const at = memberPath(path, name);
    if (!findings.some((one) => isAbout(one, name, at))) return [[name, item]];
    const pruned = withoutInvalid(item, at, findings);
    return pruned === item ? [] : [[name, pruned]];
  });
  const isSame =
    members.length === Object.keys(value).length && members.every(([name, item]) => value[name] === item);
  return isSame ? value : Object.fromEntries(members);
}

/** Yields copies of an object in which the properties that some alternatives require are missing. */
function* withoutAlternatives(value: unknown, view: SchemaView): Generator<Raw> {
  const alternatives = view.variants.filter(({ kind }) => kind !== "if");
  const lists = alternatives.flatMap(({ options }) =>
    options.map((option) => requiredOnly(option.schema.parts[0]?.value)),
  );
  if (!isRaw(value) || lists.every((list) => list === undefined)) return;
  const all = new Set(lists.flatMap((list) => list ?? []));
  for (const kept of lists.slice(0, required_count))
    yield Object.fromEntries(
      Object.entries(value).filter(([name]) => !all.has(name) || kept?.includes(name)),
    );
}

/**
 * Merges the values of schemas that all apply to the same object. A specific value takes precedence over a
 * placeholder.
 */
function merged(objects: readonly Raw[]): Raw {
  const result: Raw = {};
  for (const object of objects)
    for (const [name, value] of Object.entries(object))
      if (!Object.hasOwn(result, name) || specificity(value) >= specificity(result[name]))
        setOwn(result, name, value);
  return result;
}

/** Returns 0 or 1 for placeholders, and 2 for other values. */
function specificity(value: unknown): number {
  return value === anyPlaceholder ? 0 : value === stringPlaceholder ? 1 : 2;
}

/** Changes repeated items, since all items must be different. Removes the items that can't be changed. */
function distinct(list: readonly unknown[], items: SchemaView | undefined): unknown[] {
  const known = new Set<string>();
  return list.flatMap((item, index) => {
    const other = [item, ...othersOf(item, index, items)].find(
      (one) => one !== undefined && !known.has(jsonText(one)),
    );
    if (other === undefined) return [];
    known.add(jsonText(other));
    return [other];
  });
}

/** Returns values that can replace a repeated item. */
function othersOf(item: unknown, index: number, items: SchemaView | undefined): unknown[] {
  if (items?.enum) return items.enum;
  if (typeof item === "string") return [`${item}${index + 1}`];
  if (typeof item === "boolean") return [!item];
  if (typeof item !== "number") return [];
  const step = (items && limitOf(items, "multipleOf")) ?? 1;
  const [least, most] = items ? [limitOf(items, "minimum"), limitOf(items, "maximum")] : [];
  return Array.from({ length: index }, (_, count) => (count + 1) * step)
    .flatMap((distance) => [item + distance, item - distance])
    .filter((value) => value >= (least ?? value) && value <= (most ?? value));
}

const stringPlaceholder = "<string>";
const anyPlaceholder = "<any>";

const byFormat: Record<string, string> = {
  date: "2024-05-17",
  "date-time": "2024-05-17T09:30:00Z",
  time: "09:30:00Z",
  duration: "P3D",
  email: "alex@example.com",
  "idn-email": "alex@example.com",
  uuid: "5f0c7a52-8f0f-4e0b-9a3e-2d6b1c4e7f90",
  uri: "https://example.com",
  url: "https://example.com",
  "uri-reference": "/path",
  hostname: "example.com",
  ipv4: "192.0.2.10",
  ipv6: "2001:db8::10",
  byte: "T2N0YXZv",
  base64: "T2N0YXZv",
  password: "<password>",
};

/** Short values, for a small `maxLength`. */
const shortByFormat: Record<string, string> = {
  email: "a@b.co",
  "idn-email": "a@b.co",
  uri: "a:b",
  url: "a:b",
  hostname: "a.co",
};
/** Text that makes values longer, for a large `minLength`. */
const padding: Record<string, string> = {
  email: "m",
  "idn-email": "m",
  uri: "/path",
  url: "/path",
  "uri-reference": "/path",
  hostname: "m",
};

function limitOf(view: SchemaView, keyword: string): number | undefined {
  const value = view.constraints.find((constraint) => constraint.keyword === keyword)?.value;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

function stringOf(view: SchemaView): string {
  const format = view.format?.toLowerCase() ?? "";
  if (view.file === "base64") return byFormat.base64!;
  if (view.file && !Object.hasOwn(byFormat, format)) return "<file>";

  const [least, most] = [
    limitOf(view, "minLength") ?? 0,
    limitOf(view, "maxLength") ?? Number.POSITIVE_INFINITY,
  ];

  const isLong = (text: string) => text.length >= least && text.length <= most;

  if (Object.hasOwn(byFormat, format)) {
    const text = byFormat[format]!;
    return (
      [
        text,
        shortByFormat[format] ?? text,
        text.padEnd(Math.min(least, text_chars), padding[format] ?? ""),
      ].find(isLong) ?? text
    );
  }

  const patterns = view.constraints.filter(({ keyword }) => keyword === "pattern");
  if (patterns.length === 1)
    for (const text of textsForPattern(String(patterns[0]!.value), least)) if (isLong(text)) return text;

  if (isLong(stringPlaceholder)) return stringPlaceholder;
  return "string"
    .repeat(Math.ceil(Math.min(least, text_chars) / 6) || 1)
    .slice(0, Math.min(Math.max(least, 6), most, text_chars));
}

/** Yields texts of several lengths that match a pattern, one of them of the least length if possible. */
function* textsForPattern(pattern: string, least: number): Generator<string> {
  const texts: string[] = [];
  const repetitions = [1, 2, 3, 5, 8, 13, 21, 34];
  for (const repeats of repetitions) {
    const text = textForPattern(pattern, repeats);
    if (text === undefined) return;
    yield text;
    texts.push(text);

    if (repeats !== 3) continue;
    const more_chars = text.length - texts[1]!.length;
    if (more_chars > 0 && text.length < least)
      repetitions.push(3 + Math.ceil((least - text.length) / more_chars));
  }

  // Without `$`, any text may follow.
  const [first] = texts;
  if (first && !/\$\)*$/.test(pattern)) yield first.padEnd(Math.min(least, text_chars), first.at(-1));
}

/** Maximum length of a text that is generated for a minimum length, in characters. */
const text_chars = 1_000;

function numberOf(view: SchemaView): number {
  const whole = view.types.includes("integer");
  const step = limitOf(view, "multipleOf") ?? (whole ? 1 : undefined);
  const [above, below] = [limitOf(view, "exclusiveMinimum"), limitOf(view, "exclusiveMaximum")];
  const least = limitOf(view, "minimum") ?? above;
  const most = limitOf(view, "maximum") ?? below;
  let value = 123;

  if (least !== undefined && most !== undefined)
    value = whole ? Math.floor((least + most) / 2) : (least + most) / 2;
  else if (least !== undefined) value = least + 1;
  else if (most !== undefined && most <= value) value = most - 1;

  const isAllowed = (number: number) =>
    number >= (least ?? number) && number <= (most ?? number) && number !== above && number !== below;
  if (step === undefined || step <= 0) return value;
  const down = Math.floor(value / step);
  const steps = [down, down + 1, Math.ceil((least ?? value) / step), Math.floor((most ?? value) / step)];
  return steps.map((count) => inSteps(count, step)).find(isAllowed) ?? value;
}

/** Multiplies without the rounding errors of decimal fractions: 3 × 0.1 is 0.3. */
function inSteps(count: number, step: number): number {
  return Number((count * step).toPrecision(15));
}
