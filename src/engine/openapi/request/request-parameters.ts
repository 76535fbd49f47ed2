/** Converts parameters of an operation to the path, query, headers and cookies of a request. */

import { jsonText } from "../nodes/json-text.ts";
import { isJson } from "../nodes/media-types.ts";
import { isRaw } from "../nodes/refs.ts";
import type { Parameter } from "./operation.ts";
import { scalarText, styledPairs, styledText } from "./parameter-styles.ts";
import { encodeCookie, encodeHeader, encodeReserved, encodeText, encodeWritten } from "./percent-encode.ts";
import { parameterKey } from "./request-model.ts";

/** A path with the values of its parameters, and the query that the path template contains. */
export interface FilledPath {
  path: string;
  query: string;
  /**
   * Names of parameters in the template without a usable value. The result still contains their encoded
   * `{name}`.
   */
  open: string[];
}

/**
 * Fills in the parameters of a path template: `/pets/{id}` → `/pets/7`. A value can't change other segments:
 * `/` is escaped, and a segment that would become empty, `.` or `..` keeps its `{name}`. URL parsers resolve
 * dot segments even if the dots are escaped.
 */
export function fillPath(
  template: string,
  parameters: readonly Parameter[],
  values: Record<string, unknown>,
): FilledPath {
  const open: string[] = [];
  const texts = new Map<string, string>();
  for (const parameter of parameters) {
    const text = parameter.in === "path" ? pathText(parameter, values[parameterKey(parameter)]) : undefined;
    if (text !== undefined) texts.set(parameter.name, text);
  }

  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  const fill = (part: string, keepsNames: boolean) =>
    part
      .split(/\{([^{}]*)\}/)
      .map((piece, index) => {
        if (index % 2 === 0) return encodeWritten(piece);
        const { name, isGreedy } = placeholderIn(piece, names);
        const given = keepsNames ? undefined : texts.get(name);
        const text = isGreedy ? greedyText(given) : given;
        if (text === undefined) open.push(name);
        return text ?? `%7B${encodeText(piece)}%7D`;
      })
      .join("");

  const { path, query } = splitTemplate(template);
  const segments = segmentsOf(path).map((segment) => {
    if (!segment.includes("{")) return encodeWritten(segment);
    const before = open.length;
    const filled = fill(segment, false);
    if (!isDotSegment(filled)) return filled;
    open.length = before;
    return fill(segment, true);
  });

  return { path: segments.join("/"), query: fill(query, false), open: [...new Set(open)] };
}

/** Splits a path template at slashes outside braces. */
function segmentsOf(path: string): string[] {
  return path
    .match(/(?:\{[^{}]*\}|[^/])*(?:\/|$)/g)!
    .slice(0, path.endsWith("/") ? undefined : -1)
    .map((segment) => segment.replace(/\/$/, ""));
}

/**
 * Returns a URL with `{name}` instead of the encoded `%7Bname%7D`, for display. `open`: the names, from
 * `fillPath`.
 */
export function readableUrl(url: string, open: readonly string[]): string {
  return open.reduce((text, name) => text.replaceAll(`%7B${encodeText(name)}%7D`, `{${name}}`), url);
}

/**
 * Reads the text between braces in a path template. Besides the names of parameters, gateways and frameworks
 * write `{name+}` and `{*name}` for the rest of a path, `{name:pattern}`, and `{name=shelves/*}`, whose value
 * has the segments of the pattern.
 */
export function placeholderIn(text: string, names: readonly string[]): { name: string; isGreedy: boolean } {
  if (names.includes(text)) return { name: text, isGreedy: false };
  const [, before = "", name = "", after = "", pattern = ""] =
    /^([*+]{0,2})([^*+:=]+)([*+]{0,2})(?::.*|=(.*))?$/s.exec(text) ?? [];
  return names.includes(name)
    ? { name, isGreedy: before !== "" || after !== "" || /\/|\*\*/.test(pattern) }
    : { name: text, isGreedy: false };
}

/**
 * Returns the value for the rest of a path, in which slashes separate segments. Undefined if a segment would
 * change other segments.
 */
