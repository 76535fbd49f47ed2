/** Parses dates in ISO 8601 formats, with or without a time. */

import { lastInstant_ms } from "./ulid.ts";

const offset = String.raw`(?:[Zz]|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3])(?::?(?<offsetMinute>[0-5]\d))?)?`;

/**
 * Patterns for ISO 8601's extended format (`2026-01-31T10:00:00Z`) and basic format (`20260131T100000Z`). The
 * time is optional.
 */
export const instantGrammars = [
  ["-", ":"],
  ["", ""],
].map(([dash, colon]) => {
  const date = String.raw`(?<year>\d{4})${dash}(?<month>0[1-9]|1[0-2])${dash}(?<day>0[1-9]|[12]\d|3[01])`;
  const time = String.raw`(?<hour>[01]\d|2[0-3])(?:${colon}(?<minute>[0-5]\d)(?:${colon}(?<second>[0-5]\d)(?<fraction>\.\d{1,12})?)?)?`;
  return new RegExp(`^${date}(?:[Tt]${time}${offset})?$`);
});

/** Like `parseInstant`, but also returns undefined before 1970 and after 9999. */
export function readInstant(text: string): number | undefined {
  const value = parseInstant(text);
  return value !== undefined && value >= 0 && value <= lastInstant_ms ? value : undefined;
}

/**
 * Returns a date as milliseconds since 1970; undefined if the text is invalid. A date without a time is the
 * start of that day, and a time without an offset is in UTC. Stricter than `Date.parse`, which accepts
 * nonstandard formats.
 */
export function parseInstant(text: string): number | undefined {
  if (text.length > 64) return undefined;
  const parts = instantGrammars
    .map((grammar) => grammar.exec(text)?.groups)
    .find((groups) => groups !== undefined);
  if (!parts) return undefined;

  const number = (name: string) => Number(parts[name] ?? 0);
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map(
    number,
  ) as [number, number, number, number, number, number];
  if (year < 1) return undefined;

  const start = new Date(0);

  // `Date.UTC` maps years below 100 to the 20th century.
  start.setUTCFullYear(year, month - 1, day);
  if (start.getUTCMonth() !== month - 1 || start.getUTCDate() !== day) return undefined;
  const milliseconds = Math.trunc(Number(parts.fraction ?? 0) * 1_000);
  const offset_minutes = (parts.sign === "-" ? -1 : 1) * (number("offsetHour") * 60 + number("offsetMinute"));
  return start.getTime() + (hour * 60 + minute - offset_minutes) * 60_000 + second * 1_000 + milliseconds;
}
