/** Identifies fields by everything that their rows show, so that equal fields are only rendered once. */

import { jsonText } from "../openapi/json-text.ts";
import type { Example } from "../openapi/operation.ts";
import type { SchemaView } from "../openapi/schema-view.ts";
import type { FieldNode } from "./expand-schemas.ts";
import { listedExamples } from "./field-text.ts";

interface SignedField {
  name: string;
  required: boolean;
  node: FieldNode;
  /** Properties of a parameter that take precedence over the schema's properties. */
  deprecated?: boolean;
  description?: string | undefined;
  /** The examples of a parameter. */
  examples?: readonly Example[];
}

/** Returns the signature of a field. `more`: constraints that the field shows in addition to the schema's. */
export function fieldSignature(
  { name, required, node, deprecated, description, examples = [] }: SignedField,
  more: readonly string[],
): string {
  let signature = sized(name) + (required ? "!" : "") + (deprecated ? "-" : "");
  if (description !== undefined) signature += `"${sized(description)}`;
  for (const part of more) signature += `·${sized(part)}`;
  if (examples.length > 0) signature += `·examples${listedExamples(examples).length > 0 ? jsonText(examples) : ""}`;
  return signature + treeSignature(node);
}

function treeSignature({ direction, view, items, not, rows, rest, variants, cut }: FieldNode): string {
  let signature = `#${viewNumber(view)}`;
  // The direction excludes fields from examples.
  if ([view, ...items].some(({ examples }) => examples.some((example) => typeof example === "object"))) signature += direction;
  for (const item of items) signature += `[${viewNumber(item)}`;
  if (not) signature += `~${viewNumber(not)}`;
  if (cut) {
    signature += (cut.repeats ? "=" : ">") + cut.direction + sized(cut.name);
    for (const { pointer } of cut.schema.parts) signature += sized(pointer);
    return signature;
  }
  if (rows.length === 0 && variants.length === 0) return signature;
  signature += "(";
  for (const { name, required, node } of rows) signature += sized(name) + (required ? "!" : "") + treeSignature(node);
  for (const name of rest) signature += `+${sized(name)}`;
  for (const { kind, discriminator, options } of variants) {
    signature += `|${kind}${sized(discriminator ?? "")}`;
    for (const { label, values, requires, node } of options)
      signature += `?${sized(label)}${values ? `=${sized(values.join())}` : ""}${sized(requires.join())}${treeSignature(node)}`;
  }
  return `${signature})`;
}

/** Returns a text with its length, so that its end is known. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}

const numbers = new WeakMap<SchemaView, number>();
const numbersByContent = new Map<string, number>();
/** Maximum number of different contents. When there are more, equal views can have different numbers. */
const contents_count = 20_000;
let lastNumber = 0;

/** Returns the number of a view. Views that rows show in the same way usually have the same number. */
function viewNumber(view: SchemaView): number {
  let number = numbers.get(view);
  if (number !== undefined) return number;
  const content = contentOf(view);
  number = numbersByContent.get(content) ?? ++lastNumber;
  if (numbersByContent.size >= contents_count) numbersByContent.clear();
  numbersByContent.set(content, number);
  numbers.set(view, number);
  return number;
}

/** Returns everything that a row shows of a view, except for nested schemas. */
function contentOf(view: SchemaView): string {
  const { label, types, description, deprecated, readOnly, writeOnly, broken } = view;
  let content = `${sized(label)}${types.join()}${deprecated ? "-" : ""}${readOnly ? "r" : ""}${writeOnly ? "w" : ""}${broken ? "!" : ""}`;
  if (description !== undefined) content += `"${sized(description)}`;
  const {
    enum: values,
    enumTexts,
    const: constant,
    default: initial,
    title,
    format,
    conditions,
    constraints,
    contentMediaType,
    pre,
    post,
  } = view;
  const { examples, externalDocs } = view;
  const more = { values, enumTexts, constant, initial, title, format, conditions, constraints, contentMediaType, pre, post, externalDocs };
  for (const [key, value] of Object.entries(more))
    if (Array.isArray(value) ? value.length > 0 : value !== undefined) content += `·${key}${jsonText(value)}`;
  return examples.length > 0 ? `${content}·examples${jsonText(examples)}` : content;
}
