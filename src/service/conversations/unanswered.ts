/** Unanswered questions in groups of similar ones: most frequent first, then newest. */

import { sql } from "kysely";
import { firstUlidAt } from "../../base/ulid.ts";
import { type DateRange, day_ms, daysOf, dayText } from "../core/day-blocks.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";

/** Maximum number of daily counts that are added up for one page, newest first. About half a year of a busy project. */
const unansweredDays_count = 30_000;

export interface UnansweredQuery extends DateRange {
  limit: number;
  /** Number of groups before the page. */
  offset: number;
}

export interface UnansweredGroup {
  key: string;
  count: number;
  /** Ids of the first and the last message in the range. */
  first: string;
  last: string;
  /** Text of the last question, and URL of the page where its conversation began; null if unknown. */
  example: string;
  page_url: string | null;
}

export interface UnansweredGroups {
  groups: UnansweredGroup[];
  hasMore: boolean;
  /** First counted day, such as `2026-05-03`, if there are too many questions to count all days; otherwise undefined. */
  countedFrom: string | undefined;
}

export async function listUnanswered(
  service: Service,
  scope: Scope,
  projectId: string,
  { limit, offset, ...range }: UnansweredQuery,
): Promise<UnansweredGroups> {
  await requireProject(service, scope, projectId);
  const { from, to } = daysOf(range);
  const isOfGroup = sql`project_id = ${projectId} and message.question_key = groups.question_key and is_finished
    and resolution_status = 'unanswered' and id >= ${firstUlidAt(from * day_ms)} and id < ${firstUlidAt(to * day_ms)}`;
  const { rows } = await sql<UnansweredGroup & { counted_from: number | null }>`
    with counted as materialized (
      select * from unanswered_days where project_id = ${projectId} and day >= ${from} and day < ${to}
      order by day desc limit ${unansweredDays_count}
    ), groups as materialized (
      select question_key, sum(count) as count, max(day) as last_day from counted group by question_key
      order by 2 desc, 3 desc, 1 limit ${limit + 1} offset ${offset}
    )
    select question_key as key, groups.count, oldest.id as first, newest.id as last, newest.query as example, newest.page_url,
      (select case when count(*) = ${unansweredDays_count} then min(day) end from counted) as counted_from
    from groups
    cross join lateral (
      select id, query, page_url from conversations as message where ${isOfGroup} order by id desc limit 1
    ) as newest
    cross join lateral (select id from conversations as message where ${isOfGroup} order by id limit 1) as oldest
    order by groups.count desc, groups.last_day desc, groups.question_key`.execute(service.db);
  return {
    groups: rows.slice(0, limit).map(({ counted_from: _, ...group }) => group),
    hasMore: rows.length > limit,
    countedFrom: rows[0]?.counted_from == null ? undefined : dayText(rows[0].counted_from),
  };
}
