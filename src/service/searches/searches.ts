/**
 * Counts a site's searches and the results that readers clicked, by day and query. No data about visitors is
 * stored.
 */

import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { dayOf, spans_days } from "../core/day-blocks.ts";
import type { Service } from "../core/service.ts";
import type { Database, Tx } from "../core/tables.ts";

/** Maximum length of a counted search query, in characters. */
const searchQuery_chars = 200;
/**
 * Maximum number of distinct queries that are counted per site and day. Further queries are probably fake.
 */
const searchQueriesOfDay_count = 4_000;
/** Maximum number of distinct clicked pages that are counted per query and day. */
const searchClicksOfDay_count = 20;

export type SearchEvent = { query: string; resultsCount: number } | { query: string; clickedPath: string };

interface QueryCounts {
  hits: number;
  withoutResults: number;
  clicks: number;
  paths: string[];
}

/**
 * Adds searches and clicks to today's counts. Ignores empty queries. Does nothing if analytics are turned
 * off.
 */
export async function recordSearches(
  { db, settings }: Pick<Service, "db" | "settings">,
  projectId: string,
  caller: "web" | "api",
  events: readonly SearchEvent[],
): Promise<void> {
  const byQuery = new Map<string, QueryCounts>();
  for (const event of events) {
    const query = normalized(event.query);
    if (query === "") continue;
    const counts = byQuery.get(query) ?? { hits: 0, withoutResults: 0, clicks: 0, paths: [] };
    byQuery.set(query, counts);
    if ("clickedPath" in event) {
      counts.clicks++;
      counts.paths.push(event.clickedPath);
    } else {
      counts.hits++;
      if (event.resultsCount === 0) counts.withoutResults++;
    }
  }

  if (byQuery.size === 0 || !settings.hasAnalytics) return;
  const day = dayOf(Date.now());

  // Every transaction writes tables and rows in the same order, which avoids deadlocks.
  await db.transaction().execute(async (tx) => {
    await addQueries(tx, projectId, day, caller, byQuery);
    await addClicks(tx, projectId, day, byQuery);
    await addDay(tx, projectId, day, [...byQuery.values()]);
  });
}

/** Returns the query in lowercase with single spaces, truncated to the maximum length. */
function normalized(query: string): string {
  return query
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .toLowerCase()
    .slice(0, searchQuery_chars);
}

/**
 * Adds to the counts by query. The number of distinct queries per day is limited, but the counts of the day
 * (`addDay`) include all queries.
 */
async function addQueries(
  tx: Tx,
  projectId: string,
  day: number,
  caller: "web" | "api",
  byQuery: ReadonlyMap<string, QueryCounts>,
): Promise<void> {
  const counts = [...byQuery.values()];
  await sql`
    insert into search_queries as stored (project_id, span_days, first_day, query, hits, api_hits, without_results, clicks, last_at)
    select ${projectId}, span, ${day} / span * span, query, hits, case when ${caller} = 'api' then hits else 0 end, without_results, clicks,
      case when hits > 0 then clock_timestamp() end
    from unnest(${[...byQuery.keys()]}::text[], ${counts.map(({ hits }) => hits)}::integer[],
        ${counts.map(({ withoutResults }) => withoutResults)}::integer[], ${counts.map(({ clicks }) => clicks)}::integer[])
      as incoming (query, hits, without_results, clicks), unnest(${[...spans_days]}::integer[]) as span
    where exists (select from ${rowsOfDay(projectId, day)} and search_queries.query = incoming.query)
      or (select count(*) from ${rowsOfDay(projectId, day)}) < ${searchQueriesOfDay_count}
    order by span, query collate "C"
    on conflict (project_id, span_days, first_day, query) do update set
      hits = stored.hits + excluded.hits, api_hits = stored.api_hits + excluded.api_hits,
      without_results = stored.without_results + excluded.without_results, clicks = stored.clicks + excluded.clicks,
      last_at = greatest(stored.last_at, excluded.last_at)`.execute(tx);
}

