/**
 * Validates values against schemas. Supports most keywords of JSON Schema 2020-12 and OpenAPI 3.0. A broken reference is added to
 * `refs.missing`, and every value is valid for it.
 */

import { hasFormat } from "./check-format.ts";
import { jsonText } from "./json-text.ts";
import { child, children, entries, escapeKey, isRaw, type Located, own, ownText, type Raw, type Refs } from "./refs.ts";
import { isFileValue } from "./request-model.ts";
import {
  type Direction,
  isOfType,
  jsonTypeOf,
  type SchemaRef,
  type SchemaView,
  schemaRef,
  type Variant,
  type VariantList,
  viewOf,
} from "./schema-view.ts";

/** A mismatch between a value and its schema. `code` selects the error message in the reader's language. */
export interface Finding {
  /** Kind of mismatch: `type`, `required`, `enum`, `minimum`, `pattern`, `status`, `contentType`, `header`, … */
  code: string;
  /** The expected value, for the error message. */
  wanted?: string;
  /** The actual value, for the error message. */
  found?: string;
  /** Path in the value: `query.limit`, `body.items[0].id`, `response.items[0].id`. */
  path: string;
  /** Pointer to the declaration in the document. */
  pointer: string;
}

export interface CheckOptions {
  /**
   * Returns whether a text matches a pattern; undefined if unknown. Patterns are untrusted and can take unbounded time,
   * so they are not checked without this function.
   */
  testPattern?: (pattern: string, text: string) => boolean | undefined;
}

/** Maximum number of findings of a check. */
export const findings_count = 50;
/** Maximum number of pairs of schema and value that `checkValue` checks, including alternatives. The rest are not checked. */
const steps_count = 20_000;
/** Maximum depth of nested checks. Deeper values and schemas are not checked. */
const depth_levels = 100;
/** Maximum length of a value in an error message, in characters. */
const shown_chars = 80;

/** Validates a value. `path`: name of the value in the findings. Undefined is valid. Returns at most `findings_count` findings. */
export function checkValue(
  value: unknown,
  schema: SchemaRef,
  refs: Refs,
  direction: Direction,
  path: string,
  options: CheckOptions = {},
): Finding[] {
  return new Check(refs, direction, options).run(value, schema, path);
}

class Check {
  private steps = 0;
  /**
   * Whether part of a value wasn't checked. If so, matches are uncertain, so a matching `not` and multiple matching `oneOf` options
   * aren't reported.
   */
  private isPartial = false;
  private readonly views = new Map<string, SchemaView>();
  private readonly refs: Refs;
  private readonly direction: Direction;
  private readonly options: CheckOptions;

  constructor(refs: Refs, direction: Direction, options: CheckOptions) {
    this.refs = refs;
    this.direction = direction;
    this.options = options;
  }

  /** Returns the first `most` findings. `most` is 1 to test only whether the value is valid. */
  run(value: unknown, schema: SchemaRef, path: string, most = findings_count, depth = 0): Finding[] {
    const found: Finding[] = [];
    const add = (finding: Finding) => {
      if (found.length < most) found.push(finding);
    };
    if (++this.steps > steps_count || depth > depth_levels) {
      this.isPartial = true;
      return found;
    }
    const view = this.viewOf(schema);
    if (view.broken) this.isPartial = true;
    if (value === undefined || (value === null && view.nullable) || (isFileValue(value) && view.file)) return found;
    const checkBelow = (inner: unknown, below: SchemaRef, at: string) => {
      if (found.length < most) for (const finding of this.run(inner, below, at, most - found.length, depth + 1)) add(finding);
    };
    const matches = (inner: unknown, below: SchemaRef) => this.run(inner, below, path, 1, depth + 1).length === 0;
    for (const node of view.nodes) {
      if (node.value === false) add({ code: "never", found: shown(value), path, pointer: node.pointer });
      const report = (keyword: string, wanted: unknown, was: unknown = value, at = path) =>
        add({ code: keyword, wanted: shown(wanted), found: shown(was), path: at, pointer: `${node.pointer}/${escapeKey(keyword)}` });
      if (!checkType(value, node, report)) continue;
      checkPlain(value, node, report, this.options);
      if (Array.isArray(value)) this.checkItems(value, node, report);
      if (isRaw(value)) this.checkMembers(value, node, report);
      this.checkConditions(value, node, { report, checkBelow, matches, path });
    }
    if (Array.isArray(value)) {
      view.prefixItems.forEach((item, index) => checkBelow(value[index], item, `${path}[${index}]`));
      const { items } = view;
      if (items)
        value
          .slice(view.prefixItems.length)
          .forEach((item, index) => checkBelow(item, items, `${path}[${index + view.prefixItems.length}]`));
    }
    if (isRaw(value)) this.checkProperties(value, view, { checkBelow, add, path });
    for (const variants of view.variants) this.checkVariants(value, variants, view, { add, path, depth, most: most - found.length });
    return found;
  }

