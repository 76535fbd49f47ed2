/**
 * Converts dates to days, numbered from 1970-01-01 in UTC, and to blocks of days. Counts are stored per
 * block, so that a long range needs few rows: a range is covered by the largest blocks that fit.
 */

import { type RawBuilder, sql } from "kysely";

/**
 * Date range in milliseconds since 1970. `dateTo` is exclusive. An undefined bound is open. A day that is
 * partly in the range counts as a whole.
 */
export interface DateRange {
  dateFrom: number | undefined;
  dateTo: number | undefined;
}

export const day_ms = 86_400_000;

/**
 * Lengths of the blocks in days. A block starts at a multiple of its length. A database migration contains
 * the same list.
 */
export const spans_days = [1, 4, 16, 64, 256] as const;

export function dayOf(time_ms: number): number {
  return Math.floor(time_ms / day_ms);
}

/** Formats a day as `2026-01-31`. */
export function dayText(day: number): string {
  return new Date(day * day_ms).toISOString().slice(0, 10);
}

/**
 * Returns the days of a range up to today: `from` inclusive, `to` exclusive. Both are 0 if there are none.
 */
export function daysOf(
  { dateFrom, dateTo }: DateRange,
  now: number = Date.now(),
): { from: number; to: number } {
  const from = dateFrom === undefined ? 0 : dayOf(dateFrom);
  const isEmpty = dateFrom !== undefined && dateTo !== undefined && dateFrom >= dateTo;
  // Future days have no counts.
  const to = Math.min(
    dateTo === undefined ? Number.POSITIVE_INFINITY : Math.ceil(dateTo / day_ms),
    dayOf(now) + 1,
  );
  return isEmpty || to <= from ? { from: 0, to: 0 } : { from, to };
}

/**
 * Covers the range with blocks that are as long as possible. Returns runs of blocks with the same length.
 * `from` and `to` are days. `to` is exclusive and may be in the future.
 */
export function blocksOf(
  range: DateRange,
  now: number = Date.now(),
): { span: number; from: number; to: number }[] {
  const { from, to } = daysOf(range, now);
  // A range that ends today may use blocks that end later: future days have no counts.
  const longest = spans_days.at(-1)!;
  const end = to > dayOf(now) ? Math.ceil(to / longest) * longest : to;
  return cover(from, end, spans_days.length - 1);
}

/** Covers the days of a range with blocks. `level`: index in `spans_days` of the longest block to use. */
function cover(from: number, to: number, level: number): { span: number; from: number; to: number }[] {
  if (from >= to) return [];
  const span = spans_days[level]!;
  const [first, last] = [Math.ceil(from / span) * span, Math.floor(to / span) * span];
  if (first >= last) return cover(from, to, level - 1);
  return [...cover(from, first, level - 1), { span, from: first, to: last }, ...cover(last, to, level - 1)];
}

/**
 * Returns an SQL condition for the rows of the blocks that cover the range. Each run of blocks is one range
 * in the index.
 */
export function inRangeSql(range: DateRange): RawBuilder<boolean> {
  const runs = blocksOf(range).map(
    ({ span, from, to }) => sql`span_days = ${span} and first_day >= ${from} and first_day < ${to}`,
  );
  return runs.length ? sql`(${sql.join(runs, sql` or `)})` : sql`false`;
}
