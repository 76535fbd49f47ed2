/**
 * Validates values against schemas of JSON Schema 2020-12 and OpenAPI 3.0. A broken reference is added to
 * `refs.missing`, and every value is valid for it.
 */

import { parseJson } from "../nodes/json-text.ts";
import {
  child,
  children,
  entries,
  escapeKey,
  isRaw,
  type Located,
  own,
  ownText,
  type Raw,
  type Refs,
} from "../nodes/refs.ts";
import { canonical, memberPath, shown } from "../nodes/value-text.ts";
import { mappedPointer } from "../nodes/walk-references.ts";
import { isFileValue } from "../request/request-model.ts";
import { type Direction, excludingFlag, isExcluded } from "../schema/schema-flags.ts";
import { dynamicTarget, resourceOf } from "../schema/schema-identifiers.ts";
import { isNull } from "../schema/schema-layers.ts";
import { isOfType, jsonTypeOf } from "../schema/schema-types.ts";
import { jsonContentOf, type SchemaRef, schemaRef, variantLabel, viewOf } from "../schema/schema-view.ts";
import { hasFormat } from "./check-format.ts";

/** A mismatch between a value and its schema. `code` selects the error message in the reader's language. */
export interface Finding {
  /**
   * Kind of mismatch: `type`, `required`, `enum`, `minimum`, `pattern`, `status`, `contentType`, `header`, …
   */
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
   * Returns whether a text matches a pattern; undefined if unknown. Patterns are untrusted and can take
   * unbounded time, so they are not checked without this function.
   */
  testPattern?: (pattern: string, text: string) => boolean | undefined;
  /**
   * Number of steps that several checks may take together. Each step reduces it. The rest are not checked.
   */
  budget?: { steps: number };
}

/** Maximum number of findings of a check. */
export const findings_count = 50;
/**
 * Maximum number of pairs of schema and value that `checkValue` checks, including alternatives. The rest are
 * not checked.
 */
const steps_count = 20_000;
/** Maximum depth of nested checks. Deeper values and schemas are not checked. */
const depth_levels = 100;
/**
 * Validates a value. `path`: name of the value in the findings. Undefined is valid. Returns at most
 * `findings_count` findings.
 */
export function checkValue(
  value: unknown,
  schema: SchemaRef,
  refs: Refs,
  direction: Direction,
  path: string,
  options: CheckOptions = {},
): Finding[] {
  return new Check(refs, direction, options).check(value, schema, {
    path,
    depth: 0,
    most: findings_count,
    scope: [],
  });
}

/**
 * The properties and items of one value that schemas have evaluated, for `unevaluatedProperties` and
 * `unevaluatedItems` (JSON Schema 2020-12, Core, section 11).
 */
interface Evaluated {
  names: Set<string>;
  indexes: Set<number>;
}

interface Place {
  path: string;
  depth: number;
  /** Maximum number of findings. 1 to test only whether the value is valid. */
  most: number;
  /**
   * Pointers of the schemas with `$id` around the schema, outermost first. `$dynamicRef` searches them (Core,
   * 8.2.3.2).
   */
  scope: readonly string[];
}

/** A place in the schemas that apply to the same value. */
interface InPlace extends Place {
  /** Set if an enclosing schema needs to know what has been evaluated. */
  seen?: Evaluated | undefined;
  /** Properties that the direction excludes. */
  hidden: ReadonlySet<string>;
  /**
   * Whether the schema is the value's own schema and not a part of it. Only then does a discriminator without
   * alternatives apply.
   */
  isDirect: boolean;
}

class Check {
  private steps = 0;
  /**
   * Whether part of a value wasn't checked. If so, matches are uncertain, so a matching `not` and multiple
   * matching `oneOf` options aren't reported.
   */
  private isPartial = false;
  private readonly refs: Refs;
  private readonly direction: Direction;
  private readonly options: CheckOptions;

  constructor(refs: Refs, direction: Direction, options: CheckOptions) {
    this.refs = refs;
    this.direction = direction;
    this.options = options;
  }