function rowsOfDay(projectId: string, day: number) {
  return sql`search_queries where project_id = ${projectId} and span_days = 1 and first_day = ${day}`;
}

async function addClicks(
  tx: Tx,
  projectId: string,
  day: number,
  byQuery: ReadonlyMap<string, QueryCounts>,
): Promise<void> {
  const clicks = [...byQuery].flatMap(([query, { paths }]) => paths.map((path) => ({ query, path })));
  if (clicks.length === 0) return;
  const opened = sql`search_clicks where project_id = ${projectId} and search_clicks.query = incoming.query and span_days = 1 and first_day = ${day}`;
  await sql`
    insert into search_clicks as stored (project_id, query, span_days, first_day, path, clicks)
    select ${projectId}, query, span, ${day} / span * span, path, count(*)
    from unnest(${clicks.map(({ query }) => query)}::text[], ${clicks.map(({ path }) => path)}::text[]) as incoming (query, path),
      unnest(${[...spans_days]}::integer[]) as span
    where exists (select from ${rowsOfDay(projectId, day)} and search_queries.query = incoming.query)
      and (exists (select from ${opened} and search_clicks.path = incoming.path) or (select count(*) from ${opened}) < ${searchClicksOfDay_count})
    group by query, span, path order by query collate "C", span, path collate "C"
    on conflict (project_id, query, span_days, first_day, path) do update set clicks = stored.clicks + excluded.clicks`.execute(
    tx,
  );
}

async function addDay(tx: Tx, projectId: string, day: number, counts: readonly QueryCounts[]): Promise<void> {
  const sum = (name: "hits" | "withoutResults" | "clicks") => counts.reduce((all, one) => all + one[name], 0);
  await sql`
    insert into search_days as stored (project_id, day, hits, without_results, clicks)
    values (${projectId}, ${day}, ${sum("hits")}, ${sum("withoutResults")}, ${sum("clicks")})
    on conflict (project_id, day) do update set hits = stored.hits + excluded.hits,
      without_results = stored.without_results + excluded.without_results, clicks = stored.clicks + excluded.clicks`.execute(
    tx,
  );
}

/** Deletes counts that are too old, and rare queries of recent days. */
export async function sweepSearches({ db }: Pick<Service, "db">): Promise<void> {
  const today = dayOf(Date.now());
  const first = today - limits.countsKept_days;
  await sql`delete from search_queries where first_day + span_days <= ${first}`.execute(db);
  await sql`delete from search_clicks where first_day + span_days <= ${first}`.execute(db);
  await sql`delete from search_days where day < ${first}`.execute(db);
  const searched = await db
    .selectFrom("search_days")
    .select("project_id")
    .distinct()
    .where("day", ">=", today - 1)
    .execute();
  for (const { project_id } of searched) await dropRare(db, project_id, today - 1);
}

/**
 * Deletes rare queries, so that lists stay fast. Keeps only the most frequent queries of each block that ends
 * on or after the day.
 */
async function dropRare(db: Database, projectId: string, day: number): Promise<void> {
  const recentBlocks = sql`project_id = ${projectId} and first_day + span_days > ${day}`;
  await sql`
    delete from search_queries where project_id = ${projectId} and (span_days, first_day, query) in (
      select span_days, first_day, query from (
        select span_days, first_day, query, row_number() over (partition by span_days, first_day order by hits desc, last_at desc nulls last, query) as nth
        from search_queries where ${recentBlocks}
      ) as ranked where nth > ${limits.searchQueriesKept_count})`.execute(db);
  await sql`
    delete from search_clicks where ${recentBlocks} and not exists (
      select from search_queries query_row where query_row.project_id = search_clicks.project_id and query_row.span_days = search_clicks.span_days
        and query_row.first_day = search_clicks.first_day and query_row.query = search_clicks.query)`.execute(
    db,
  );
}
