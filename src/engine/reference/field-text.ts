/** Writes short texts about the values of a field, for the page and its Markdown version. */

import { cutText } from "../../base/cut-text.ts";
import { problem } from "../../base/problem.ts";
import { fill, type SiteMessages } from "../i18n/messages.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import { own, ownText, type Refs } from "../openapi/nodes/refs.ts";
import type { Example, Parameter } from "../openapi/request/operation.ts";
import { conditionText } from "../openapi/schema/condition-text.ts";
import { constraintLimit, type Limit } from "../openapi/schema/constraint-text.ts";
import { requiredOnly, type SchemaView } from "../openapi/schema/schema-view.ts";
import { sentValue } from "../openapi/schema/sent-values.ts";
import type { ReferenceContext } from "./context.ts";
import type { FieldNode, FieldOption } from "./expand-schemas.ts";

/** Maximum length of a value, in characters. */
const value_chars = 4_000;
/** Maximum length of a value that the page shows without a disclosure, in characters. */
const shownValue_chars = 80;
const shownPattern_chars = 40;

/**
 * Formats a value as inline text. Strings are quoted only if they are empty or long, contain line breaks, or
 * start or end with whitespace.
 */
export function valueText(value: unknown): string {
  const isPlain = typeof value === "string" && /^\S(?:.{0,500}\S)?$/.test(value);
  return isPlain ? cutText(value, value_chars) : valueAsJson(value);
}

/** Formats a value as JSON. */
export function valueAsJson(value: unknown): string {
  return cutText(jsonText(value), value_chars);
}

/** Whether the page has the value of a limit in a disclosure. */
export function isFolded({ text, value = "" }: Limit, { render }: ReferenceContext): boolean {
  const isPattern = text.endsWith(render.constraints.pattern);
  return value.length > (isPattern ? shownPattern_chars : shownValue_chars);
}

/**
 * Returns the constraints, default and example of a field: "at least 1", "at most 1000", "default 100".
 * `more`: constraints to list first. `examples`: whether to include the example.
 */
export function limitsOf(
  node: FieldNode,
  context: ReferenceContext,
  more: readonly Limit[] = [],
  examples = true,
): Limit[] {
  const { view, items } = node;
  const sent = examples ? (value: unknown) => sentExample(value, node, context.refs) : undefined;
  const limits = [...more, ...constraintsOf(view, view.label, context)];
  for (const item of items) {
    limits.push(
      ...[...constraintsOf(item, view.label, context), ...valuesOf(item, context, sent)].map((limit) => ({
        ...limit,
        text: `${context.render.messages.eachItem} ${limit.text}`.trim(),
      })),
    );
  }
  if (node.not) limits.push({ text: "not", value: notText(node.not) });
  return [...limits, ...valuesOf(view, context, sent)];
}

/** Returns an example without the fields that the direction excludes. */
export function sentExample(value: unknown, { items, core, direction }: FieldNode, refs: Refs): unknown {
  if (Array.isArray(value) && items.length > 0)
    return value.map((item) => sentValue(item, core.schema, refs, direction));
  return sentValue(value, core.schema, refs, direction);
}

/** `sent`: returns an example as it's shown. Undefined if examples aren't shown. */
function valuesOf(
  view: SchemaView,
  { render: { messages, constraints } }: ReferenceContext,
  sent: ((example: unknown) => unknown) | undefined,
): Limit[] {
  const limits: Limit[] = [];
  if (view.const) limits.push({ text: constraints.const, value: valueText(view.const.value) });
  if (view.default) limits.push({ text: messages.default, value: valueText(view.default.value) });
  const shown =
    view.enum || view.const
      ? []
      : view.examples.filter((example) => !sameValue(example, view.default?.value));
  if (!sent) return limits;
  const text = messages.example.toLowerCase();
  const values = shown.map((example) => valueText(sent(example)));
  const isLong = (value: string) => value.length > shownValue_chars;
  const short = values.filter((value) => !isLong(value));
  limits.push(...short.map((value, index) => ({ text: index === 0 ? text : "", value })));
  limits.push(...values.filter(isLong).map((value) => ({ text, value })));
  return limits;
}

/**
 * Describes the values that `not` excludes: values, a type, required names, or else the schema as it's
 * written.
 */
function notText(view: SchemaView): string {
  if (view.enum) return view.enum.map((value) => valueText(value)).join(", ");
  if (view.const) return valueText(view.const.value);
  const [node] = view.nodes;
  const names = view.nodes.length === 1 ? requiredOnly(node!.value) : undefined;
  if (names?.length) return names.join(" + ");

  const isType = view.nodes.every(
    ({ value }) => value === true || Object.keys(value as object).every((keyword) => keyword === "type"),
  );

  return isType
    ? view.label
    : valueAsJson(view.nodes.length === 1 ? node!.value : view.nodes.map(({ value }) => value));
}

