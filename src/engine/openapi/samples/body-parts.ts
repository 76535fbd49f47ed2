/**
 * Reads the headers and body of a request for sample generators. Returns bodies as text, form parts, lines
 * and files, or a JSON value.
 */

import { isJson } from "../nodes/media-types.ts";
import { isRaw } from "../nodes/refs.ts";
import {
  type FileValue,
  type HttpRequest,
  isFileValue,
  type MultipartBody,
  type MultipartPart,
} from "../request/request-model.ts";
import { multipartText } from "../request/request-multipart.ts";

/** Returns the value of a header, ignoring the case of its name. Undefined if there is none. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  return request.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** Returns the headers except those with the given names, which must be lowercase. */
export function headersWithout(request: HttpRequest, ...names: string[]): [string, string][] {
  return request.headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/**
 * Returns the body of a request if it is `multipart/form-data`, for the form builders of HTTP libraries.
 * Undefined for other bodies.
 */
export function formOf(request: HttpRequest): MultipartBody | undefined {
  const { body } = request;
  return body?.kind === "multipart" && /^multipart\/form-data/i.test(headerOf(request, "Content-Type") ?? "")
    ? body
    : undefined;
}

/**
 * Returns the body as text, with a placeholder for each file in a multipart body. Undefined if there is no
 * body or the body is a file.
 */
export function bodyText({ body }: HttpRequest): string | undefined {
  if (!body || body.kind === "file") return undefined;
  return body.kind === "text" ? body.text : multipartText(body);
}

/** A part of a form. Has either `text` or `file`. */
export interface FormPart {
  name: string;
  /** Media type of the part. */
  type?: string;
  /** Headers without `Content-Disposition` and `Content-Type`. */
  headers: [string, string][];
  text?: string;
  file?: FileValue["file"];
}

/** Reads the name, the headers and the content of a part. */
export function formPart({ name, headers, content }: MultipartPart): FormPart {
  const rest = headers.filter(([key]) => !/^content-(?:type|disposition)$/i.test(key));
  const type = headers.find(([key]) => /^content-type$/i.test(key))?.[1];
  return {
    name,
    headers: rest,
    ...(type && { type }),
    ...(isFileValue(content) ? { file: content.file } : { text: content.text }),
  };
}

export type Segment = { text: string } | { file: FileValue["file"] };

/** Splits a multipart body into lines and files, for samples that concatenate the body. */
export function segmentsOf(body: MultipartBody): Segment[] {
  // Marks files with NUL characters, which are removed from the text of parts.
  const files: FileValue["file"][] = [];
  const text = multipartText(body, (file) => `\0${files.push(file) - 1}\0`);
  return text
    .split("\0")
    .flatMap((piece, index): Segment[] => (index % 2 ? [{ file: files[Number(piece)]! }] : linesOf(piece)));
}

function linesOf(text: string): { text: string }[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({ text: line }));
}

/**
 * Returns the object or list in a JSON body, if a literal in the sample's language can express it exactly.
 * Undefined for other bodies, such as those with numbers that would lose digits, duplicate keys, or the key
 * `__proto__`.
 */
export function literalOf(request: HttpRequest): { value: object } | undefined {
  const { body } = request;
  if (body?.kind !== "text" || !isJson(headerOf(request, "Content-Type") ?? "")) return undefined;

  try {
    const value: unknown = JSON.parse(body.text);
    const compact = body.text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return typeof value === "object" &&
      value !== null &&
      JSON.stringify(value) === compact &&
      isSafe(value, 0)
      ? { value }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum nesting depth of a literal, since compilers limit the depth. */
const depth_levels = 50;

function isSafe(value: unknown, depth: number): boolean {
  if (depth > depth_levels) return false;
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.every((item) => isSafe(item, depth + 1));
  if (isRaw(value))
    return Object.entries(value).every(
      ([key, item]) => key !== "__proto__" && isSafe(key, depth) && isSafe(item, depth + 1),
    );
  return typeof value !== "string" || !/\p{Surrogate}|\0/u.test(value);
}