  private viewOf(schema: SchemaRef): SchemaView {
    const key = schema.parts.map(({ pointer }) => pointer).join(" ");
    const known = this.views.get(key);
    if (known) return known;
    const view = viewOf(schema, this.refs);
    this.views.set(key, view);
    return view;
  }

  private checkItems(value: readonly unknown[], node: Located, report: Report): void {
    const limit = limitsOf(node);
    if (value.length < limit("minItems", 0)) report("minItems", limit("minItems", 0), value.length);
    if (value.length > limit("maxItems", Infinity)) report("maxItems", limit("maxItems", Infinity), value.length);
    if (own(node.value, "uniqueItems") === true && new Set(value.map(canonical)).size < value.length) report("uniqueItems", true);
    const contains = child(node, "contains");
    if (!contains) return;
    const least = limit("minContains", 1);
    const most = limit("maxContains", Infinity);
    const count = value.filter((item) => this.run(item, schemaRef(contains), "", 1).length === 0).length;
    if (count < least) report(own(node.value, "minContains") === undefined ? "contains" : "minContains", least, count);
    if (count > most) report("maxContains", most, count);
  }

  private checkMembers(value: Raw, node: Located, report: Report): void {
    const limit = limitsOf(node);
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    if (names.length < limit("minProperties", 0)) report("minProperties", limit("minProperties", 0), names.length);
    if (names.length > limit("maxProperties", Infinity)) report("maxProperties", limit("maxProperties", Infinity), names.length);
    for (const [name, needed] of entries(child(node, "dependentRequired"))) {
      if (own(value, name) === undefined) continue;
      for (const other of children(needed))
        if (typeof other.value === "string" && own(value, other.value) === undefined) report("dependentRequired", other.value, name);
    }
    const propertyNames = child(node, "propertyNames");
    if (propertyNames)
      for (const name of names) if (this.run(name, schemaRef(propertyNames), "", 1).length) report("propertyNames", "", name);
  }

  private checkConditions(value: unknown, node: Located, { report, checkBelow, matches, path }: Conditions): void {
    const not = child(node, "not");
    if (not && matches(value, schemaRef(not)) && !this.isPartial) report("not", "");
    const condition = child(node, "if");
    const consequence = condition && child(node, matches(value, schemaRef(condition)) ? "then" : "else");
    if (consequence) checkBelow(value, schemaRef(consequence), path);
    if (isRaw(value)) {
      for (const [name, schema] of entries(child(node, "dependentSchemas")))
        if (own(value, name) !== undefined) checkBelow(value, schemaRef(schema), path);
    }
  }

