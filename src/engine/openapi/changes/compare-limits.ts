/** Compares the types, values, and limits of one level of a schema. */

import type { ChangeRule } from "../../../base/change-rules.ts";
import { own } from "../nodes/refs.ts";
import { canonical, shownAsJson } from "../nodes/value-text.ts";
import type { SchemaView } from "../schema/schema-view.ts";
import type { AddChange, DataDirection } from "./change.ts";
import { inCode } from "./code-in-message.ts";

/** The views of a schema in both versions, and how messages call it. */
export interface ComparedViews {
  before: SchemaView;
  after: SchemaView;
  direction: DataDirection;
  /** Such as "the query parameter `limit`". */
  place: string;
  /** Whether values are sent as text, such as in a query, where a number is also a string. */
  isText: boolean;
}

/** Limits that allow fewer values if they are greater. Others allow fewer if they are smaller. */
const lowerLimits = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minContains",
  "minProperties",
]);
const upperLimits = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxContains",
  "maxProperties",
]);
/** Limits that replace each other. */
const siblings: Readonly<Record<string, string>> = {
  minimum: "exclusiveMinimum",
  exclusiveMinimum: "minimum",
  maximum: "exclusiveMaximum",
  exclusiveMaximum: "maximum",
};
/** Keywords that `additional` and other comparisons already have. */
const comparedElsewhere = new Set(["additionalProperties", "contentEncoding", "items"]);

export function compareTypes(
  { before, after, direction, place, isText }: ComparedViews,
  add: AddChange,
): void {
  const [earlier, later] = [typesOf(before), typesOf(after)];
  const lost = missingIn(later, earlier, isText);
  const gained = missingIn(earlier, later, isText);
  if (!lost && !gained) {
    if (missingIn(earlier, later, false))
      add(`${direction}-type-widened`, `The type of ${place} changed from ${before.label} to ${after.label}`);
    return;
  }

  // A type can be narrower and wider at the same time. The rule is the one that breaks clients.
  const isNarrower = direction === "request" ? lost : !gained;
  const rule = isNarrower ? (`${direction}-type-narrowed` as const) : (`${direction}-type-widened` as const);
  add(rule, `The type of ${place} changed from ${before.label} to ${after.label}`);
}

/** Returns the JSON types that a schema allows. Undefined if it allows any. */
function typesOf({ types, nullable }: SchemaView): ReadonlySet<string> | undefined {
  return types.length === 0 ? undefined : new Set(nullable ? [...types, "null"] : types);
}

const scalarTypes = new Set(["boolean", "integer", "number", "string"]);

/** Whether a schema allows only texts, numbers, and booleans. */
export function isScalar({ types }: SchemaView): boolean {
  return types.length > 0 && types.every((type) => scalarTypes.has(type));
}

/** Whether `types` doesn't allow a type of `others`. Undefined stands for all types. */
function missingIn(
  types: ReadonlySet<string> | undefined,
  others: ReadonlySet<string> | undefined,
  isText: boolean,
): boolean {
  if (!types) return false;
  if (!others) return true;
  const isAllowed = (type: string) =>
    types.has(type) ||
    (type === "integer" && types.has("number")) ||
    (isText && types.has("string") && scalarTypes.has(type));
  return [...others].some((type) => !isAllowed(type));
}

export function compareValues({ before, after, direction, place }: ComparedViews, add: AddChange): void {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  if (!earlier && !later) return;
  if (!earlier)
    return add(
      `${direction}-value-removed`,
      `Only some values of ${place} are allowed now: ${listed([...later!.values()])}`,
    );
  if (!later)
    return add(
      direction === "request" ? "request-value-added" : "response-values-unlimited",
      `All values of ${place} are allowed now, not only ${listed([...earlier.values()])}`,
    );

  const removed = [...earlier].filter(([key]) => !later.has(key)).map(([, value]) => value);
  const added = [...later].filter(([key]) => !earlier.has(key)).map(([, value]) => value);
  if (direction === "response" && removed.length === earlier.size && added.length > 0)
    return add(
      "response-values-replaced",
      `The ${verb(removed)} ${listed(removed)} of ${place} ${was(removed)} replaced by ${listed(added)}`,
    );
  if (removed.length)
    add(
      `${direction}-value-removed`,
      `The ${verb(removed)} ${listed(removed)} of ${place} ${was(removed)} removed`,
    );
  if (added.length)
    add(`${direction}-value-added`, `The ${verb(added)} ${listed(added)} of ${place} ${was(added)} added`);
}

function verb(values: readonly unknown[]): string {
  return values.length === 1 ? "value" : "values";
}

function was(values: readonly unknown[]): string {
  return values.length === 1 ? "was" : "were";
}

/** Returns the only values that a schema allows, by their canonical text. */
function valuesOf({ enum: values, const: constant }: SchemaView): Map<string, unknown> | undefined {
  const all = constant ? [constant.value] : values;
  return all && new Map(all.map((value) => [canonical(value), value]));
}

