/** Reads the search counts: by query and by day. Queries are in lowercase. */

import { sql } from "kysely";
import { afterCursor, writeCountCursor } from "../core/count-cursor.ts";
import { type DateRange, daysOf, dayText, inRangeSql } from "../core/day-blocks.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

export interface TopSearch {
  searchQuery: string;
  /** Number of searches. */
  hits: number;
  /** Click-through rate: clicks on results divided by readers' searches, at most 1. */
  ctr: number;
  /** Path of the page that was clicked most often; null if no result was clicked. */
  topClickedPage: string | null;
  lastSearchedAt: Date;
}

export interface DaySearches {
  /** Day in UTC, such as `2026-01-31`. */
  day: string;
  hits: number;
  withoutResults: number;
  /** Number of clicks on results. */
  clicks: number;
}

/**
 * Lists queries, most frequent first. `totalSearches`: number of all searches in the range.
 */
export async function topSearches(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  { limit, cursor, ...range }: DateRange & { limit: number; cursor: string | undefined },
): Promise<{ searches: TopSearch[]; totalSearches: number; nextCursor: string | null; hasMore: boolean }> {
  const project = ownProject(scope, projectId);
  const { from, to } = daysOf(range);
  const all = await sql<{ hits: number }>`
    select coalesce(sum(hits), 0) as hits from search_days
    where project_id = ${project} and day >= ${from} and day < ${to}`.execute(db);

  const { rows } = await sql<{
    query: string;
    hits: number;
    api_hits: number;
    clicks: number;
    last_at: Date;
  }>`
    select query, sum(hits) as hits, sum(api_hits) as api_hits, sum(clicks) as clicks, max(last_at) as last_at
    from search_queries where project_id = ${project} and ${inRangeSql(range)} group by query
    having sum(hits) > 0 and ${afterCursor(cursor, sql`sum(hits)`, sql`query`)}
    order by hits desc, query limit ${limit + 1}`.execute(db);

  const shown = rows.slice(0, limit);
  const clicked = await sql<{ query: string; path: string }>`
    select distinct on (query) query, path
    from search_clicks where project_id = ${project} and ${inRangeSql(range)} and query = any(${shown.map(({ query }) => query)})
    group by query, path order by query, sum(clicks) desc, path`.execute(db);

  const pages = new Map(clicked.rows.map(({ query, path }) => [query, path]));
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    searches: shown.map(({ query, hits, api_hits, clicks, last_at }) => ({
      searchQuery: query,
      hits,
      ctr: hits > api_hits ? Math.min(1, clicks / (hits - api_hits)) : 0,
      topClickedPage: pages.get(query) ?? null,
      lastSearchedAt: last_at,
    })),
    totalSearches: all.rows[0]!.hits,
    nextCursor: last && hasMore ? writeCountCursor({ count: last.hits, text: last.query }) : null,
    hasMore,
  };
}

/** Lists queries that had searches without results, most frequent first. */
export async function searchesWithoutResults(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  { limit, ...range }: DateRange & { limit: number },
): Promise<{ searchQuery: string; withoutResults: number; hits: number; lastSearchedAt: Date }[]> {
  const { rows } = await sql<{
    searchQuery: string;
    withoutResults: number;
    hits: number;
    lastSearchedAt: Date;
  }>`
    select query as "searchQuery", sum(without_results) as "withoutResults", sum(hits) as hits, max(last_at) as "lastSearchedAt"
    from search_queries where project_id = ${ownProject(scope, projectId)} and ${inRangeSql(range)} and without_results > 0
    group by query order by "withoutResults" desc, query limit ${limit}`.execute(db);
  return rows;
}

/** Returns counts by day, oldest first. Omits days without searches. */
export async function searchesByDay(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  range: DateRange,
): Promise<DaySearches[]> {
  const { from, to } = daysOf(range);
  const rows = await db
    .selectFrom("search_days")
    .select(["day", "hits", "without_results", "clicks"])
    .where("project_id", "=", ownProject(scope, projectId))
    .where("day", ">=", from)
    .where("day", "<", to)
    .orderBy("day")
    .execute();

  return rows.map(({ day, without_results, ...row }) => ({
    day: dayText(day),
    withoutResults: without_results,
    ...row,
  }));
}
