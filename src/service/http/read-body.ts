/** Reads and validates request bodies. */

import type { Static, TSchema } from "@sinclair/typebox";
import { Value, type ValueError } from "@sinclair/typebox/value";
import { AppError, detailText, type FieldError, fieldThat, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { unknownFields } from "./unknown-fields.ts";

/**
 * Throws an AppError unless the header has the expected type. For archives and NDJSON, `octet-stream` is
 * also accepted, because some generated clients can only send this type. If the header has a charset, the
 * charset must be UTF-8.
 */
export function checkContentType(header: string | undefined, expected: string): void {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((text) => /^\s*charset="?([\w-]+)"?\s*$/.exec(text)?.[1])
    .find((name) => name !== undefined);
  const accepted = [
    expected,
    ...(/gzip|ndjson/.test(expected) ? ["application/octet-stream"] : []),
    ...(expected === "application/gzip" ? ["application/x-gzip"] : []),
  ];
  if (!accepted.includes(type.trim()) || (charset !== undefined && charset !== "utf-8"))
    throw new AppError("wrong-type", `Content-Type must be ${expected}`);
}

/**
 * Reads a body into memory. Throws an AppError if it has more than `most_bytes`; `what` is the name of the
 * body in the error message.
 */
export async function readWhole(
  stream: AsyncIterable<Buffer>,
  most_bytes: number,
  what: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most_bytes) throw tooLargeBody(what);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function tooLargeBody(what: string): AppError {
  return new AppError("too-large", `The ${what} is too large`, { headers: { connection: "close" } });
}

/** Maximum number of objects and lists in each other in a JSON body. */
const nesting_count = 64;

export interface JsonBodyOptions {
  /** Maximum size; by default, `limits.requestBody_bytes`. */
  most_bytes?: number | undefined;
  /** Whether properties that aren't in the schema are dropped. Otherwise, they're errors. */
  allowsUnknown: boolean;
}

/** Reads a JSON body. Throws an AppError if the body is empty, too large or invalid. */
export async function readJson(
  stream: AsyncIterable<Buffer>,
  schema: TSchema,
  { most_bytes = limits.requestBody_bytes, allowsUnknown }: JsonBodyOptions,
): Promise<unknown> {
  const bytes = await readWhole(stream, most_bytes, "request body");
  if (bytes.length === 0) throw invalid("Invalid request body", fieldThat("body", "is required"));
  const parsed = parse(bytes);
  const unknown = allowsUnknown ? [] : unknownFields(schema, parsed);
  removeInheritedNames(parsed);
  const value = validate(schema, parsed, "Invalid request body", unknown);
  if (!isStorable(value))
    throw invalid(
      "Invalid request body",
      fieldThat("body", "must not contain NUL characters or unpaired surrogates"),
    );
  return value;
}

/**
 * Validates a value. Returns a copy without the properties that aren't in the schema. If the value isn't
 * valid, throws an AppError with the title and all errors, after those about `unknown` fields.
 */
export function validate<S extends TSchema>(
  schema: S,
  value: unknown,
  title: string,
  unknown: readonly FieldError[] = [],
): Static<S> {
  const found = [...unknown, ...[...Value.Errors(schema, value)].map(fieldError)];
  if (found.length) throw invalid(title, ...new Map(found.map((each) => [detailText(each), each])).values());
  return Value.Clean(schema, Value.Clone(value)) as Static<S>;
}

/** PostgreSQL's texts and keys can't contain NUL characters or unpaired surrogates. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorable(entry));
}

function parse(bytes: Buffer): unknown {
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw invalid("Invalid request body", fieldThat("body", "must be valid JSON, encoded in UTF-8"));
  }
  return value;
}

/**
 * Removes properties that are named like a property of every object, in place. No schema has them, but they
 * would pass as known: a copy of the object would take the value of `__proto__` as its prototype, and its
 * properties without validation. Throws an AppError if the value is nested too deeply for recursive code.
 */
function removeInheritedNames(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nesting_count)
      throw invalid(
        "Invalid request body",
        fieldThat("body", `must not be nested more than ${nesting_count} levels deep`),
      );

    const next: unknown[] = [];
    for (const entry of level) {
      if (typeof entry !== "object" || entry === null) continue;
      for (const [name, child] of Object.entries(entry))
        if (name in Object.prototype) delete (entry as Record<string, unknown>)[name];
        else if (typeof child === "object") next.push(child);
    }
    level = next;
  }
}

function fieldError({ path, schema, value, errors }: ValueError): FieldError {
  const name = path.slice(1).replaceAll("/", ".") || "body";
  const that = (text: string) => fieldThat(name, text);
  if (value === undefined) return that("is required");
  const first = errors.flatMap((iterator) => [...iterator]);
  const choices: unknown[] | undefined = (schema.anyOf as TSchema[] | undefined)
    ?.map((choice) => choice.const)
    .filter((choice) => choice !== undefined);
  if (choices?.length) return that(`must be one of ${choices.join(", ")}`);

  // A nullable value.
  if ((schema.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== "null").length === 1 && first[0])
    return fieldError(first[0]);
  if (schema.anyOf && first.length) return that("doesn't match any allowed variant");
  const { minLength, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  if (value === "" && minLength === 1) return that("must not be empty");

  if (typeof value === "string" && schema.type === "string")
    return that(
      maxLength !== undefined && value.length > maxLength
        ? `must be at most ${maxLength} characters long`
        : minLength !== undefined && value.length < minLength
          ? `must be at least ${minLength} characters long`
          : "has an invalid format",
    );

  if (Array.isArray(value) && schema.type === "array")
    return that(
      minItems !== undefined && value.length < minItems
        ? `must contain at least ${minItems} ${minItems === 1 ? "item" : "items"}`
        : `must contain at most ${maxItems} items`,
    );

  const { minimum, maximum } = schema as Record<string, number | undefined>;
  if (typeof value === "number" && minimum !== undefined && maximum !== undefined)
    return that(
      `must be ${schema.type === "integer" ? "an integer" : "a number"} between ${minimum} and ${maximum}`,
    );
  return that(`must be ${/^[aeiou]/.test(String(schema.type)) ? "an" : "a"} ${schema.type ?? "valid value"}`);
}
