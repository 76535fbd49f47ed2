/**
 * Reads the counts of views and visitors, and of views by referring host. The visitors of a range are the sum
 * of its daily visitors, so a visitor counts once per day.
 */

import { type RawBuilder, sql } from "kysely";
import { afterCursor, writeCountCursor } from "../core/count-cursor.ts";
import { type DateRange, daysOf, dayText, inRangeSql } from "../core/day-blocks.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

/**
 * Number of views or visitors. `human`: by people. `ai`: by AI agents. `total`: both. Search engines and
 * other programs aren't counted.
 */
export interface TrafficCounts {
  human: number;
  ai: number;
  total: number;
}

export interface CountsByPage {
  /** Counts of the whole site. */
  totals: TrafficCounts;
  /** Counts by page, highest totals first. */
  rows: (TrafficCounts & { path: string })[];
  nextCursor: string | null;
  hasMore: boolean;
}

export interface PageQuery extends DateRange {
  limit: number;
  offset?: number;
  cursor?: string | undefined;
}

export interface DayTraffic {
  /** Day in UTC, such as `2026-01-31`. */
  day: string;
  humanViews: number;
  aiViews: number;
  humanVisitors: number;
  aiVisitors: number;
}

export function viewsByPage(
  service: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  query: PageQuery,
): Promise<CountsByPage> {
  return countsByPage(service, scope, projectId, query, {
    human: sql.ref("human_views"),
    ai: sql.ref("ai_views"),
  });
}

export function visitorsByPage(
  service: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  query: PageQuery,
): Promise<CountsByPage> {
  return countsByPage(service, scope, projectId, query, {
    human: sql.ref("human_visitors"),
    ai: sql.ref("ai_visitors"),
  });
}

async function countsByPage(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  query: PageQuery,
  { human, ai }: Record<"human" | "ai", RawBuilder<unknown>>,
): Promise<CountsByPage> {
  const { limit, offset = 0, cursor } = query;
  const total = sql`sum(${human} + ${ai})`;
  const { from, to } = daysOf(query);
  const site = await sql<TrafficCounts>`
    select coalesce(sum(${human}), 0) as human, coalesce(sum(${ai}), 0) as ai, coalesce(sum(${human} + ${ai}), 0) as total
    from site_traffic where project_id = ${ownProject(scope, projectId)} and day >= ${from} and day < ${to}`.execute(
    db,
  );

  const pages = await sql<TrafficCounts & { path: string }>`
    select path, sum(${human}) as human, sum(${ai}) as ai, ${total} as total
    from page_traffic where project_id = ${ownProject(scope, projectId)} and ${inRangeSql(query)}
    group by path having ${total} > 0 and ${afterCursor(cursor, total, sql`path`)}
    order by total desc, path limit ${limit + 1} offset ${offset}`.execute(db);

  const rows = pages.rows.slice(0, limit);
  const hasMore = pages.rows.length > limit;
  const last = rows.at(-1);
  return {
    totals: site.rows[0]!,
    rows,
    nextCursor: hasMore && last ? writeCountCursor({ count: last.total, text: last.path }) : null,
    hasMore,
  };
}

/** Returns counts by day, oldest first. Omits days without views. */
export async function trafficByDay(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  range: DateRange,
): Promise<DayTraffic[]> {
  const { from, to } = daysOf(range);
  const rows = await db
    .selectFrom("site_traffic")
    .select(["day", "human_views", "ai_views", "human_visitors", "ai_visitors"])
    .where("project_id", "=", ownProject(scope, projectId))
    .where("day", ">=", from)
    .where("day", "<", to)
    .orderBy("day")
    .execute();

  return rows.map((row) => ({
    day: dayText(row.day),
    humanViews: row.human_views,
    aiViews: row.ai_views,
    humanVisitors: row.human_visitors,
    aiVisitors: row.ai_visitors,
  }));
}

/** Lists views by referring host, highest counts first. */
export async function referrers(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  { limit, ...range }: DateRange & { limit: number },
): Promise<{ host: string; views: number }[]> {
  const { from, to } = daysOf(range);
  const { rows } = await sql<{ host: string; views: number }>`
    select host, sum(views) as views from referrers
    where project_id = ${ownProject(scope, projectId)} and day >= ${from} and day < ${to}
    group by host order by views desc, host limit ${limit}`.execute(db);
  return rows;
}
