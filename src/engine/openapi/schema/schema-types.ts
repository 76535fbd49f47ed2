/** Determines the JSON types that a schema allows, and those of values. */

import { type Located, own, ownText, texts } from "../nodes/refs.ts";
import type { ConstChoices } from "./enum-choices.ts";

const jsonTypes = ["string", "integer", "number", "boolean", "object", "array"];

/**
 * Returns the types that all nodes allow, and whether null is allowed. If no node declares a type, infers the
 * types from the keywords.
 */
export function typesOf(
  nodes: readonly Located[],
  declared: ReadonlyMap<string, readonly Located[]>,
  choices: readonly ConstChoices[],
): { types: string[]; nullable: boolean } {
  let types: string[] | undefined;
  let nullable: boolean | undefined;
  for (const { value } of declared.get("type") ?? []) {
    const listed = typeof value === "string" ? [value] : texts(value);
    if (listed.length === 0) continue;
    nullable = (nullable ?? true) && listed.includes("null");
    const known = listed.filter((type) => jsonTypes.includes(type));
    if (known.length === 0 && !listed.includes("null")) continue;
    types = types === undefined ? known : intersectTypes(types, known);
  }

  types ??= choices.length
    ? [...new Set(choices.flatMap(({ value }) => value.map(jsonTypeOf)))].filter((type) => type !== "null")
    : inferTypes(nodes);

  // `nullable` is a keyword of OpenAPI 3.0.
  const hasNullableKeyword = declared.get("nullable")?.some(({ value }) => value === true) === true;
  return { types, nullable: nullable === true || hasNullableKeyword };
}

function intersectTypes(a: readonly string[], b: readonly string[]): string[] {
  const both = new Set<string>();
  for (const type of a) {
    if (b.includes(type)) both.add(type);
    else if (type === "number" && b.includes("integer")) both.add("integer");
    else if (type === "integer" && b.includes("number")) both.add("integer");
  }
  return [...both];
}

const keywordsByType: readonly [string, readonly string[]][] = [
  ["string", ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType", "contentSchema"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  [
    "object",
    ["properties", "additionalProperties", "patternProperties", "required", "minProperties", "maxProperties"],
  ],
];
const numberFormats = new Set(["int32", "int64", "float", "double"]);

/** Returns a list with the type that a schema's keywords imply. Empty if they imply several types or none. */
function inferTypes(nodes: readonly Located[]): string[] {
  const found = new Set<string>();
  for (const { value } of nodes) {
    for (const [type, keywords] of keywordsByType)
      if (keywords.some((keyword) => own(value, keyword) !== undefined)) found.add(type);
    const format = ownText(value, "format");
    if (format !== undefined) found.add(numberFormats.has(format) ? "number" : "string");
    const values = own(value, "enum");
    if (Array.isArray(values) && values.length) {
      if (values.every((entry) => typeof entry === "string")) found.add("string");
      else if (values.every((entry) => typeof entry === "number")) found.add("number");
    }
  }
  return found.size === 1 ? [...found] : [];
}

/** Returns the JSON type of a value. Whole numbers and `bigint`s have the type `integer`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Whether a value has a JSON type. Integers also have the type `number`. */
export function isOfType(value: unknown, type: string): boolean {
  const actual = jsonTypeOf(value);
  return actual === type || (type === "number" && actual === "integer");
}