  /** Checks a value against its own schema. */
  check(value: unknown, schema: SchemaRef, place: Place): Finding[] {
    if (value === undefined || (isFileValue(value) && viewOf(schema, this.refs).file)) return [];
    const found: Finding[] = [];
    const hidden = this.hiddenIn(value, schema, new Set());
    for (const name of hidden.keys()) {
      const inner = own(value, name);
      if (inner !== undefined)
        found.push({ ...hidden.get(name)!, found: shown(inner), path: memberPath(place.path, name) });
    }

    for (const part of schema.parts)
      found.push(
        ...this.evaluate(value, part, {
          ...place,
          most: place.most - found.length,
          hidden: new Set(hidden.keys()),
          isDirect: true,
        }),
      );

    return found.slice(0, place.most);
  }

  /**
   * Returns the properties of a value that the direction excludes, with the code and pointer of their
   * findings.
   */
  private hiddenIn(
    value: unknown,
    schema: SchemaRef,
    known: ReadonlySet<string>,
  ): Map<string, { code: string; pointer: string }> {
    const hidden = new Map<string, { code: string; pointer: string }>();
    const code = excludingFlag[this.direction];
    if (!code || !isRaw(value)) return hidden;
    for (const property of viewOf(schema, this.refs).properties) {
      if (known.has(property.name)) continue;
      const view = viewOf(property.schema, this.refs);
      if (isExcluded((flag) => view[flag], this.direction))
        hidden.set(property.name, { code, pointer: `${view.pointer}/${code}` });
    }
    return hidden;
  }

  /** Checks a value against one node of a schema, and everything that applies to the same value. */
  private evaluate(value: unknown, node: Located, place: InPlace): Finding[] {
    const found: Finding[] = [];
    if (place.most <= 0) return found;
    if (this.options.budget) this.options.budget.steps--;

    if (++this.steps > steps_count || (this.options.budget?.steps ?? 1) <= 0 || place.depth > depth_levels) {
      this.isPartial = true;
      return found;
    }

    const schema = node.value;
    const { path } = place;
    if (schema === false) return [{ code: "never", found: shown(value), path, pointer: node.pointer }];
    if (!isRaw(schema) || (value === null && schema.nullable === true)) return found;

    const add = (findings: readonly Finding[]) => {
      for (const finding of findings) if (found.length < place.most) found.push(finding);
    };

    const report: Report = (keyword, wanted, was = value, at = path) =>
      add([
        {
          code: keyword,
          wanted: shown(wanted),
          found: shown(was),
          path: at,
          pointer: `${node.pointer}/${escapeKey(keyword)}`,
        },
      ]);

    const resource = resourceOf(node.pointer, this.refs);
    const scope =
      resource === undefined || place.scope.at(-1) === resource ? place.scope : [...place.scope, resource];
    const needsSeen = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
    const seen = needsSeen ? { names: new Set<string>(), indexes: new Set<number>() } : place.seen;
    const around: InPlace = { ...place, depth: place.depth + 1, scope, seen };

    for (const target of this.targets(node, scope))
      add(this.evaluate(value, target, { ...around, most: place.most - found.length }));
    for (const member of children(child(node, "allOf")))
      add(this.evaluate(value, member, { ...around, most: place.most - found.length, isDirect: false }));

    if (checkType(value, node, report)) {
      checkPlain(value, node, report, this.options);
      if (Array.isArray(value)) this.checkItems(value, node, report, add, around);
      if (isRaw(value)) this.checkMembers(value, node, report, add, around);
      if (typeof value === "string") this.checkContent(value, node, add, around);
    }

    this.checkConditions(value, node, report, add, around);
    for (const kind of ["oneOf", "anyOf"] as const)
      this.checkVariants(value, node, kind, add, around, place.most - found.length);
    this.checkMapping(value, node, add, around);

    if (needsSeen) {
      this.checkUnevaluated(value, node, add, around);
      for (const name of seen!.names) place.seen?.names.add(name);
      for (const index of seen!.indexes) place.seen?.indexes.add(index);
    }

    return found;
  }

  /** Returns the targets of `$ref` and `$dynamicRef`. */
  private targets(node: Located, scope: readonly string[]): Located[] {
    const dynamic = ownText(node.value, "$dynamicRef");
    const found: Located[] = [];
    for (const ref of [ownText(node.value, "$ref"), dynamic && dynamicTarget(dynamic, scope, this.refs)]) {
      if (!ref) continue;
      const target = this.refs.at(ref);
      if (target) found.push(target);
      else {
        this.refs.addMissing(ref);
        this.isPartial = true;
      }
    }
    return found;
  }

