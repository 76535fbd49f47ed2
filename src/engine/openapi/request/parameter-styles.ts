/**
 * Serializes JSON values for a path, a query, a header or a cookie in the styles that OpenAPI defines
 * (Parameter Object, "Style Values"; those of paths are expansions of RFC 6570, section 3.2).
 */

import { jsonText } from "../nodes/json-text.ts";
import { isRaw, type Raw } from "../nodes/refs.ts";
import { isFileValue } from "./request-model.ts";

export interface StyleRule {
  name: string;
  style: string;
  explode: boolean;
  encode: (text: string) => string;
}

/**
 * A scalar, a list of items or the members of an object. Styles can't express deeper nesting, so a list of
 * scalars inside them is separated by commas, and other deeper values become JSON text.
 */
type Expanded = { one: string } | { items: string[] } | { pairs: [string, string][] };

/**
 * Serializes a value in the style `simple`, `label` or `matrix`. Undefined for values without text, such as
 * `null` or an empty list.
 */
export function styledText({ name, style, explode, encode }: StyleRule, value: unknown): string | undefined {
  const expanded = expand(value, encode);
  if (!expanded) return undefined;
  const separator = !explode || style === "simple" ? "," : style === "label" ? "." : ";";
  const lead = style === "label" ? "." : "";

  if (style === "matrix") {
    const named = (text: string) => `;${encode(name)}${text && "="}${text}`;
    if ("one" in expanded) return named(expanded.one);
    if (!explode) return named(flat(expanded).join(","));
    if ("items" in expanded) return expanded.items.map(named).join("");
    return expanded.pairs.map(([key, item]) => `;${key}${item && "="}${item}`).join("");
  }

  if ("one" in expanded) return lead + expanded.one;
  if ("pairs" in expanded && explode)
    return lead + expanded.pairs.map((pair) => pair.join("=")).join(separator);
  return lead + flat(expanded).join(separator);
}

/**
 * Serializes a value in the style `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`. Returns encoded
 * names and values.
 */
export function styledPairs(rule: StyleRule, value: unknown): [string, string][] {
  const { style, explode, encode } = rule;
  const name = encode(rule.name);
  if (style === "deepObject" && typeof value === "object") return deepPairs(rule.name, value, encode);

  const expanded = expand(value, encode);
  if (!expanded) return [];
  if ("one" in expanded) return [[name, expanded.one]];
  if (!explode) return [[name, flat(expanded).join(delimiter(style, encode))]];

  if ("pairs" in expanded)
    return Object.entries(value as Raw).flatMap(([key, item]) =>
      styledPairs(
        { ...rule, name: key },
        isRaw(item) || (Array.isArray(item) && !isScalarList(item)) ? textInside(item) : item,
      ),
    );

  return expanded.items.map((item) => [name, item]);
}

function delimiter(style: string, encode: (text: string) => string): string {
  return style === "spaceDelimited" ? encode(" ") : style === "pipeDelimited" ? encode("|") : ",";
}

/**
 * Serializes nested objects: `filter[a][b]=c`. The specification doesn't define lists. Here, scalar items
 * repeat the name, and items that are objects or lists get an index.
 */
function deepPairs(name: string, value: unknown, encode: (text: string) => string): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      deepPairs(typeof item === "object" ? `${name}[${index}]` : name, item, encode),
    );
  }
  if (!isRaw(value)) return [[encode(name), encode(scalarText(value))]];
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item, encode));
}

function expand(value: unknown, encode: (text: string) => string): Expanded | undefined {
  const written = (item: unknown) => item !== undefined && item !== null;
  if (!written(value)) return undefined;
  if (Array.isArray(value)) {
    const items = value.filter(written).map((item) => encode(textInside(item)));
    return items.length ? { items } : undefined;
  }
  if (!isRaw(value) || isFileValue(value)) return { one: encode(scalarText(value)) };
  const pairs = Object.entries(value)
    .filter(([, item]) => written(item))
    .map(([key, item]): [string, string] => [encode(key), encode(textInside(item))]);
  return pairs.length ? { pairs } : undefined;
}

function flat(expanded: Exclude<Expanded, { one: string }>): string[] {
  return "items" in expanded ? expanded.items : expanded.pairs.flat();
}

function isScalarList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}

/** Converts a value inside a list or an object to text. */
function textInside(value: unknown): string {
  return isScalarList(value)
    ? value.map((item) => (item === undefined || item === null ? "" : scalarText(item))).join(",")
    : scalarText(value);
}

/** Converts a value to text: strings unchanged, files as their name, and other values as JSON. */
export function scalarText(value: unknown): string {
  if (isFileValue(value)) return value.file.name;
  return typeof value === "string" ? value : jsonText(value);
}
