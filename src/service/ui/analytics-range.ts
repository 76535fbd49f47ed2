/**
 * Reads the date range of a dashboard page from the URL's query parameters: the last `days` days (default:
 * 30), or `from` and `to`.
 */

import { day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import type { RangeView } from "./kit/range.tsx";

export interface AnalyticsRange extends RangeView {
  /** Milliseconds since 1970; `dateTo` is exclusive. */
  dateFrom: number;
  dateTo: number;
}

const default_days = 30;
/** Maximum length of a range. The start of a longer range is moved. */
const maximum_days = 36_500;

export function rangeOf(url: URL, now: number = Date.now()): AnalyticsRange {
  const today = dayOf(now);
  const days = /^[1-9]\d{0,4}$/.test(url.searchParams.get("days") ?? "")
    ? Number(url.searchParams.get("days"))
    : default_days;
  const last = readDay(url.searchParams.get("to")) ?? today;
  const first = Math.max(readDay(url.searchParams.get("from")) ?? last - days + 1, last - maximum_days + 1);
  const isChosen = url.searchParams.get("from") || url.searchParams.get("to");
  return {
    from: dayText(first),
    to: dayText(last),
    days: isChosen ? undefined : days,
    dateFrom: first * day_ms,
    dateTo: (last + 1) * day_ms,
  };
}

/** Returns the number of the day. Undefined if the text isn't a date. */
function readDay(text: string | null): number | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : dayOf(time);
}
