/**
 * Implements rate limits with a sliding window, stored in the database and shared by all processes. A single
 * SQL statement decides whether a request is admitted, using the database's clock.
 */

import { sql } from "kysely";
import type { Database } from "./tables.ts";

export interface SlidingWindow {
  name: string;
  quota: number;
  window_s: number;
}

export interface Admission {
  window: SlidingWindow;
  isAdmitted: boolean;
  remaining: number;
  /**
   * Seconds until the window has room for a refused request. For an admitted request, seconds until the
   * oldest counted one leaves the window.
   */
  reset_s: number;
  /** Removes the request from the count, for example if it failed with an internal error. */
  uncount(): Promise<void>;
}

/**
 * Quotas up to this number store the time of each request. Larger quotas store counts for this number of
 * slices of the window.
 */
const instants_count = 1_000;

/**
 * Admits and counts a request if fewer than `quota` requests were admitted in the current window. Refused
 * requests aren't counted.
 */
export async function admit(db: Database, subject: string, window: SlidingWindow): Promise<Admission> {
  const { quota, window_s } = window;
  const key = `${window.name}:${subject}`;
  const slice_s = quota <= instants_count ? 0 : window_s / instants_count;

  // Requests of a slice count until the end of the slice has left the window, so that no request expires too
  // early.
  const now =
    slice_s === 0
      ? sql`clock_timestamp()`
      : sql`to_timestamp(ceil(extract(epoch from clock_timestamp()) / ${slice_s}) * ${slice_s})`;

  const recent = sql`unnest(stored.hits, stored.counts) as past (hit, count) where hit > clock_timestamp() - ${window_s} * interval '1 second'`;
  const granted = await sql<{ count: number; hit: string; reset_s: number }>`
    insert into rate_windows as stored (subject, hits, counts, ends_at)
    values (${key}, array[${now}], array[1], clock_timestamp() + ${window_s} * interval '1 second')
    on conflict (subject) do update set ends_at = excluded.ends_at, (hits, counts) = (
      select array_agg(hit order by hit), array_agg(count order by hit) from (
        select hit, sum(count)::int as count from (select hit, count from ${recent} union all select excluded.hits[1], 1) as every group by hit
      ) as slices)
      where (select coalesce(sum(count), 0) from ${recent}) < ${quota}
    returning (select sum(count)::int from unnest(counts) count) as count, hits[cardinality(hits)]::text as hit,
      extract(epoch from hits[1] - clock_timestamp()) + ${window_s} as reset_s`.execute(db);

  const row = granted.rows[0];
  if (row) {
    const uncount = async () => {
      await sql`
        update rate_windows set (hits, counts) = (
          select coalesce(array_agg(hit order by hit), '{}'), coalesce(array_agg(count order by hit), '{}') from (
            select hit, count - (hit = ${row.hit}::timestamptz)::int as count from unnest(hits, counts) as past (hit, count)
          ) as remaining where count > 0)
        where subject = ${key}`.execute(db);
    };
    return {
      window,
      isAdmitted: true,
      remaining: quota - row.count,
      reset_s: seconds(row.reset_s, window),
      uncount,
    };
  }

  const stored = await sql<{ reset_s: number }>`
    select extract(epoch from max(hit) - clock_timestamp()) + ${window_s} as reset_s from (
      select hit, sum(count) over (order by hit desc) as later from rate_windows as stored, ${recent} and subject = ${key}
    ) as slices where later >= ${quota}`.execute(db);

  return {
    window,
    isAdmitted: false,
    remaining: 0,
    reset_s: seconds(stored.rows[0]?.reset_s ?? 1, window),
    async uncount() {},
  };
}

/** Deletes rows whose requests have all left the window. */
export async function sweepRates({ db }: { db: Database }): Promise<void> {
  await db.deleteFrom("rate_windows").where("ends_at", "<", sql<Date>`clock_timestamp()`).execute();
}

function seconds(value: number, { window_s }: SlidingWindow): number {
  return Math.min(window_s, Math.max(1, Math.ceil(value)));
}
