/** Parameters of an operation → the path, query, header and cookies of a request. */

import { jsonText } from "./json-text.ts";
import type { Parameter } from "./operation.ts";
import { scalarText, styledPairs, styledText } from "./parameter-styles.ts";
import { encodeHeader, encodeReserved, encodeText, encodeWritten } from "./percent-encode.ts";
import { isRaw } from "./refs.ts";
import { parameterKey } from "./request-model.ts";

/** A path with its parameters filled in, and the query that its template contains. */
export interface FilledPath {
  path: string;
  query: string;
  /** Path parameters without a usable value; the path still contains their `{name}`. */
  open: string[];
}

/**
 * `/pets/{id}` → `/pets/7`. A value cannot change the other segments: `/` is escaped, and a segment that would become
 * empty, `.` or `..` (which URL parsers resolve, escaped or not) keeps its `{name}`.
 */
export function fillPath(template: string, parameters: readonly Parameter[], values: Record<string, unknown>): FilledPath {
  const open: string[] = [];
  const texts = new Map<string, string>();
  for (const parameter of parameters) {
    const text = parameter.in === "path" ? pathText(parameter, values[parameterKey(parameter)]) : undefined;
    if (text !== undefined) texts.set(parameter.name, text);
  }
  const fill = (part: string, refused: boolean) =>
    part
      .split(/\{([^{}]*)\}/)
      .map((piece, index) => {
        if (index % 2 === 0) return encodeWritten(piece);
        const text = refused ? undefined : texts.get(piece);
        if (text === undefined) open.push(piece);
        return text ?? `%7B${encodeText(piece)}%7D`;
      })
      .join("");
  const { path, query } = splitTemplate(template);
  const segments = path.split("/").map((segment) => {
    if (!segment.includes("{")) return encodeWritten(segment);
    const before = open.length;
    const filled = fill(segment, false);
    if (!isDotSegment(filled)) return filled;
    open.length = before;
    return fill(segment, true);
  });
  return { path: segments.join("/"), query: fill(query, false), open: [...new Set(open)] };
}

/** Splits at the first `?` outside braces and drops a fragment; real documents contain `/search?kind=all`. */
function splitTemplate(template: string): { path: string; query: string } {
  const masked = template.replace(/\{[^{}]*\}/g, (name) => "_".repeat(name.length));
  const fragment = masked.indexOf("#");
  const end = fragment < 0 ? template.length : fragment;
  const mark = masked.slice(0, end).indexOf("?");
  return mark < 0 ? { path: template.slice(0, end), query: "" } : { path: template.slice(0, mark), query: template.slice(mark + 1, end) };
}

function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){0,2}$/i.test(segment);
}

function pathText(parameter: Parameter, value: unknown): string | undefined {
  const encode = parameter.allowReserved ? (text: string) => encodeReserved(text, "path") : encodeText;
  return parameter.mediaType === undefined ? styledText({ ...parameter, encode }, value) : contentText(parameter, value, encode);
}

/** One encoded `name=value` per query pair; a whole query for `in: querystring`. */
export function queryTexts(parameter: Parameter, value: unknown): string[] {
  if (parameter.in === "querystring") return wholeQuery(parameter, value);
  const encode = parameter.allowReserved ? (text: string) => encodeReserved(text, "query") : encodeText;
  return pairs(parameter, value, encode).map((pair) => pair.join("="));
}

function wholeQuery(parameter: Parameter, value: unknown): string[] {
  if (isRaw(value) && parameter.mediaType === "application/x-www-form-urlencoded") {
    return Object.entries(value).flatMap(([name, item]) =>
      styledPairs({ name, style: "form", explode: Array.isArray(item), encode: encodeText }, isRaw(item) ? jsonText(item) : item).map(
        (pair) => pair.join("="),
      ),
    );
  }
  const text = contentText(parameter, value, (whole) =>
    isJson(parameter.mediaType ?? "") ? encodeText(whole) : encodeWritten(whole).replaceAll("#", "%23").replaceAll("'", "%27"),
  );
  return text ? [text] : [];
}

/** One `name=value` per cookie. The `&` of the style `form` is not used, since servers don't split cookies at it. */
export function cookieTexts(parameter: Parameter, value: unknown): string[] {
  const encode =
    parameter.style === "cookie" ? encodeCookie : parameter.allowReserved ? (text: string) => encodeReserved(text, "cookie") : encodeText;
  return pairs(parameter, value, encode).map((pair) => pair.join("="));
}

/** Escapes only characters that are invalid in a cookie. */
export function encodeCookie(text: string): string {
  return encodeHeader(text).replace(/[ ";,\\]/g, encodeURIComponent);
}

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

/** The value of a parameter with `content`: the text of its media type. */
function contentText(parameter: Omit<Parameter, "in">, value: unknown, encode: (text: string) => string): string | undefined {
  if (value === undefined) return undefined;
  return encode(isJson(parameter.mediaType ?? "") ? jsonText(value) : scalarText(value));
}

export function isJson(mediaType: string): boolean {
  return /^[^/;]+\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(mediaType.trim());
}
