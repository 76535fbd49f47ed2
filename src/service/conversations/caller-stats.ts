/**
 * Counts messages by source: readers of the site (`web`), the API (`api`) or imports (`other`). Whole days
 * are read from the daily counts, so only messages of the days on which a range starts and ends are counted
 * one by one.
 */

import { sql } from "kysely";
import { firstUlidAt } from "../../base/ulid.ts";
import { type DateRange, day_ms } from "../core/day-blocks.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

export interface CallerStats {
  web: number;
  api: number;
  other: number;
  total: number;
}

/**
 * Counts the finished messages in exactly this range: unlike other counts, part of a day isn't counted as a
 * whole day.
 */
export async function callerStats(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  range: DateRange,
): Promise<CallerStats> {
  const { firstDay, endDay, parts } = daysAndParts(range);
  const project = ownProject(scope, projectId);
  const counts = [
    sql`select caller, count from conversation_days where project_id = ${project} and day >= ${firstDay} and day < ${endDay}`,
    ...parts.map(
      ({ from, to }) => sql`select caller, count(*) from conversations
        where project_id = ${project} and id >= ${firstUlidAt(from)} and id < ${firstUlidAt(to)} and is_finished group by caller`,
    ),
  ];

  const { rows } = await sql<{ caller: "web" | "api" | "other"; messages: number }>`
    select caller, sum(count) as messages from (${sql.join(counts, sql` union all `)}) as counts (caller, count) group by caller`.execute(
    db,
  );

  const {
    web = 0,
    api = 0,
    other = 0,
  } = Object.fromEntries(rows.map(({ caller, messages }) => [caller, messages]));

  return { web, api, other, total: web + api + other };
}

/** Number of days since 1970 that the 48 bits of an ID's time can express. */
const allDays_count = Math.ceil(2 ** 48 / day_ms);

/**
 * Splits a range into whole days, `endDay` exclusive, and the parts of days at its start and end, in
 * milliseconds since 1970.
 */
function daysAndParts({ dateFrom, dateTo }: DateRange) {
  const [start, end] = [Math.max(dateFrom ?? 0, 0), Math.max(dateTo ?? allDays_count * day_ms, 0)];
  const [firstDay, endDay] = [Math.ceil(start / day_ms), Math.floor(end / day_ms)];
  const ofDays = [
    { from: start, to: firstDay * day_ms },
    { from: endDay * day_ms, to: end },
  ];
  const parts = firstDay > endDay ? [{ from: start, to: end }] : ofDays;
  return { firstDay, endDay, parts: parts.filter(({ from, to }) => from < to) };
}
