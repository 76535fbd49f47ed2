/** Identifies fields by everything that their rows show, so that equal fields are only rendered once. */

import type { Limit } from "../openapi/constraint-text.ts";
import { jsonText } from "../openapi/json-text.ts";
import type { Example } from "../openapi/operation.ts";
import type { SchemaView } from "../openapi/schema-view.ts";
import type { SchemaCut } from "./context.ts";
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
  more: readonly Limit[],
): string {
  const listed = listedExamples(examples).length > 0 ? jsonText(examples) : examples.length;
  node.signature ??= JSON.stringify(treeSignature(node));
  return JSON.stringify([name, required, deprecated ?? false, description, more, listed]) + node.signature;
}

/** Returns everything that the rows of a tree show. Numbers stand for views. */
function treeSignature({
  direction,
  view,
  items,
  not,
  rows,
  rest,
  restCut,
  named,
  variants,
  cut,
}: FieldNode): unknown[] {
  // The direction excludes fields from examples.
  const hasExamples = [view, ...items].some(({ examples }) =>
    examples.some((example) => typeof example === "object"),
  );
  const own = [viewNumber(view), items.map(viewNumber), not && viewNumber(not), hasExamples && direction];
  if (cut) return [...own, cut.repeats, ...cutSignature(cut)];
  if (rows.length === 0 && variants.length === 0) return own;

  return [
    ...own,
    rows.map((row) => [row.name, row.required, treeSignature(row.node)]),
    rest,
    [restCut, named].map((link) => link && cutSignature(link)),
    variants.map(({ kind, discriminator, options }) => [
      kind,
      discriminator,
      options.map(({ label, values, condition, requires, node }) => [
        label,
        values,
        condition,
        requires,
        treeSignature(node),
      ]),
    ]),
  ];
}

function cutSignature({ direction, name, schema }: SchemaCut): unknown[] {
  return [direction, name, schema.parts.map(({ pointer }) => pointer)];
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
  const { label, types, title, description, format, deprecated, readOnly, writeOnly, broken, pre, post } =
    view;

  const {
    enum: values,
    enumTexts,
    const: constant,
    default: initial,
    examples,
    conditions,
    constraints,
    contentMediaType,
    externalDocs,
  } = view;

  const texts = [
    label,
    types,
    title,
    description,
    format,
    deprecated,
    readOnly,
    writeOnly,
    broken,
    pre,
    post,
  ];

  return jsonText([
    texts,
    values,
    enumTexts,
    constant,
    initial,
    examples,
    conditions,
    constraints,
    contentMediaType,
    externalDocs,
  ]);
}
