/**
 * Lists groups of similar unanswered questions, and stores editors' decisions to assign, ignore or resolve
 * them.
 */

import { type RawBuilder, sql } from "kysely";
import { fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { firstUlidAt, readUlid } from "../../base/ulid.ts";
import { afterCursor, writeCountCursor } from "../core/count-cursor.ts";
import { type DateRange, day_ms, daysOf, dayText } from "../core/day-blocks.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";
import type { groupStatuses } from "./unanswered-contract.ts";

/**
 * Maximum number of daily counts that are added up for a list, newest first. About half a year for a busy
 * project.
 */
const unansweredDays_count = 30_000;

/** Number of a group's newest messages that the group's pages are collected from. */
const pageSample_count = 200;
const pages_count = 5;

/**
 * Status of a group. A resolved group becomes `open` again when one of its questions is asked again and isn't
 * answered.
 */
export type GroupStatus = (typeof groupStatuses)[number];

export interface UnansweredQuery extends DateRange {
  limit: number;
  cursor?: string | undefined;
  /** Number of groups before the page. */
  offset?: number;
  status?: GroupStatus | undefined;
  /** ID of the user that the groups are assigned to. */
  assigneeId?: string | undefined;
}

export interface UnansweredGroup {
  key: string;
  count: number;
  /** IDs of the first and last messages in the range. */
  first: string;
  last: string;
  /** Text of the last question. */
  example: string;
  /** Sections that the last answer linked to, best first. */
  sections: { title: string; url: string }[];
  /** Pages where readers asked the newest questions, most frequent first. */
  pages: { url: string; count: number }[];
  status: GroupStatus;
  /** Whether one of the questions was asked, and wasn't answered, after the group was resolved. */
  is_reopened: boolean;
  assignee: { id: string; name: string } | null;
  /** Path of the page that answers the questions; null if no editor entered one. */
  answer_path: string | null;
}

export interface UnansweredGroups {
  groups: UnansweredGroup[];
  nextCursor: string | null;
  hasMore: boolean;
  /**
   * First counted day, such as `2026-05-03`, if there are too many questions to count all days. Undefined
   * otherwise.
   */
  countedFrom: string | undefined;
}

/**
 * Lists groups, most frequent first, then newest. Throws "not found" unless the project belongs to the
 * organization.
 */
export async function listUnanswered(
  service: Service,
  scope: Scope,
  projectId: string,
  { limit, offset = 0, cursor, status, assigneeId, ...range }: UnansweredQuery,
): Promise<UnansweredGroups> {
  await requireProject(service, scope, projectId);
  const conditions = [
    ...(status === undefined ? [] : [sql`coalesce(decided.status, 'open') = ${status}`]),
    ...(assigneeId === undefined ? [] : [sql`decided.assignee_id = ${assigneeId}`]),
  ];
  return readGroups(service, projectId, range, { limit, offset, cursor, conditions });
}

/**
 * Returns the group of a question. Throws "not found" if there is no such unanswered question, or the group
 * has no questions in the range.
 */
export async function getUnanswered(
  service: Service,
  scope: Scope,
  projectId: string,
  questionId: string,
  range: DateRange,
): Promise<UnansweredGroup> {
  await requireProject(service, scope, projectId);
  const key = await groupOf(service, projectId, questionId);
  const { groups } = await readGroups(service, projectId, range, {
    limit: 1,
    offset: 0,
    conditions: [sql`counted.question_key = ${key}`],
  });
  if (!groups[0]) throw notFound();
  return groups[0];
}

/** Maximum number of a group's newest questions whose texts are compared, and maximum number of texts. */
const textSample_count = 200;
const texts_count = 6;

/**
 * Returns the texts of a group's questions, most frequent first. Texts that differ only in case and spaces
 * count as one.
 */
export async function textsOfGroup(
  { db }: Pick<Service, "db">,
  projectId: string,
  key: string,
  range: DateRange,
): Promise<string[]> {
  const { from, to } = daysOf(range);
  const { rows } = await sql<{ query: string }>`
    select min(query) as query from (
      select query from conversations where project_id = ${projectId} and question_key = ${key} and is_finished
        and resolution_status = 'unanswered' and id >= ${firstUlidAt(from * day_ms)} and id < ${firstUlidAt(to * day_ms)}
      order by id desc limit ${textSample_count}
    ) as sample group by lower(regexp_replace(btrim(query), '\\s+', ' ', 'g')) order by count(*) desc, 1 limit ${texts_count}`.execute(
    db,
  );
  return rows.map(({ query }) => query);
}

interface Selection {
  limit: number;
  offset: number;
  cursor?: string | undefined;
  /** Conditions on `counted` and `decided`. */
  conditions: RawBuilder<unknown>[];
}

/** Text that groups with the same count are ordered by: newest day first, then by key. */
const position = sql`(lpad((9999999 - max(day))::text, 7, '0') || ' ' || counted.question_key) collate "C"`;

async function readGroups(
  { db }: Service,
  projectId: string,
  range: DateRange,
  { limit, offset, cursor, conditions }: Selection,
) {
  const { from, to } = daysOf(range);
  const isOfGroup = sql`message.project_id = ${projectId} and message.question_key = groups.question_key and is_finished
    and resolution_status = 'unanswered' and message.id >= ${firstUlidAt(from * day_ms)} and message.id < ${firstUlidAt(to * day_ms)}`;
  const { rows } = await sql<UnansweredGroup & { counted_from: number | null; position: string }>`
    with counted as materialized (
      select * from unanswered_days where project_id = ${projectId} and day >= ${from} and day < ${to}
      order by day desc limit ${unansweredDays_count}
    ), decided as materialized (
      select question_key, assignee_id, answer_path, is_reopened,
        case when is_reopened then 'open' else question_groups.status end as status
      from question_groups cross join lateral (
        select question_groups.status = 'resolved' and exists (
          select from conversations as message where message.project_id = ${projectId} and is_finished
            and resolution_status = 'unanswered' and message.question_key = question_groups.question_key and message.id > decision_id
        ) as is_reopened
      ) as later
      where question_groups.project_id = ${projectId}
    ), groups as materialized (
      select counted.question_key, sum(count) as count, ${position} as position, assignee_id, answer_path,
        coalesce(decided.status, 'open') as status, coalesce(is_reopened, false) as is_reopened
      from counted left join decided on decided.question_key = counted.question_key
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      group by counted.question_key, assignee_id, answer_path, decided.status, is_reopened
      having ${afterCursor(cursor, sql`sum(count)`, position)}
      order by 2 desc, ${position} limit ${limit + 1} offset ${offset}
    )
    select groups.question_key as key, groups.count, groups.position, oldest.id as first, newest.id as last, newest.query as example,
      newest.sources as sections, pages.pages, groups.status, is_reopened, answer_path,
      (select json_build_object('id', id, 'name', name) from users where users.id = assignee_id) as assignee,
      (select case when count(*) = ${unansweredDays_count} then min(day) end from counted) as counted_from
    from groups
    cross join lateral (
      select id, query, sources from conversations as message where ${isOfGroup} order by id desc limit 1
    ) as newest
    cross join lateral (select id from conversations as message where ${isOfGroup} order by id limit 1) as oldest
    cross join lateral (
      select coalesce(json_agg(json_build_object('url', page_url, 'count', count) order by count desc, page_url), '[]') as pages from (
        select page_url, count(*)::int as count from (
          select page_url from conversations as message where ${isOfGroup} order by id desc limit ${pageSample_count}
        ) as sample where page_url is not null group by page_url order by 2 desc, 1 limit ${pages_count}
      ) as counts
    ) as pages
    order by groups.count desc, groups.position`.execute(db);

  const hasMore = rows.length > limit;
  const last = rows.slice(0, limit).at(-1);
  return {
    groups: rows.slice(0, limit).map(({ counted_from: _, position: __, ...group }) => group),
    nextCursor: hasMore && last ? writeCountCursor({ count: last.count, text: last.position }) : null,
    hasMore,
    countedFrom: rows[0]?.counted_from == null ? undefined : dayText(rows[0].counted_from),
  };
}

export interface GroupDecision {
  status: GroupStatus;
  assigneeId: string | null;
  /** Path of the page that answers the questions. Must be null unless the status is `resolved`. */
  answerPath: string | null;
}

/**
 * Stores a decision about a question's group. Replaces an earlier decision. Throws "not found" if there is no
 * such unanswered question, and an AppError if the decision isn't valid.
 */
export async function decideUnanswered(
  service: Service,
  scope: Scope,
  projectId: string,
  questionId: string,
  { status, assigneeId, answerPath }: GroupDecision,
): Promise<void> {
  await requireProject(service, scope, projectId);
  const key = await groupOf(service, projectId, questionId);
  if (assigneeId !== null) await requireMember(service, scope.organizationId, assigneeId);
  if (answerPath !== null && status !== "resolved")
    throw invalid("The questions weren't updated", "Only resolved questions can have a page with the answer");
  const decision = { status, assignee_id: assigneeId, answer_path: answerPath, decision_id: service.ulid() };
  await service.db
    .insertInto("question_groups")
    .values({ project_id: projectId, question_key: key, organization_id: scope.organizationId, ...decision })
    .onConflict((conflict) => conflict.columns(["project_id", "question_key"]).doUpdateSet(decision))
    .execute();
}

async function groupOf({ db }: Service, projectId: string, questionId: string): Promise<string> {
  const question = await db
    .selectFrom("conversations")
    .select("question_key")
    .where("project_id", "=", projectId)
    .where("id", "=", readUlid(questionId) ?? "")
    .where("is_finished", "=", true)
    .where("resolution_status", "=", "unanswered")
    .executeTakeFirst();
  if (!question?.question_key) throw notFound();
  return question.question_key;
}

async function requireMember({ db }: Service, organizationId: string, userId: string): Promise<void> {
  const member = await db
    .selectFrom("memberships")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!member)
    throw invalid(
      "The questions weren't updated",
      fieldThat("assignee", "isn't a member of the organization"),
    );
}
