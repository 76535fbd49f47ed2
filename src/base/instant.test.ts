/** Dates and times of ISO 8601. */

import { expect, test } from "vitest";
import { parseInstant } from "./instant.ts";

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2026-01-31T10:00", "2026-01-31T10:00:00.000Z"],
  ["2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00.000Z"],
  ["2026-01-31T10:00:00-02:30", "2026-01-31T12:30:00.000Z"],
  ["20260131T100000.25Z", "2026-01-31T10:00:00.250Z"],
])("%s is %s", (text, expected) => {
  expect(new Date(parseInstant(text)!).toISOString()).toBe(expected);
});

test.each(["2026-02-30", "2026-01-31T25:00", "0000-01-01", "31 January 2026"])("%s is invalid", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
