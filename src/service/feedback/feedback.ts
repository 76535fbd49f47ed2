/** Lists readers' feedback on pages and code, counts it by page, and changes its status. */

import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import { firstUlidAt, readUlid } from "../../base/ulid.ts";
import { afterCursor, writeCountCursor } from "../core/count-cursor.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { FeedbackSource, FeedbackStatus } from "../core/tables.ts";

export interface FeedbackFilter {
  /**
   * Date range, in milliseconds since 1970. `dateFrom` is inclusive, `dateTo` exclusive. Undefined means no
   * limit.
   */
  dateFrom: number | undefined;
  dateTo: number | undefined;
  source: FeedbackSource | undefined;
  /** Matches feedback with any of these statuses; undefined for all. */
  status: readonly FeedbackStatus[] | undefined;
  limit: number;
}

export interface PageFeedbackCounts {
  path: string;
  thumbsUp: number;
  thumbsDown: number;
  /** Number of feedback entries on code. */
  code: number;
  total: number;
}

/**
 * Lists the project's feedback, newest first. `cursor`: ID of the last row on the previous page, which
 * doesn't have to exist; undefined for the first page.
 */
export async function listFeedback(
  service: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  query: FeedbackFilter & { cursor: string | undefined },
) {
  let rows = matching(service, scope, projectId, query).selectAll();
  if (query.cursor !== undefined) rows = rows.where("id", "<", query.cursor);
  const fetched = await rows
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  return { rows: fetched.slice(0, query.limit), hasMore: fetched.length > query.limit };
}

export type FeedbackRow = Awaited<ReturnType<typeof listFeedback>>["rows"][number];

/** Counts feedback by page. Returns pages with the most feedback first. */
export async function feedbackByPage(
  service: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  query: FeedbackFilter & { cursor?: string | undefined },
): Promise<{ rows: PageFeedbackCounts[]; nextCursor: string | null; hasMore: boolean }> {
  const found = await matching(service, scope, projectId, query)
    .select((count) => [
      "path",
      count.fn.countAll<number>().filterWhere("helpful", "=", true).as("thumbsUp"),
      count.fn.countAll<number>().filterWhere("helpful", "=", false).as("thumbsDown"),
      count.fn.countAll<number>().filterWhere("source", "=", "code_snippet").as("code"),
      count.fn.countAll<number>().as("total"),
    ])
    .groupBy("path")
    .having(afterCursor(query.cursor, sql`count(*)`, sql`path`))
    .orderBy("total", "desc")
    .orderBy("path")
    .limit(query.limit + 1)
    .execute();

  const rows = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: hasMore && last ? writeCountCursor({ count: last.total, text: last.path }) : null,
    hasMore,
  };
}

function matching({ db }: Pick<Service, "db">, scope: Scope, projectId: string, filter: FeedbackFilter) {
  const { dateFrom, dateTo, source, status } = filter;
  let rows = db.selectFrom("feedback").where("project_id", "=", ownProject(scope, projectId));
  if (dateFrom !== undefined) rows = rows.where("id", ">=", firstUlidAt(dateFrom));
  if (dateTo !== undefined) rows = rows.where("id", "<", firstUlidAt(dateTo));
  if (source !== undefined) rows = rows.where("source", "=", source);
  if (status !== undefined) rows = rows.where("status", "=", sql<FeedbackStatus>`any(${[...status]})`);
  return rows;
}

/**
 * Sets the status of a feedback entry. All transitions are allowed. Throws "not found" if there is no such
 * entry.
 */
export async function setFeedbackStatus(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  id: string,
  status: FeedbackStatus,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("feedback")
    .set({ status })
    .where("project_id", "=", ownProject(scope, projectId))
    .where("id", "=", readUlid(id) ?? "")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}
