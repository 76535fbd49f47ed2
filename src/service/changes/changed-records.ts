/** Reads the records of the change feed as they are now. */

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { canonicalJson } from "../../base/canonical-json.ts";
import { ulidTime } from "../../base/ulid.ts";
import type { FoundMessage } from "../conversations/find-conversations.ts";
import { dayText } from "../core/day-blocks.ts";
import type { Database, RecordType } from "../core/tables.ts";

export interface RecordKey {
  record_type: RecordType;
  record_id: string;
}

export interface RecordState {
  data: object;
  contentHash: Buffer;
  /** Null if the record has no rating. */
  ratingHash: Buffer | null;
  isResolved: boolean;
}

/** Returns the key of a record in the maps of this file. */
export function keyOf({ record_type, record_id }: RecordKey): string {
  return `${record_type} ${record_id}`;
}

function idsOf(keys: readonly RecordKey[], type: RecordType): string[] {
  return [
    ...new Set(keys.filter(({ record_type }) => record_type === type).map(({ record_id }) => record_id)),
  ];
}

/** Returns the approximate sizes of the records' texts, in bytes. Deleted records have none. */
export async function readSizes(
  db: Database,
  projectId: string,
  keys: readonly RecordKey[],
): Promise<Map<string, number>> {
  const { rows } = await sql<RecordKey & { bytes: number }>`
    select 'conversation' as record_type, id as record_id, octet_length(query) + octet_length(response) + octet_length(sources::text) as bytes
    from conversations where project_id = ${projectId} and is_finished and id = any(${idsOf(keys, "conversation")})
    union all
    select 'feedback', id, coalesce(octet_length(code), 0) + coalesce(octet_length(comment), 0)
    from feedback where project_id = ${projectId} and id = any(${idsOf(keys, "feedback")})`.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.bytes]));
}

/** Returns the records that exist, by key. */
export async function readRecords(
  db: Database,
  projectId: string,
  keys: readonly RecordKey[],
): Promise<Map<string, RecordState>> {
  const states = new Map<string, RecordState>();
  const add = (
    record_type: RecordType,
    record_id: string,
    data: object,
    rating: unknown,
    isResolved: boolean,
  ) =>
    states.set(keyOf({ record_type, record_id }), {
      data,
      contentHash: hashOf(data),
      ratingHash: rating === null ? null : hashOf(rating),
      isResolved,
    });

  for (const { id, data } of await readConversations(db, projectId, idsOf(keys, "conversation")))
    add("conversation", id, data, data.rating, data.isResolved);
  for (const data of await readFeedback(db, projectId, idsOf(keys, "feedback")))
    add("feedback", data.id, data, data.helpful, data.status === "resolved");
  for (const { id, data } of await readSearches(db, projectId, idsOf(keys, "search")))
    add("search", id, data, null, false);
  return states;
}

function hashOf(value: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(value)).digest();
}

async function readConversations(db: Database, projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<FoundMessage, "caller" | "handed_over_at"> & { is_resolved: boolean }>`
    select message.id, thread_id, query, response, response_type, sources, resolution_status, query_category, page_url,
      rating.helpful, rating.comment, decided.question_key is not null as is_resolved
    from conversations as message
    left join message_feedback as rating on rating.project_id = ${projectId} and rating.message_id = message.id
    left join question_groups as decided on decided.project_id = ${projectId} and decided.question_key = message.question_key
      and decided.status = 'resolved' and message.resolution_status = 'unanswered' and message.id <= decided.decision_id
    where message.project_id = ${projectId} and message.is_finished and message.id = any(${ids})`.execute(db);

  return rows.map((row) => ({
    id: row.id,
    data: {
      id: row.id,
      timestamp: timeOf(row.id),
      query: row.query,
      response: row.response,
      sources: row.sources.map(({ title, url }) => ({ title, url })),
      resolutionStatus: row.resolution_status,
      queryCategory: row.query_category,
      pageUrl: row.page_url,
      conversationId: row.thread_id,
      ...(row.response_type === null ? {} : { responseType: row.response_type }),
      rating: row.helpful === null ? null : { helpful: row.helpful, comment: row.comment },
      isResolved: row.is_resolved,
    },
  }));
}

async function readFeedback(db: Database, projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("feedback")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("id", "=", sql<string>`any(${ids})`)
    .execute();
  return rows.map(({ project_id: _, ...row }) => ({ ...row, createdAt: timeOf(row.id) }));
}

async function readSearches(db: Database, projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const recordId = sql<string>`search_record_id(first_day, query) collate "C"`;
  const rows = await db
    .selectFrom("search_queries")
    .select([
      recordId.as("id"),
      "first_day",
      "query",
      "hits",
      "api_hits",
      "without_results",
      "clicks",
      "last_at",
    ])
    .where("project_id", "=", projectId)
    .where("span_days", "=", sql.lit(1))
    .where(recordId, "=", sql<string>`any(${ids})`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    data: {
      day: dayText(row.first_day),
      searchQuery: row.query,
      hits: row.hits,
      apiHits: row.api_hits,
      withoutResults: row.without_results,
      clicks: row.clicks,
      lastSearchedAt: row.last_at?.toISOString() ?? null,
    },
  }));
}

function timeOf(id: string): string {
  return new Date(ulidTime(id)).toISOString();
}