  /** Checks a part of a value against its own schema. */
  private checkBelow(value: unknown, node: Located, path: string, { depth, most, scope }: Place): Finding[] {
    return most > 0 ? this.check(value, schemaRef(node), { path, depth, most, scope }) : [];
  }

  /**
   * Whether a value matches a schema that may or may not apply. If it does, what the schema evaluates counts.
   * Undefined if the value matches as far as it could be checked.
   */
  private matches(value: unknown, node: Located, around: InPlace): boolean | undefined {
    const wasPartial = this.isPartial;
    this.isPartial = false;
    const seen = around.seen && { names: new Set<string>(), indexes: new Set<number>() };
    const isMatch = this.evaluate(value, node, { ...around, most: 1, seen, isDirect: false }).length === 0;
    const isCertain = !this.isPartial;
    this.isPartial ||= wasPartial;
    if (isMatch && seen) {
      for (const name of seen.names) around.seen!.names.add(name);
      for (const index of seen.indexes) around.seen!.indexes.add(index);
    }
    return isMatch ? isCertain || undefined : false;
  }

  private checkItems(
    value: readonly unknown[],
    node: Located,
    report: Report,
    add: Add,
    around: InPlace,
  ): void {
    const limit = limitsOf(node);
    if (value.length < limit("minItems", 0)) report("minItems", limit("minItems", 0), value.length);
    if (value.length > limit("maxItems", Infinity))
      report("maxItems", limit("maxItems", Infinity), value.length);
    if (own(node.value, "uniqueItems") === true && new Set(value.map(canonical)).size < value.length)
      report("uniqueItems", true);

    // In older documents, a list in `items` is a tuple, and `additionalItems` are the other items.
    const given = child(node, "items");
    const isOldTuple = Array.isArray(given?.value);
    const items = isOldTuple ? child(node, "additionalItems") : given;
    const tuple = children(child(node, "prefixItems") ?? (isOldTuple ? given : undefined));
    tuple.forEach((item, index) =>
      add(this.checkBelow(value[index], item, `${around.path}[${index}]`, around)),
    );
    if (items)
      for (let index = tuple.length; index < value.length; index++)
        add(this.checkBelow(value[index], items, `${around.path}[${index}]`, around));

    if (around.seen) {
      const end = items ? value.length : Math.min(tuple.length, value.length);
      for (let index = 0; index < end; index++) around.seen.indexes.add(index);
    }

    const contains = child(node, "contains");
    if (!contains) return;
    const least = limit("minContains", 1);
    const most = limit("maxContains", Infinity);
    let [count, possible] = [0, 0];
    value.forEach((item, index) => {
      const isMatch = this.matches(item, contains, { ...around, seen: undefined, hidden: new Set() });
      if (isMatch !== false) {
        possible++;
        around.seen?.indexes.add(index);
      }
      if (isMatch) count++;
    });

    if (possible < least)
      report(own(node.value, "minContains") === undefined ? "contains" : "minContains", least, possible);
    if (count > most) report("maxContains", most, count);
  }

  private checkMembers(value: Raw, node: Located, report: Report, add: Add, around: InPlace): void {
    const { hidden, seen, path } = around;
    const limit = limitsOf(node);
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    if (names.length < limit("minProperties", 0))
      report("minProperties", limit("minProperties", 0), names.length);
    if (names.length > limit("maxProperties", Infinity))
      report("maxProperties", limit("maxProperties", Infinity), names.length);

    for (const { value: name } of children(child(node, "required")))
      if (typeof name === "string" && own(value, name) === undefined && !hidden.has(name))
        add([
          {
            code: "required",
            wanted: name,
            path: memberPath(path, name),
            pointer: `${node.pointer}/required`,
          },
        ]);

    for (const [name, needed] of [
      ...entries(child(node, "dependentRequired")),
      ...entries(child(node, "dependencies")),
    ]) {
      if (own(value, name) === undefined) continue;
      for (const other of children(needed))
        if (typeof other.value === "string" && own(value, other.value) === undefined)
          report("dependentRequired", other.value, name);
    }

    const propertyNames = child(node, "propertyNames");
    if (propertyNames)
      for (const name of names)
        if (this.matches(name, propertyNames, { ...around, seen: undefined, hidden: new Set() }) === false)
          report("propertyNames", "", name);

    const properties = child(node, "properties");
    const patterns = entries(child(node, "patternProperties"));
    const additional = child(node, "additionalProperties");
    for (const name of names) {
      const at = memberPath(path, name);
      const below = (schema: Located) => {
        if (!hidden.has(name)) add(this.checkBelow(value[name], schema, at, around));
        seen?.names.add(name);
      };
      const property = properties && child(properties, name);
      if (property) below(property);
      let isKnown = property !== undefined;
      for (const [pattern, schema] of patterns) {
        const isMatch = this.options.testPattern?.(pattern, name);
        if (isMatch) below(schema);
        else if (isMatch === undefined) {
          this.isPartial = true;
          seen?.names.add(name);
        }
        isKnown ||= isMatch !== false;
      }
      if (isKnown || !additional) continue;
      if (additional.value !== false) below(additional);
      else add([{ code: "additionalProperties", found: name, path: at, pointer: additional.pointer }]);
    }
  }

