/**
 * Inserts page views, searches and feedback for 400 days. A few pages have most of the views, and most
 * queries are rare.
 */

import type { Client } from "pg";
import { limits } from "../src/base/limits.ts";
import { firstUlidAt } from "../src/base/ulid.ts";
import { dayOf, spans_days } from "../src/service/core/day-blocks.ts";

export interface TrafficSize {
  views: number;
  pages: number;
  searches: number;
  /** Distinct queries. */
  queries: number;
  feedback: number;
}

const days_count = 400;

/** Creates the temporary table `beginnings` with ID prefixes, one for each period of about nine hours. */
export async function makeIdBeginnings(client: Client): Promise<void> {
  const letters = 5;
  const step_ms = 32 ** letters;
  const last = Math.floor(Date.now() / step_ms);
  const first = Math.floor((Date.now() - (days_count - 1) * 86_400_000) / step_ms);
  const beginnings = Array.from({ length: last - first }, (_, step) =>
    firstUlidAt((first + step) * step_ms).slice(0, letters),
  );
  await client.query(
    "create temporary table beginnings as select (ord - 1)::integer as place, text from unnest($1::text[]) with ordinality as made (text, ord)",
    [beginnings],
  );
}

/**
 * SQL condition for a join with `beginnings`, and SQL expression for the ID of row `n`. The IDs are spread
 * over all days.
 */
export const isBeginning = "place = n % (select count(*) from beginnings)";
export const idOfRow = "text || upper(substr(md5(n::text), 1, 21))";

/** Inserts the rows with deterministic random numbers. Call `makeIdBeginnings` first. */
export async function fillTraffic(
  client: Client,
  projectId: string,
  { views, pages, searches, queries, feedback }: TrafficSize,
): Promise<void> {
  const first = dayOf(Date.now()) - days_count + 1;
  const run = (text: string, ...values: unknown[]) => client.query(text, [projectId, ...values]);
  await client.query("select setseed(0.5)");
  await client.query(
    `create temporary table seen as select $1::integer + floor(random() * ${days_count})::integer as day,
      '/guides/page-' || floor($3 * power(random(), 3)) as path, random() < 0.2 as is_ai from generate_series(1, $2::integer)`,
    [first, views, pages],
  );
  await run(`insert into page_traffic select $1, 1, day, path, count(*) filter (where not is_ai), count(*) filter (where is_ai),
    ceil(count(*) filter (where not is_ai) * 0.8), ceil(count(*) filter (where is_ai) * 0.5) from seen group by day, path order by day`);
  for (const span of spans_days.slice(1))
    await run(
      `insert into page_traffic select $1, $2::integer, first_day / $2::integer * $2::integer, path, sum(human_views), sum(ai_views),
        sum(human_visitors), sum(ai_visitors) from page_traffic where project_id = $1 and span_days = 1 group by 3, path order by 3`,
      span,
    );
  await run(`insert into site_traffic select $1, first_day, sum(human_views), sum(ai_views), sum(human_visitors) / 3, sum(ai_visitors) / 3
    from page_traffic where project_id = $1 and span_days = 1 group by first_day`);
  await run(
    `insert into referrers select $1, day, 'site-' || host || '.example', 1 + (100 / (host + 1)) from generate_series($2::integer, $2::integer + ${days_count - 1}) day,
      generate_series(0, 199) host`,
    first,
  );
  await client.query("drop table seen");
  await client.query(
    `create temporary table searched as select $1::integer + floor(random() * ${days_count})::integer as day,
      'how do i set up number ' || floor($3 * power(random(), 4)) as query, random() < 0.1 as is_empty, random() < 0.4 as is_clicked
      from generate_series(1, $2::integer)`,
    [first, searches, queries],
  );
  for (const span of spans_days)
    await run(
      `insert into search_queries select $1, $2::integer, day / $2::integer * $2::integer, query, count(*), 0, count(*) filter (where is_empty),
        count(*) filter (where is_clicked), to_timestamp(max(day) * 86400) from searched group by 3, query order by 3`,
      span,
    );
  // Deletes the rows that the service's cleanup job would delete.
  await run(
    `delete from search_queries where ctid = any(array(select ctid from (
      select ctid, row_number() over (partition by span_days, first_day order by hits desc, query) as place
      from search_queries where project_id = $1) ranked where place > $2::integer))`,
    limits.searchQueriesKept_count,
  );
  await client.query("vacuum analyze search_queries");
  for (const span of spans_days)
    await run(
      `insert into search_clicks select $1, query, $2::integer, day / $2::integer * $2::integer, '/guides/page-' || (length(query) % 5), count(*)
        from searched where is_clicked and exists (select from search_queries kept where project_id = $1 and span_days = $2::integer
          and first_day = day / $2::integer * $2::integer and kept.query = searched.query) group by query, 4, 5`,
      span,
    );
  await run(`insert into search_days select $1, day, count(*), count(*) filter (where is_empty), count(*) filter (where is_clicked)
    from searched group by day`);
  await client.query("drop table searched");
  await run(
    `insert into feedback (project_id, id, path, source, status, helpful, comment)
      select $1, ${idOfRow}, '/guides/page-' || (n % $3::integer), 'contextual',
        (array['pending', 'resolved', 'dismissed'])[1 + n % 3], n % 4 > 0, 'Words on page ' || n from generate_series(1, $2::integer) n join beginnings on ${isBeginning}`,
    feedback,
    pages,
  );
  await client.query("vacuum analyze");
}
