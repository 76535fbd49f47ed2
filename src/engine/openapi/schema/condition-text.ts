/** Describes in words when a conditional part of a schema applies. */

import { cutText } from "../../../base/cut-text.ts";
import { type ConstraintMessages, fill } from "../../i18n/messages.ts";
import { jsonText } from "../nodes/json-text.ts";
import { isRaw, type Raw, type Refs, valueText } from "../nodes/refs.ts";
import type { Condition } from "./conditional-schemas.ts";
import { constraintLimit } from "./constraint-text.ts";
import { type SchemaRef, type SchemaView, viewOf } from "./schema-view.ts";

/** Maximum length of a condition, in characters, and of nested schemas in it. */
const condition_chars = 400;
const depth_levels = 6;

const described = new Set(
  "const enum properties required type title description not allOf anyOf oneOf $ref $comment".split(" "),
);

/** Returns a condition as a sentence, such as `If country is US`. */
export function conditionText(condition: Condition, refs: Refs, messages: ConstraintMessages): string {
  if (condition.kind === "property")
    return fill(messages.if, { condition: fill(messages.given, { name: condition.name }) });
  const facts = factsOf(condition.schema, "", refs, messages, 0) ?? [
    jsonText(condition.schema.parts[0]?.value),
  ];
  return fill(messages[condition.kind], { condition: cutText(facts.join(", "), condition_chars) });
}

/** Returns what a schema says about a value. Undefined if it can't be said in words. */
function factsOf(
  schema: SchemaRef,
  name: string,
  refs: Refs,
  messages: ConstraintMessages,
  depth: number,
): string[] | undefined {
  const view = viewOf(schema, refs);
  const facts =
    view.broken || depth > depth_levels || !hasOnlyWords(view) ? undefined : ownFacts(view, name, messages);
  if (!facts || (facts.length > 0 && name === "")) return undefined;

  for (const property of view.properties) {
    const inner = name === "" ? property.name : `${name}.${property.name}`;
    const below = factsOf(property.schema, inner, refs, messages, depth + 1);
    if (!below) return undefined;
    if (below.length > 0) facts.push(...below);
    else if (property.required) facts.push(fill(messages.given, { name: inner }));
  }

  for (const { options } of view.variants) {
    const texts = options.map((option) =>
      factsOf(option.schema, name, refs, messages, depth + 1)?.join(", "),
    );
    if (!texts.every(Boolean)) return undefined;
    facts.push(texts.join(" | "));
  }

  const not = view.not && factsOf(view.not, name, refs, messages, depth + 1);
  if (not?.length) facts.push(`not (${not.join(", ")})`);
  return view.not && !not?.length ? undefined : facts;
}

/** Returns what a schema says about the value itself, without its properties. */
function ownFacts(
  { const: constant, enum: values, constraints, types, properties }: SchemaView,
  name: string,
  messages: ConstraintMessages,
): string[] {
  const is = (value: string) => fill(messages.equals, { name, value });
  if (constant) return [is(valueText(constant.value))];
  if (values) return [is(values.map(valueText).join(" | "))];
  const limits = constraints.map((constraint) => {
    const { text, value = "" } = constraintLimit(constraint, valueText(constraint.value), messages);
    return `${name} ${text} ${value}`.trim();
  });
  const isImplied = properties.length > 0 || limits.length > 0 || name === "";
  return limits.length > 0 || isImplied || types.length === 0 ? limits : [is(types.join(" | "))];
}

function hasOnlyWords({ nodes, constraints, variants }: SchemaView): boolean {
  const limits = new Set(constraints.map(({ keyword }) => keyword));
  const isKnown = (schema: Raw) =>
    Object.keys(schema).every((keyword) => described.has(keyword) || limits.has(keyword));
  return (
    variants.every(({ kind }) => kind !== "if") &&
    nodes.every(({ value }) => value === true || (isRaw(value) && isKnown(value)))
  );
}
