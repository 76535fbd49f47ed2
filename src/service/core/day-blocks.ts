/** Days, numbered from 1970-01-01 in UTC, and the blocks of them by which counts are kept. */
import { type RawBuilder, sql } from "kysely";

/** Counts are kept by whole days: every day of which the range holds a part counts. Milliseconds since 1970; `dateTo` is not part of it. */
export interface DateRange {
  dateFrom: number | undefined;
  dateTo: number | undefined;
}

export const day_ms = 86_400_000;

/** Lengths of the blocks, each of which begins at a multiple of its own. The migration knows them too. */
export const spans_days = [1, 4, 16, 64, 256] as const;

export function dayOf(time_ms: number): number {
  return Math.floor(time_ms / day_ms);
}

/** `2026-01-31` */
export function dayText(day: number): string {
  return new Date(day * day_ms).toISOString().slice(0, 10);
}

/** The days of a range: the first, and the one after the last. */
export function daysOf({ dateFrom, dateTo }: DateRange, now: number = Date.now()): { from: number; to: number } {
  const from = dateFrom === undefined ? 0 : dayOf(dateFrom);
  const isEmpty = dateFrom !== undefined && dateTo !== undefined && dateFrom >= dateTo;
  // Nothing is counted of days to come.
  const to = Math.min(dateTo === undefined ? Number.POSITIVE_INFINITY : Math.ceil(dateTo / day_ms), dayOf(now) + 1);
  return isEmpty || to <= from ? { from: 0, to: 0 } : { from, to };
}

/** The fewest blocks that hold the range and nothing else, as runs of blocks of one length. */
export function blocksOf(range: DateRange, now: number = Date.now()): { span: number; from: number; to: number }[] {
  const { from, to } = daysOf(range, now);
  // A block that reaches into days to come holds nothing of them.
  const longest = spans_days.at(-1)!;
  const end = to > dayOf(now) ? Math.ceil(to / longest) * longest : to;
  return cover(from, end, spans_days.length - 1);
}

function cover(from: number, to: number, place: number): { span: number; from: number; to: number }[] {
  if (from >= to) return [];
  const span = spans_days[place]!;
  const [first, last] = [Math.ceil(from / span) * span, Math.floor(to / span) * span];
  if (first >= last) return cover(from, to, place - 1);
  return [...cover(from, first, place - 1), { span, from: first, to: last }, ...cover(last, to, place - 1)];
}

/** Whether a row's block is one of the range's. Spelled out, so that each run of blocks is one range of the index. */
export function isInRange(range: DateRange): RawBuilder<boolean> {
  const runs = blocksOf(range).map(({ span, from, to }) => sql`span_days = ${span} and first_day >= ${from} and first_day < ${to}`);
  return runs.length ? sql`(${sql.join(runs, sql` or `)})` : sql`false`;
}