export function compareLimits(views: ComparedViews, add: AddChange): void {
  const { before, after, direction, place } = views;
  if (before.additional !== false && after.additional === false)
    add(`${direction}-limit-tightened`, `Other properties of ${place} aren't allowed anymore`);
  if (before.additional === false && after.additional !== false)
    add(`${direction}-limit-loosened`, `Other properties of ${place} are allowed now`);
  compareEncodings(views, add);

  const [earlier, later] = [limitsOf(before), limitsOf(after)];
  for (const keyword of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(keyword), later.get(keyword)];
    if (canonical(was) === canonical(is)) continue;
    const sibling = siblings[keyword] ?? "";
    const replaced =
      was === undefined ? earlier.get(sibling) : is === undefined ? later.get(sibling) : undefined;
    if (replaced !== undefined) {
      if (was !== undefined) add(...replacedLimit(views, keyword, was as number, replaced as number));
      continue;
    }
    add(limitRule(direction, keyword, was, is), limitMessage(keyword, place, was, is));
  }
}

/** Returns the limits of a schema. Excludes those that allow all values. */
function limitsOf(view: SchemaView): Map<string, unknown> {
  const isOwn = (keyword: string) =>
    !comparedElsewhere.has(keyword) && !(keyword === "unevaluatedProperties" && isAdditional(view, keyword));
  return new Map(
    view.constraints
      .filter(({ keyword, value }) => isOwn(keyword) && !allowsAll(keyword, value))
      .map(({ keyword, value }) => [keyword, value]),
  );
}

/** Whether the value of `unevaluatedProperties` is that of `additional`. */
export function isAdditional({ nodes }: SchemaView, keyword: string): boolean {
  return (
    keyword === "unevaluatedProperties" &&
    nodes.every(({ value }) => own(value, "additionalProperties") === undefined)
  );
}

function allowsAll(keyword: string, value: unknown): boolean {
  if (keyword === "pattern") return ["", ".*", "^.*$"].includes(value as string);
  return /^min(?:Length|Items|Properties)$/.test(keyword) && value === 0;
}

function limitRule(direction: DataDirection, keyword: string, was: unknown, is: unknown): ChangeRule {
  if (was === undefined) return `${direction}-limit-tightened`;
  if (is === undefined) return `${direction}-limit-loosened`;
  if (keyword === "multipleOf") {
    const [step, next] = [Number(was), Number(is)];
    if (next % step === 0) return `${direction}-limit-tightened`;
    if (step % next === 0) return `${direction}-limit-loosened`;
    // Some values are no longer allowed, and others now are.
    return direction === "request" ? "request-limit-tightened" : "response-limit-loosened";
  }
  const effect = effectOf(keyword, was as number, is as number);
  return effect ? `${direction}-limit-${effect}` : "limit-changed";
}

function limitMessage(keyword: string, place: string, was: unknown, is: unknown): string {
  if (was === undefined) return `\`${keyword}\` of ${place} is now ${shown(is)}`;
  return is === undefined
    ? `\`${keyword}\` of ${place} was removed. It was ${shown(was)}`
    : `\`${keyword}\` of ${place} changed from ${shown(was)} to ${shown(is)}`;
}

/** Returns the change of a limit that was replaced, such as `minimum` by `exclusiveMinimum`. */
function replacedLimit(
  { direction, place }: ComparedViews,
  keyword: string,
  was: number,
  is: number,
): [ChangeRule, string] {
  const isTighter =
    was === is ? !keyword.startsWith("exclusive") : effectOf(keyword, was, is) === "tightened";
  return [
    `${direction}-limit-${isTighter ? "tightened" : "loosened"}`,
    `\`${keyword}\` ${shown(was)} of ${place} was replaced by \`${siblings[keyword]}\` ${shown(is)}`,
  ];
}

/** Returns whether a limit allows fewer or more values than before. Undefined if neither is known. */
function effectOf(keyword: string, was: number, is: number): "tightened" | "loosened" | undefined {
  if (lowerLimits.has(keyword)) return is > was ? "tightened" : "loosened";
  if (upperLimits.has(keyword)) return is < was ? "tightened" : "loosened";
  return undefined;
}

/** Compares how the text of a value is decoded. */
function compareEncodings({ before, after, place }: ComparedViews, add: AddChange): void {
  const encodingOf = ({ constraints }: SchemaView) =>
    constraints.find(({ keyword }) => keyword === "contentEncoding")?.value as string | undefined;
  const compare = (keyword: string, was: string | undefined, is: string | undefined) => {
    if (was === is) return;
    add(
      was === undefined || is === undefined ? "limit-changed" : "content-encoding-changed",
      `\`${keyword}\` of ${place} changed from ${named(was)} to ${named(is)}`,
    );
  };
  compare("contentEncoding", encodingOf(before), encodingOf(after));
  compare("contentMediaType", before.contentMediaType, after.contentMediaType);
}

/** Returns a keyword's value as code, or "none". */
export function named(value: string | undefined): string {
  return value === undefined ? "none" : inCode(value);
}

export function shown(value: unknown): string {
  return inCode(shownAsJson(value));
}

/** Maximum number of values in a message. */
const listed_count = 10;

function listed(values: readonly unknown[]): string {
  const first = values.slice(0, listed_count).map(shown);
  return values.length > listed_count ? `${first.join(", ")}, …` : first.join(", ");
}