  /**
   * Checks the properties of all merged nodes together: `additionalProperties` in one part of an `allOf` doesn't reject
   * properties of the other parts.
   */
  private checkProperties(
    value: Raw,
    view: SchemaView,
    { checkBelow, add, path }: Pick<Conditions, "checkBelow" | "path"> & { add: (finding: Finding) => void },
  ): void {
    const known = new Set<string>();
    for (const { name, required, schema } of view.properties) {
      known.add(name);
      const at = memberPath(path, name);
      const inner = own(value, name);
      if (inner === undefined && !required) continue;
      const { readOnly, writeOnly, pointer } = this.viewOf(schema);
      const hidden = this.direction === "request" ? readOnly && "readOnly" : this.direction === "response" && writeOnly && "writeOnly";
      if (inner !== undefined && hidden) add({ code: hidden, found: shown(inner), path: at, pointer: `${pointer}/${hidden}` });
      else if (inner !== undefined) checkBelow(inner, schema, at);
      else if (!hidden) add({ code: "required", wanted: name, path: at, pointer: requiredPointer(view, name) });
    }
    for (const name of requiredNames(view)) {
      if (!known.has(name) && own(value, name) === undefined)
        add({ code: "required", wanted: name, path: memberPath(path, name), pointer: requiredPointer(view, name) });
    }
    const evaluated = view.nodes.some(({ value: node }) => own(node, "unevaluatedProperties") !== undefined)
      ? this.namesOfOptions(view)
      : known;
    for (const [name, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      const matches = view.patternProperties.map(([pattern, schema]) => ({ schema, is: this.options.testPattern?.(pattern, name) }));
      for (const { schema, is } of matches) if (is) checkBelow(inner, schema, memberPath(path, name));
      if (known.has(name) || evaluated.has(name) || matches.some(({ is }) => is !== false)) continue;
      if (view.additional === false)
        add({ code: "additionalProperties", found: name, path: memberPath(path, name), pointer: additionalPointer(view) });
      else if (typeof view.additional === "object") checkBelow(inner, view.additional, memberPath(path, name));
    }
  }

  private namesOfOptions(view: SchemaView, depth = 0): Set<string> {
    const options = depth < 5 ? view.variants.flatMap((variants) => variants.options) : [];
    return new Set(
      options.flatMap(({ schema }) => {
        const option = this.viewOf(schema);
        return [...option.properties.map(({ name }) => name), ...this.namesOfOptions(option, depth + 1)];
      }),
    );
  }

  /**
   * Returns the option that the discriminator value selects, or else the first option whose discriminator property has this value as its
   * const or in its enum. Undefined if there is none.
   */
  private taggedOption(tag: string, discriminator: string, options: readonly Variant[], view: SchemaView): Variant | undefined {
    return (
      options.find((option) => option.value === tag) ??
      mappedOption(view, tag, options) ??
      options.find(({ schema }) => {
        const property = this.viewOf(schema).properties.find(({ name }) => name === discriminator);
        const { enum: list, const: constant } = property ? this.viewOf(property.schema) : {};
        return constant?.value === tag || list?.includes(tag);
      })
    );
  }

  private checkVariants(
    value: unknown,
    { kind, options, discriminator }: VariantList,
    view: SchemaView,
    { add, path, depth, most }: { add: (finding: Finding) => void; path: string; depth: number; most: number },
  ): void {
    if (most <= 0) return;
    const pointer = variantsPointer(view, kind);
    const tag = discriminator === undefined ? undefined : own(value, discriminator);
    const chosen = typeof tag === "string" ? this.taggedOption(tag, discriminator!, options, view) : undefined;
    const report = (option: Variant) => {
      for (const finding of this.run(value, option.schema, path, most, depth + 1)) add(finding);
    };
    if (chosen) return report(chosen);
    // The options come only from the mapping of a parent schema. Such a schema also accepts other values.
    if (options.every(({ schema }) => /\/discriminator\/mapping\/[^/]*$/.test(schema.parts[0]?.pointer ?? ""))) return;
    if (typeof tag === "string" && view.nodes.some(({ value: node }) => isRaw(own(own(node, "discriminator"), "mapping")))) {
      const wanted = options.map((option) => option.value).join(", ");
      return add({ code: "discriminator", wanted: shown(wanted), found: tag, path: memberPath(path, discriminator!), pointer });
    }
    const fitting = options.filter(({ schema }) => this.run(value, schema, path, 1, depth + 1).length === 0);
    if (fitting.length === 1 || (kind === "anyOf" && fitting.length > 0)) return;
    if (fitting.length > 1) {
      if (!this.isPartial) add({ code: "oneOfSeveral", found: shown(fitting.map(({ label }) => label).join(", ")), path, pointer });
      return;
    }
    const alike = options.filter(({ schema }) => {
      const { types } = this.viewOf(schema);
      return types.some((type) => isOfType(value, type));
    });
    if (alike.length === 1) report(alike[0]!);
    else add({ code: kind, wanted: shown(options.map(({ label }) => label).join(", ")), found: shown(value), path, pointer });
  }
}

type Report = (keyword: string, wanted: unknown, was?: unknown, at?: string) => void;

interface Conditions {
  report: Report;
  checkBelow: (value: unknown, schema: SchemaRef, path: string) => void;
  matches: (value: unknown, schema: SchemaRef) => boolean;
  path: string;
}

/** Reports a wrong type. Returns false if the type is wrong; the other keywords of the node are then skipped. */
function checkType(value: unknown, node: Located, report: Report): boolean {
  const declared = own(node.value, "type");
  const types = (Array.isArray(declared) ? declared : [declared]).filter((type) => typeof type === "string");
  if (types.length === 0 || types.includes("file") || types.some((type) => isOfType(value, type))) return true;
  report("type", types.join(" | "), jsonTypeOf(value));
  return false;
}

function checkPlain(value: unknown, node: Located, report: Report, { testPattern }: CheckOptions): void {
  const schema = node.value;
  const list = own(schema, "enum");
  if (Array.isArray(list) && !list.some((entry) => canonical(entry) === canonical(value)))
    report("enum", list.map((entry) => shown(entry)).join(", "));
  const constant = own(schema, "const");
  if (constant !== undefined && canonical(constant) !== canonical(value)) report("const", constant);
  const format = own(schema, "format");
  if (typeof format === "string" && !hasFormat(value, format)) report("format", format);
  const limit = limitsOf(node);
  if (typeof value === "string") {
    const length = limit("minLength", 0) > 0 || limit("maxLength", Infinity) < value.length ? [...value].length : value.length;
    if (length < limit("minLength", 0)) report("minLength", limit("minLength", 0), length);
    if (length > limit("maxLength", Infinity)) report("maxLength", limit("maxLength", Infinity), length);
    const pattern = own(schema, "pattern");
    if (typeof pattern === "string" && testPattern?.(pattern, value) === false) report("pattern", pattern);
  }
  if (typeof value === "number" || typeof value === "bigint") checkNumber(value, schema, report);
}

function checkNumber(value: number | bigint, schema: unknown, report: Report): void {
  const number = (keyword: string) => {
    const limit = own(schema, keyword);
    return typeof limit === "number" || typeof limit === "bigint" ? limit : undefined;
  };
  // In OpenAPI 3.0, exclusive limits are flags.
  const [least, most] = [number("minimum"), number("maximum")];
  const above = own(schema, "exclusiveMinimum") === true ? least : number("exclusiveMinimum");
  const below = own(schema, "exclusiveMaximum") === true ? most : number("exclusiveMaximum");
  if (above !== undefined && value <= above) report("exclusiveMinimum", above);
  else if (least !== undefined && value < least) report("minimum", least);
  if (below !== undefined && value >= below) report("exclusiveMaximum", below);
  else if (most !== undefined && value > most) report("maximum", most);
  const step = number("multipleOf");
  if (step !== undefined && step > 0 && !isMultiple(value, step)) report("multipleOf", step);
}

function isMultiple(value: number | bigint, step: number | bigint): boolean {
  if (typeof value === "bigint" || typeof step === "bigint") {
    const isWhole = [value, step].every((number) => typeof number === "bigint" || Number.isInteger(number));
    return isWhole ? BigInt(value) % BigInt(step) === 0n : true;
  }
  const times = value / step;
  // Allows for rounding errors: 0.3 / 0.1 is not exactly 3.
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function limitsOf(node: Located): (keyword: string, otherwise: number) => number {
  return (keyword, otherwise) => {
    const limit = own(node.value, keyword);
    return typeof limit === "number" ? limit : otherwise;
  };
}

/** Serializes a value so that equal values have the same text, regardless of the order of keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRaw(value)) return jsonText(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`;
}

/** Returns the option that `mapping` assigns to a tag, or whose component's name is the tag. Undefined if there is none. */
function mappedOption(view: SchemaView, tag: string, options: readonly Variant[]): Variant | undefined {
  const targets = view.nodes.map(({ value }) => own(own(own(value, "discriminator"), "mapping"), tag));
  const refs = [...targets, tag].flatMap((target) => (typeof target === "string" ? [target, `#/components/schemas/${target}`] : []));
  return options.find(({ schema }) => refs.includes(ownText(schema.parts[0]?.value, "$ref") ?? ""));
}

/** Returns the names in the `required` lists of all nodes. */
function requiredNames(view: SchemaView): string[] {
  return [...new Set(view.nodes.flatMap((node) => children(child(node, "required")).map(({ value }) => value)))].filter(
    (name) => typeof name === "string",
  );
}

function requiredPointer(view: SchemaView, name: string): string {
  const node = view.nodes.find((one) => children(child(one, "required")).some(({ value }) => value === name));
  return node ? `${node.pointer}/required` : view.pointer;
}

function additionalPointer(view: SchemaView): string {
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    const node = view.nodes.find(({ value }) => own(value, keyword) === false);
    if (node) return `${node.pointer}/${keyword}`;
  }
  return view.pointer;
}

function variantsPointer(view: SchemaView, kind: string): string {
  const node = view.nodes.find(({ value }) => own(value, kind) !== undefined);
  return node ? `${node.pointer}/${kind}` : view.pointer;
}

/** Returns the path of a member: `body.id`, or `body["user id"]` if its name needs quotes. */
export function memberPath(path: string, name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** Converts a value to text for an error message. Shortens long text. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "" : value === Infinity ? "∞" : jsonText(value);
  return text.length > shown_chars ? `${text.slice(0, shown_chars)}…` : text;
}
