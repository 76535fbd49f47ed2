/**
 * Lists and deletes the assistant's messages. A message is a question and its answer. The messages of a
 * thread are a conversation. IDs are ULIDs.
 */

import { sql } from "kysely";
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
  let rows = ownRows(service, scope, projectId);
  if (upper.length) rows = rows.where("id", "<", upper.sort()[0]!);
  if (query.dateFrom !== undefined) rows = rows.where("id", ">=", firstUlidAt(query.dateFrom));
  const sizes = await rows
    .select(["id", sql<number>`octet_length(response)`.as("bytes")])
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();

  let total_bytes = 0;
  const tooMany = sizes.findIndex(({ bytes }, index) => (total_bytes += bytes) > page_bytes && index > 0);
  const count = Math.min(query.limit, tooMany === -1 ? sizes.length : tooMany);
  if (count === 0) return { rows: [], hasMore: false };

  const page = await rows
    .select(exported)
    .where("id", ">=", sizes[count - 1]!.id)
    .orderBy("id", "desc")
    .limit(count)
    .execute();
  return { rows: page, hasMore: page.length > 0 && sizes.length > count };
}

/**
 * Maximum length of the answers on a page, in bytes. A page has at least one message, because an imported
 * answer can be as long as a line of the import.
 */
const page_bytes = 4_000_000;

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
