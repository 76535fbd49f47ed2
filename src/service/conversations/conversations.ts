/** Messages of the assistant: a row is one question with its answer; ids are in the order of time. The rows of a thread are a conversation. */

import { invalid, notFound } from "../../base/app-error.ts";
import { firstUlidAt, readUlid, ulidTime } from "../../base/ulid.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

export interface ConversationQuery {
  /** Milliseconds since 1970; `dateFrom` is part of the range, `dateTo` is not. */
  dateFrom: number | undefined;
  dateTo: number | undefined;
  limit: number;
  /** The id of the last row of the page before. Any id is a position, whether a row has it or not. */
  cursor: string | undefined;
}

/**
 * Newest first. Dates become bounds of the id, so that one range of one index answers, however deep the page lies.
 * Rows that arrive meanwhile have higher ids than every page that was read.
 */
export async function listMessages(service: Service, scope: Scope, projectId: string, query: ConversationQuery) {
  const upper = [query.dateTo === undefined ? undefined : firstUlidAt(query.dateTo), query.cursor].filter((bound) => bound !== undefined);
  let rows = ownRows(service, scope, projectId).select(exported);
  if (upper.length) rows = rows.where("id", "<", upper.sort()[0]!);
  if (query.dateFrom !== undefined) rows = rows.where("id", ">=", firstUlidAt(query.dateFrom));
  const found = await rows
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  return { rows: found.slice(0, query.limit), hasMore: found.length > query.limit };
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

/** The tenant is part of the query: another organization's project has no rows. */
function ownRows({ db }: Service, scope: Scope, projectId: string) {
  return (
    db
      .selectFrom("conversations")
      // Unanswered messages aren't visible yet.
      .where("is_finished", "=", true)
      .where("project_id", "=", ownProject(scope, projectId))
  );
}

/** All messages of the thread with this id, or of the thread that has the message with this id; oldest first. */
export async function getThread(service: Service, scope: Scope, projectId: string, text: string) {
  const id = readUlid(text);
  if (id === undefined) throw invalid("Invalid thread", "threadId must be a ULID");
  const message = await ownRows(service, scope, projectId).select("thread_id").where("id", "=", id).executeTakeFirst();
  const rows = await ownRows(service, scope, projectId)
    .select(exported)
    .where("thread_id", "=", message?.thread_id ?? id)
    .orderBy("id")
    .execute();
  if (rows.length === 0) throw notFound();
  return rows;
}

/** An answer that is still being written is discarded. */
export async function deleteMessage({ db }: Service, scope: Scope, projectId: string, text: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("conversations")
    .where("project_id", "=", ownProject(scope, projectId))
    .where("id", "=", readUlid(text) ?? "")
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

export type MessageRow = Awaited<ReturnType<typeof listMessages>>["rows"][number];

export function timestampOf({ id }: { id: string }): string {
  return new Date(ulidTime(id)).toISOString();
}