/** `label`: the type that the row shows. */
function constraintsOf(
  view: SchemaView,
  label: string,
  { render: { messages, constraints } }: ReferenceContext,
): Limit[] {
  const limits = view.constraints.map((constraint) =>
    constraintLimit(constraint, valueText(constraint.value), constraints),
  );
  if (view.contentMediaType) limits.push({ text: "", value: view.contentMediaType });
  const formats = view.file ? [] : view.nodes.flatMap(({ value }) => ownText(value, "format") ?? []);
  for (const format of formats)
    if (!label.includes(`<${format}>`)) limits.push({ text: messages.format.toLowerCase(), value: format });
  const texts = limits.map(limitText);
  return limits.filter((_, index) => texts.indexOf(texts[index]!) === index);
}

/** Returns a limit as plain text. */
function limitText({ text, value }: Limit): string {
  return [text, value].filter(Boolean).join(" ");
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && jsonText(a) === jsonText(b));
}

/** Returns the allowed values of a field, or else of its items. Undefined if neither has an enum. */
export function choicesOf({ view, items }: FieldNode): unknown[] | undefined {
  return view.enum ?? items.find((item) => item.enum)?.enum;
}

/**
 * Returns the text of each value in `choicesOf`: whether it is deprecated, and its description. Undefined if
 * no value has a text.
 */
export function choiceTextsOf(
  { view, items }: FieldNode,
  messages: SiteMessages,
): (string | undefined)[] | undefined {
  const listing = view.enum ? view : items.find((item) => item.enum);
  if (!listing?.enumTexts && !listing?.deprecatedValues.length) return undefined;
  return listing.enum?.map((value, index) => {
    const parts = [
      listing.deprecatedValues.includes(value) && messages.deprecated,
      listing.enumTexts?.[index],
    ];
    return parts.filter(Boolean).join(": ") || undefined;
  });
}

/** Returns the letters and digits of a text in lowercase. */
function lettersOf(text: string): string {
  const lower = text.toLowerCase();
  return /^[a-z\d]*$/.test(lower) ? lower : lower.replace(otherCharacters, "");
}

const otherCharacters = /[^\p{L}\p{N}]/gu;

/** Returns the title of a field, or else of its items, unless its name or description says the same. */
export function titleOf(
  { view, items }: FieldNode,
  name: string,
  descriptions: readonly string[],
): string | undefined {
  const titled = view.title === undefined ? items.find((item) => item.title !== undefined) : view;
  const title = titled?.title;
  if (title === undefined || title === name) return undefined;
  const wanted = lettersOf(title);
  // A description that is much longer says more.
  const isSame = (text: string) => text.length < 2 * title.length + 20 && lettersOf(text) === wanted;
  return wanted === "" || [name, ...descriptions, titled?.name ?? ""].some(isSame) ? undefined : title;
}

/** Returns the label of an alternative, or the condition of a conditional part. */
export function optionLabel({ label, condition }: FieldOption, { refs, render }: ReferenceContext): string {
  return condition ? conditionText(condition, refs, render.constraints) : label;
}

/** Returns the keywords of a field and its items that are shown as they're written. */
export function conditionsOf({ view, items }: FieldNode): [keyword: string, value: unknown][] {
  return [view, ...items].flatMap(({ conditions }) => conditions);
}

/** Returns the examples of a parameter that are listed: several examples, or one with a text or a URL. */
export function listedExamples(examples: readonly Example[] = []): readonly Example[] {
  const isListed = ({ key, label, description, externalValue }: Example) =>
    label !== key || description !== undefined || externalValue !== undefined;
  return examples.length > 1 || examples.some(isListed) ? examples : [];
}

/**
 * Returns the constraints of a parameter that its schema doesn't have. Its example overrides the schema's
 * examples.
 */
export function parameterLimits(
  parameter: Omit<Parameter, "in"> & { in?: string },
  node: FieldNode,
  { refs, render: { messages, constraints } }: ReferenceContext,
): Limit[] {
  const { examples, allowReserved, allowEmptyValue, mediaType } = parameter;
  const fields = mediaType === undefined && objectFormat(parameter, node.view);
  const isInline = examples.length === 1 && listedExamples(examples).length === 0;
  const style = styleText(parameter, node.view, messages);
  return [
    ...(mediaType ? [{ text: "", value: mediaType }] : style ? [{ text: style }] : []),
    ...(fields ? [{ text: messages.format.toLowerCase(), value: fields }] : []),
    ...(allowReserved ? [{ text: constraints.allowReserved }] : []),
    ...(allowEmptyValue ? [{ text: constraints.allowEmptyValue }] : []),
    ...(isInline
      ? [
          {
            text: messages.example.toLowerCase(),
            value: valueText(sentExample(examples[0]!.value, node, refs)),
          },
        ]
      : []),
  ];
}