  /** Checks JSON in a text of a request or a response. JSON Schema itself ignores the content of texts. */
  private checkContent(text: string, node: Located, add: Add, around: InPlace): void {
    const content = this.direction === "schema" ? undefined : child(node, "contentSchema");
    if (!content || !jsonContentOf(viewOf(schemaRef(node), this.refs))) return;
    try {
      add(this.checkBelow(parseJson(text), content, around.path, around));
    } catch {
      add([{ code: "syntax", path: around.path, pointer: content.pointer }]);
    }
  }

  private checkConditions(value: unknown, node: Located, report: Report, add: Add, around: InPlace): void {
    const not = child(node, "not");
    if (not && this.matches(value, not, { ...around, seen: undefined }) === true) report("not", "");
    const condition = child(node, "if");
    const isMet = condition && this.matches(value, condition, around);
    const consequence = isMet === undefined ? undefined : child(node, isMet ? "then" : "else");
    if (consequence) add(this.apply(value, consequence, around));

    if (isRaw(value)) {
      for (const [name, schema] of [
        ...entries(child(node, "dependentSchemas")),
        ...entries(child(node, "dependencies")),
      ])
        if (own(value, name) !== undefined && !Array.isArray(schema.value))
          add(this.apply(value, schema, around));
    }
  }

  /** Checks a value against a schema that applies to it depending on the value. */
  private apply(value: unknown, node: Located, around: InPlace): Finding[] {
    const hidden = this.hiddenIn(value, schemaRef(node), around.hidden);
    return this.evaluate(value, node, {
      ...around,
      hidden: new Set([...around.hidden, ...hidden.keys()]),
      isDirect: false,
    });
  }

  private checkUnevaluated(value: unknown, node: Located, add: Add, around: InPlace): void {
    const { seen, path, hidden } = around;
    const properties = child(node, "unevaluatedProperties");
    if (properties && isRaw(value))
      for (const name of Object.keys(value)) {
        if (seen!.names.has(name) || value[name] === undefined || hidden.has(name)) continue;
        seen!.names.add(name);
        const at = memberPath(path, name);
        if (properties.value !== false) add(this.checkBelow(value[name], properties, at, around));
        else if (!this.isPartial)
          add([{ code: "additionalProperties", found: name, path: at, pointer: properties.pointer }]);
      }

    const items = child(node, "unevaluatedItems");
    if (items && Array.isArray(value))
      value.forEach((item, index) => {
        if (seen!.indexes.has(index)) return;
        seen!.indexes.add(index);
        if (items.value !== false || !this.isPartial)
          add(this.checkBelow(item, items, `${path}[${index}]`, around));
      });
  }

