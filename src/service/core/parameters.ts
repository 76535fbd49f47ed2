/** Defines types of query parameters, each with a strict grammar, an error message and a JSON Schema. */

import { parseInstant } from "../../base/instant.ts";
import { lastInstant_ms, readUlid } from "../../base/ulid.ts";
import { describedTime, describedUlid } from "./described.ts";

export interface QueryParameter<T> {
  description: string;
  schema: Record<string, unknown>;
  /** Whether the value is a comma-separated list. Other values must not contain commas. */
  isList?: true;
  /**
   * Returns the value, or an error message that follows the parameter's name. `text` is undefined if the
   * parameter is absent.
   */
  read(text: string | undefined): { value: T } | { message: string };
}

export type QueryParameters = Record<string, QueryParameter<unknown>>;

export type QueryOf<Q extends QueryParameters> = {
  [Name in keyof Q]: Q[Name] extends QueryParameter<infer T> ? T : never;
};

export function integer(
  description: string,
  { minimum, maximum, ...rest }: { minimum: number; maximum: number; default: number },
): QueryParameter<number> {
  const error = { message: `must be an integer between ${minimum} and ${maximum}` };
  return {
    description,
    schema: { type: "integer", minimum, maximum, default: rest.default },
    read(text) {
      if (text === undefined) return { value: rest.default };
      if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) return error;
      const value = Number(text);
      return value >= minimum && value <= maximum ? { value } : error;
    },
  };
}

/** Like `integer`, but undefined if the parameter is absent. */
export function optionalInteger(
  description: string,
  range: { minimum: number; maximum: number },
): QueryParameter<number | undefined> {
  const { schema, read } = integer(description, { ...range, default: range.maximum });
  const { default: _, ...rest } = schema;
  return {
    description,
    schema: rest,
    read: (text) => (text === undefined ? { value: undefined } : read(text)),
  };
}

/**
 * Creates a parameter for a ULID. `message`: the error for other texts, which follows the name of the
 * parameter.
 */
export function ulidParameter(description: string, message: string): QueryParameter<string | undefined> {
  return {
    description,
    schema: { type: "string", ...describedUlid, minLength: 26, maxLength: 26 },
    read(text) {
      const value = text === undefined ? undefined : readUlid(text);
      return text !== undefined && value === undefined ? { message } : { value };
    },
  };
}

/** Error message for an invalid cursor, without the parameter's name. */
export const invalidCursor = "must be a `nextCursor` from an earlier response";

/** Cursor of a list: the ID of the previous page's last item. */
export const listCursor = ulidParameter("`nextCursor` from the previous page.", invalidCursor);

/** Creates a parameter whose value is one of the given values. */
export function choice<const T extends string>(
  description: string,
  values: readonly T[],
): QueryParameter<T | undefined> {
  return {
    description,
    schema: { type: "string", enum: values },
    read(text) {
      const value = values.find((known) => known === text);
      return text !== undefined && value === undefined
        ? { message: `must be one of ${values.join(", ")}` }
        : { value };
    },
  };
}

/** Creates a parameter whose value is one or more of the given values, separated by commas. */
export function choices<const T extends string>(
  description: string,
  values: readonly T[],
): QueryParameter<T[] | undefined> {
  const valuePattern = `(?:${values.join("|")})`;
  return {
    description,
    schema: {
      type: "string",
      pattern: `^${valuePattern}(?:,${valuePattern})*$`,
      examples: [values.slice(0, 2).join(",")],
    },
    isList: true,
    read(text) {
      if (text === undefined) return { value: undefined };
      const listed = text.split(",");
      const value = values.filter((known) => listed.includes(known));
      return listed.every((name) => value.some((known) => known === name))
        ? { value }
        : { message: `must be one or more of ${values.join(", ")}, separated by commas` };
    },
  };
}

/**
 * Creates a parameter whose value is a cursor from an earlier response. Each text that matches `pattern` must
 * be valid.
 */
export function cursorParameter(description: string, pattern: RegExp): QueryParameter<string | undefined> {
  return {
    description,
    schema: { type: "string", pattern: pattern.source },
    read: (text) => (text === undefined || pattern.test(text) ? { value: text } : { message: invalidCursor }),
  };
}

/**
 * Creates a parameter for a date or date-time, read as milliseconds since 1970. A date is the start of its
 * day in UTC. A time without an offset is in UTC. Values before 1970 become 0, and values after the year 9999
 * become `lastInstant_ms`.
 */
export function instant(description: string): QueryParameter<number | undefined> {
  return {
    description,
    schema: {
      type: "string",
      ...describedTime,
      examples: ["2026-01-31", "2026-01-31T08:00:00Z", "20260131T0800-0200"],
    },
    read(text) {
      if (text === undefined) return { value: undefined };
      const value = parseInstant(text);
      if (value !== undefined) return { value: Math.min(Math.max(value, 0), lastInstant_ms) };
      // A raw plus sign arrives as a space.
      return /^[^ ]+ \d\d(?::?\d\d)?$/.test(text)
        ? { message: "contains a space before the offset. Encode + as %2B." }
        : { message: "must be a date (YYYY-MM-DD) or an ISO 8601 date-time" };
    },
  };
}