function greedyText(text: string | undefined): string | undefined {
  const segments = text?.replace(/%2F/gi, "/").split("/");
  return segments?.some((segment, index) => isDotSegment(segment) && !(segment === "" && index > 0))
    ? undefined
    : segments?.join("/");
}

/**
 * Splits a path template at the first `?` outside braces, and removes its fragment. Real documents contain
 * paths such as `/search?kind=all`.
 */
function splitTemplate(template: string): { path: string; query: string } {
  const masked = template.replace(/\{[^{}]*\}/g, (name) => "_".repeat(name.length));
  const fragment = masked.indexOf("#");
  const end = fragment < 0 ? template.length : fragment;
  const mark = masked.slice(0, end).indexOf("?");
  return mark < 0
    ? { path: template.slice(0, end), query: "" }
    : { path: template.slice(0, mark), query: template.slice(mark + 1, end) };
}

function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){0,2}$/i.test(segment);
}

function pathText(parameter: Parameter, value: unknown): string | undefined {
  const encode = parameter.allowReserved ? (text: string) => encodeReserved(text, "path") : encodeText;
  return parameter.mediaType === undefined
    ? styledText({ ...parameter, encode }, value)
    : contentText(parameter, value, encode);
}

/**
 * Returns the encoded `name=value` pairs of a query parameter. For `in: querystring`, returns the parts of
 * the whole query: the pairs of a form or, for other media types, the whole value as one text.
 */
export function queryTexts(parameter: Parameter, value: unknown): string[] {
  if (parameter.in === "querystring") return wholeQuery(parameter, value);
  const encode = parameter.allowReserved ? (text: string) => encodeReserved(text, "query") : encodeText;
  return pairs(parameter, value, encode).map((pair) => pair.join("="));
}

function wholeQuery(parameter: Parameter, value: unknown): string[] {
  if (isRaw(value) && parameter.mediaType === "application/x-www-form-urlencoded") {
    return Object.entries(value).flatMap(([name, item]) =>
      styledPairs(
        { name, style: "form", explode: Array.isArray(item), encode: encodeText },
        isRaw(item) ? jsonText(item) : item,
      ).map((pair) => pair.join("=")),
    );
  }

  const text = contentText(parameter, value, (whole) =>
    isJson(parameter.mediaType ?? "")
      ? encodeText(whole)
      : encodeWritten(whole).replaceAll("#", "%23").replaceAll("'", "%27"),
  );

  return text ? [text] : [];
}

/**
 * Returns the `name=value` pairs of a cookie parameter. The pairs are separate cookies, since servers don't
 * split cookies at the `&` of the style `form`.
 */
export function cookieTexts(parameter: Parameter, value: unknown): string[] {
  const encode =
    parameter.style === "cookie"
      ? encodeCookie
      : parameter.allowReserved
        ? (text: string) => encodeReserved(text, "cookie")
        : encodeText;
  return pairs(parameter, value, encode).map((pair) => pair.join("="));
}

/**
 * Returns the value of a header. Undefined if there is no value. For a parameter without `content`, `null`
 * and empty lists and objects also count as no value.
 */
export function headerText(parameter: Omit<Parameter, "in">, value: unknown): string | undefined {
  const text =
    parameter.mediaType === undefined
      ? styledText({ ...parameter, style: "simple", encode: (item) => item }, value)
      : contentText(parameter, value, (whole) => whole);
  return text === undefined ? undefined : encodeHeader(text);
}

function pairs(parameter: Parameter, value: unknown, encode: (text: string) => string): [string, string][] {
  const named = { ...parameter, style: parameter.style === "cookie" ? "form" : parameter.style, encode };
  if (parameter.mediaType === undefined) return styledPairs(named, value);
  const text = contentText(parameter, value, encode);
  return text === undefined ? [] : [[encodeText(parameter.name), text]];
}

/**
 * Serializes the value of a parameter with `content`: as JSON for a JSON media type, and otherwise as text.
 */
function contentText(
  parameter: Omit<Parameter, "in">,
  value: unknown,
  encode: (text: string) => string,
): string | undefined {
  if (value === undefined) return undefined;
  return encode(isJson(parameter.mediaType ?? "") ? jsonText(value) : scalarText(value));
}