  private checkVariants(
    value: unknown,
    node: Located,
    kind: "oneOf" | "anyOf",
    add: Add,
    around: InPlace,
    most: number,
  ): void {
    const all = children(child(node, kind));
    if (all.length === 0) return;
    const { path } = around;
    const pointer = `${node.pointer}/${kind}`;
    const options = all.filter((option) => !isNull(option.value));
    const discriminator = ownText(own(node.value, "discriminator"), "propertyName");
    const tag = discriminator === undefined ? undefined : own(value, discriminator);
    if (typeof tag === "string") {
      const chosen = this.taggedOption(tag, discriminator!, options, node);
      if (chosen) return add(this.apply(value, chosen, { ...around, most }));
      const mapping = own(own(node.value, "discriminator"), "mapping");
      if (isRaw(mapping))
        return add([
          {
            code: "discriminator",
            wanted: shown(Object.keys(mapping).join(", ")),
            found: tag,
            path: memberPath(path, discriminator!),
            pointer,
          },
        ]);
    }

    const results = all.map((option) => ({
      option,
      isMatch: this.matches(value, option, this.withHidden(value, option, around)),
    }));

    const fitting = results.filter(({ isMatch }) => isMatch !== false);
    if (fitting.length === 1 || (kind === "anyOf" && fitting.length > 0)) return;

    const labels = (listed: readonly Located[]) => {
      const indexes = new Map(options.map((option, index) => [option, index]));
      return shown(
        listed.map((option) => variantLabel(option, this.refs, indexes.get(option) ?? -1)).join(", "),
      );
    };

    if (fitting.length > 1) {
      if (fitting.every(({ isMatch }) => isMatch) && !this.isPartial)
        add([{ code: "oneOfSeveral", found: labels(fitting.map(({ option }) => option)), path, pointer }]);
      return;
    }

    const alike = options.filter((option) => {
      const { types } = viewOf(schemaRef(option), this.refs);
      return types.some((type) => isOfType(value, type));
    });

    const only = options.length === 1 ? options[0] : alike.length === 1 ? alike[0] : undefined;
    if (only) add(this.apply(value, only, { ...around, most }));
    else add([{ code: kind, wanted: labels(options), found: shown(value), path, pointer }]);
  }

  private withHidden(value: unknown, option: Located, around: InPlace): InPlace {
    const hidden = this.hiddenIn(value, schemaRef(option), around.hidden);
    return hidden.size ? { ...around, hidden: new Set([...around.hidden, ...hidden.keys()]) } : around;
  }

  /**
   * Checks a value against the schema that the mapping of a parent schema selects. Values that aren't in the
   * mapping are valid.
   */
  private checkMapping(value: unknown, node: Located, add: Add, around: InPlace): void {
    const discriminator = own(node.value, "discriminator");
    const name = ownText(discriminator, "propertyName");
    if (
      !around.isDirect ||
      name === undefined ||
      own(node.value, "oneOf") !== undefined ||
      own(node.value, "anyOf") !== undefined
    )
      return;

    const tag = own(value, name);
    const target = typeof tag === "string" ? ownText(own(discriminator, "mapping"), tag) : undefined;
    if (target === undefined) return;

    const pointer = mappedPointer(target);
    if (pointer === node.pointer) return;
    const chosen = this.refs.at(pointer);
    if (chosen) add(this.apply(value, chosen, around));
    else this.refs.addMissing(pointer);
  }

  /**
   * Returns the option that a discriminator value selects: by the mapping, by the name of the component, or
   * by the const or enum of the discriminator property. Undefined if there is none.
   */
  private taggedOption(
    tag: string,
    discriminator: string,
    options: readonly Located[],
    node: Located,
  ): Located | undefined {
    const target = ownText(own(own(node.value, "discriminator"), "mapping"), tag);
    const pointers = [target, tag].flatMap((name) => (name === undefined ? [] : [mappedPointer(name)]));
    const named = options.find((option) => pointers.includes(ownText(option.value, "$ref") ?? ""));
    return (
      named ??
      options.find((option) => {
        const property = viewOf(schemaRef(option), this.refs).properties.find(
          ({ name }) => name === discriminator,
        );
        const { enum: list, const: constant } = property ? viewOf(property.schema, this.refs) : {};
        return constant?.value === tag || list?.includes(tag);
      })
    );
  }
}

type Report = (keyword: string, wanted: unknown, was?: unknown, at?: string) => void;
type Add = (findings: readonly Finding[]) => void;

/**
 * Reports a wrong type. Returns false if the type is wrong; the other keywords of the node are then skipped.
 */
function checkType(value: unknown, node: Located, report: Report): boolean {
  const declared = own(node.value, "type");
  const types = (Array.isArray(declared) ? declared : [declared]).filter((type) => typeof type === "string");
  if (types.length === 0 || types.includes("file") || types.some((type) => isOfType(value, type)))
    return true;
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
    const length =
      limit("minLength", 0) > 0 || limit("maxLength", Infinity) < value.length
        ? [...value].length
        : value.length;
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
