import { expect, test } from "vitest";
import { rangeOf } from "./analytics-range.ts";

const now = Date.parse("2026-05-10T12:00:00Z");

test.each([
  ["", "2026-04-11", "2026-05-10", 30],
  ["days=7", "2026-05-04", "2026-05-10", 7],
  ["from=2026-05-01", "2026-05-01", "2026-05-10", undefined],
  ["from=2026-02-01&to=2026-02-28", "2026-02-01", "2026-02-28", undefined],
  ["from=yesterday", "2026-04-11", "2026-05-10", undefined],
])("%s", (query, from, to, days) => {
  expect(rangeOf(new URL(`https://docs.example/?${query}`), now)).toMatchObject({ from, to, days });
});

test("a range has at most 36,500 days", () => {
  const { from, to, dateFrom, dateTo } = rangeOf(
    new URL("https://docs.example/?from=0001-01-01&to=9999-12-31"),
    now,
  );
  expect([from, to, (dateTo - dateFrom) / 86_400_000]).toEqual(["9900-01-25", "9999-12-31", 36_500]);
});