/**
 * Returns the description of a field, which `given` overrides, those of its values or alternatives, and those
 * of its items, without those that another one starts with.
 */
export function descriptionsOf({ view, items }: FieldNode, given?: string): string[] {
  const all = [
    given ?? view.description,
    ...view.choiceDescriptions,
    ...items.flatMap((item) => [item.description, ...item.choiceDescriptions]),
  ];
  const texts = all.filter((text) => text !== undefined && text.trim() !== "") as string[];
  return texts.filter(
    (text, index) =>
      !texts.some(
        (other, at) => at !== index && saysAll(other, text) && (at < index || !saysAll(text, other)),
      ),
  );
}

/**
 * Whether a text starts with all of another one, so that the other one says nothing more. Ignores case,
 * punctuation and articles.
 */
export function saysAll(text: string, other: string): boolean {
  const [whole, start] = [text, other].map((one) =>
    wordsOf(one)
      .map((word) => `${word} `)
      .join(""),
  );
  return start === "" ? text.trim() === other.trim() : whole!.startsWith(start!);
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/^(?:the|an?)$/.test(word));
}

/**
 * Describes the serialization of a list in the query, or of an object in the style `deepObject`. Undefined
 * for other values and for the default style of lists.
 */
function styleText(
  { name, in: place, style, explode }: Pick<Parameter, "name" | "style" | "explode"> & { in?: string },
  { types, properties }: SchemaView,
  messages: SiteMessages,
): string | undefined {
  if (types.includes("object") && style === "deepObject")
    return fill(messages.oneForEachField, { example: `${name}[${properties[0]?.name ?? "key"}]=…` });
  if (!types.includes("array") || !(place === "query" || place === "cookie")) return undefined;
  if (style === "pipeDelimited") return messages.pipeSeparated;
  if (style === "spaceDelimited") return messages.spaceSeparated;
  return explode ? undefined : messages.commaSeparated;
}

/**
 * Returns how the fields of an object in a parameter are written, such as `x=…,y=…`. Undefined for other
 * values and for the default style of a place (OpenAPI 3.1, 4.8.12.3).
 */
function objectFormat(
  { name, in: place, style, explode }: Pick<Parameter, "name" | "style" | "explode"> & { in?: string },
  { types, properties }: SchemaView,
): string | undefined {
  if (!types.includes("object") || style === "deepObject" || place === undefined) return undefined;
  if (explode === (style === "form") && (style === "form" || style === "simple")) return undefined;
  const names = properties.slice(0, 2).map((property) => property.name);
  const pairs = (names.length ? names : ["key"]).map((field) => `${field}${explode ? "=" : ","}…`);
  if (style === "matrix") return explode ? `;${pairs.join(";")}` : `;${name}=${pairs.join(",")}`;
  if (style === "label") return `.${pairs.join(explode ? "." : ",")}`;
  return style === "form" ? `${name}=${pairs.join(",")}` : pairs.join(",");
}

/**
 * Returns the pills that `api.params.post` in docs.json configures: the values of the listed keywords, or the
 * keyword itself if its value is true. Reports values that are or contain objects.
 */
export function configuredPills(
  { view }: FieldNode,
  context: ReferenceContext,
  parameter?: { pointer: string },
): string[] {
  const pills = context.postKeys.flatMap((key) => {
    const value = valueAt(key, context.refs, view, parameter);
    const values = Array.isArray(value) ? value.filter((entry) => entry !== true) : [value];
    if (values.some((entry) => typeof entry === "object" && entry !== null))
      context.render.report?.(
        problem(
          "openapi-pill",
          { file: context.render.file },
          `The value of ${JSON.stringify(key)} can't be shown as a label because it is or contains an object`,
        ),
      );
    return values.flatMap((entry) => pillsOf(key, entry));
  });
  if (!context.marks) return pills;

  const nodes = [...(parameter ? [parameter] : []), ...view.nodes];
  return [...context.marks.ofField(nodes.map(({ pointer }) => pointer)), ...pills];
}

function valueAt(
  key: string,
  refs: Refs,
  view: SchemaView,
  parameter: { pointer: string } | undefined,
): unknown {
  const nearest = parameter && own(refs.at(parameter.pointer)?.value, key);
  return nearest ?? view.nodes.map((node) => own(node.value, key)).findLast((value) => value !== undefined);
}

function pillsOf(key: string, value: unknown): string[] {
  if (value === true) return [key];
  return (typeof value === "string" && value !== "") || typeof value === "number" ? [String(value)] : [];
}
