/**
 * Lists and deletes the assistant's messages. A message is a question and its answer. The messages of a
 * thread are a conversation. IDs are ULIDs.
 */

import { notFound } from "../../base/app-error.ts";
import { firstUlidAt, readUlid, ulidTime } from "../../base/ulid.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { forgetUnansweredQuestion } from "./unanswered-event.ts";

export interface ConversationQuery {
  /**
   * Date range, in milliseconds since 1970. `dateFrom` is inclusive, `dateTo` exclusive. Undefined means no
   * limit.
   */
  dateFrom: number | undefined;
  dateTo: number | undefined;
  limit: number;
  /** ID of the last row of the previous page. The row doesn't have to exist. */
  cursor: string | undefined;
}

/**
 * Lists finished messages, newest first. Dates are converted to bounds for the ID, so each page is one range
 * of an index. The cursor is an ID, so rows that are added while a client pages through the list don't shift
 * later pages.
 */
export async function listMessages(
  service: Service,
  scope: Scope,
  projectId: string,
  query: ConversationQuery,
) {
  const upper = [query.dateTo === undefined ? undefined : firstUlidAt(query.dateTo), query.cursor].filter(
    (bound) => bound !== undefined,
  );
  let rows = ownRows(service, scope, projectId).select(exported);
  if (upper.length) rows = rows.where("id", "<", upper.sort()[0]!);
  if (query.dateFrom !== undefined) rows = rows.where("id", ">=", firstUlidAt(query.dateFrom));
  const fetched = await rows
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  return { rows: fetched.slice(0, query.limit), hasMore: fetched.length > query.limit };
}

const exported = [
  "id",
  "thread_id",
  "query",
  "response",
  "response_type",
  "sources",
  "resolution_status",
  "query_category",
  "page_url",
] as const;

/** Selects finished messages of the project. Selects no rows for a project of another organization. */
function ownRows({ db }: Service, scope: Scope, projectId: string) {
  return (
    db
      .selectFrom("conversations")
      // Messages that are still being answered aren't visible.
      .where("is_finished", "=", true)
      .where("project_id", "=", ownProject(scope, projectId))
  );
}

/**
 * Deletes a message. If its answer is still being written, the answer isn't stored. Throws "not found" if
 * there is no such message.
 */
export async function deleteMessage(
  { db }: Service,
  scope: Scope,
  projectId: string,
  text: string,
): Promise<void> {
  const id = readUlid(text) ?? "";
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("conversations")
      .where("project_id", "=", ownProject(scope, projectId))
      .where("id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await forgetUnansweredQuestion(tx, projectId, id);
  });
}

export type MessageRow = Awaited<ReturnType<typeof listMessages>>["rows"][number];

/** Returns the time of a message in ISO 8601, from the message's ID. */
export function timestampOf({ id }: { id: string }): string {
  return new Date(ulidTime(id)).toISOString();
}
