/**
 * Imports conversations from NDJSON, whose lines have the format of exported conversations. The body is read
 * as a stream.
 */

import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { Value } from "@sinclair/typebox/value";
import { sql } from "kysely";
import { readInstant } from "../../base/instant.ts";
import { limits } from "../../base/limits.ts";
import { parseJson } from "../../base/parse-json.ts";
import { readUlid, ulidTime } from "../../base/ulid.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";
import { Conversation } from "./contract.ts";
import { questionKey } from "./question-key.ts";
import { questionTerms } from "./stored-question-terms.ts";

/** Maximum length of a line of an import, in characters. */
const importLine_chars = 1024 * 1024;
/** Maximum number of objects and arrays in a line. Answers can contain code. */
const lineValues_count = 20_000;
/** Maximum number of invalid lines that are reported individually. */
const importErrors_count = 1_000;

interface ImportResult {
  added: number;
  existing: number;
  failed: number;
  errors: { line: number; message: string }[];
}

interface NewRow {
  id: string;
  thread_id: string;
  query: string;
  response: string;
  response_type: string | null;
  sources: { title: string; url: string }[];
  resolution_status: string;
  query_category: string | null;
  page_url: string | null;
  question_terms: string[];
  question_key: string;
}

/**
 * Imports the valid lines and reports the others. Batches are committed one at a time, so importing the same
 * file again after an interruption adds the remaining lines. Throws "not found" unless the project belongs to
 * the organization.
 */
export async function importConversations(
  service: Service,
  scope: Scope,
  projectId: string,
  body: Readable,
): Promise<ImportResult> {
  await requireProject(service, scope, projectId);
  const result: ImportResult = { added: 0, existing: 0, failed: 0, errors: [] };
  let batch: NewRow[] = [];
  const write = async () => {
    const added = await insert(service, projectId, batch);
    result.added += added;
    result.existing += batch.length - added;
    batch = [];
  };

  let number = 0;
  for await (const line of linesOf(body)) {
    number++;
    if (line !== undefined && line.trim() === "") continue;
    const read =
      line === undefined ? `The line is longer than ${importLine_chars} characters` : readLine(line);
    if (typeof read === "object") {
      batch.push(read);
      if (batch.length >= limits.importBatch_count) await write();
      continue;
    }
    result.failed++;
    if (result.errors.length < importErrors_count) result.errors.push({ line: number, message: read });
  }

  if (batch.length) await write();
  if (result.added >= limits.importBatch_count) await updateStatistics(service, result.added);
  return result;
}

/**
 * Updates the statistics of messages if they don't include a tenth of them or more. Without statistics, the
 * database sorts all older messages for each page of the export.
 */
async function updateStatistics({ db }: Service, added: number): Promise<void> {
  const { rows } = await sql<{ known: number }>`
    select sum(greatest(reltuples, 0)) as known from pg_class
    where oid in (select relid from pg_partition_tree('conversations') where isleaf)`.execute(db);
  if (added * 10 >= rows[0]!.known) await sql`analyze conversations`.execute(db);
}

/**
 * Yields the lines of a stream. Yields undefined for a line that is too long, without buffering the whole
 * line.
 */
async function* linesOf(body: Readable): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isTooLong = false;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const parts = (rest + decoder.write(chunk)).split("\n");
    rest = parts.pop()!;
    for (const part of parts) {
      yield isTooLong || part.length > importLine_chars ? undefined : part;
      isTooLong = false;
    }
    if (rest.length > importLine_chars) {
      isTooLong = true;
      rest = "";
    }
  }

  rest += decoder.end();
  if (isTooLong) yield undefined;
  else if (rest !== "") yield rest;
}

/** Returns the row for a line, or an error message. */
function readLine(line: string): NewRow | string {
  let value: unknown;
  try {
    value = parseJson(line, lineValues_count);
  } catch {
    return "The line isn't a JSON object";
  }

  const error = Value.Errors(Conversation, value).First();
  if (error)
    return error.path === ""
      ? "The line isn't a JSON object"
      : `${error.path.slice(1).replaceAll("/", ".")} ${error.value === undefined ? "is required" : "has an invalid value"}`;

  const item = value as typeof Conversation.static;
  const id = readUlid(item.id);
  const thread = readUlid(item.conversationId ?? item.id);
  if (id === undefined) return "id must be a ULID";
  if (thread === undefined) return "conversationId must be a ULID";

  const instant = readInstant(item.timestamp);
  if (instant === undefined) return "timestamp must be an ISO 8601 date-time";
  if (instant !== ulidTime(id))
    return `timestamp doesn't match the timestamp in id, ${new Date(ulidTime(id)).toISOString()}`;

  const query = storable(item.query);
  return {
    id,
    thread_id: thread,
    query,
    response: storable(item.response),
    response_type: item.responseType ?? null,
    sources: item.sources.map(({ title, url }) => ({ title: storable(title), url: storable(url) })),
    resolution_status: item.resolutionStatus,
    query_category: item.queryCategory === null ? null : storable(item.queryCategory),
    page_url: item.pageUrl === null ? null : storable(item.pageUrl),
    question_terms: questionTerms(query),
    question_key: questionKey(query),
  };
}

/** Removes NUL characters and replaces lone surrogates, because PostgreSQL doesn't accept them. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/**
 * Inserts a batch with one statement, and returns the number of new rows. Rows whose ID already exists are
 * skipped.
 */
async function insert({ db }: Service, projectId: string, rows: readonly NewRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into conversations (project_id, id, thread_id, query, response, response_type, sources, resolution_status, query_category,
      page_url, question_terms, question_key)
    select ${projectId}, id, thread_id, query, response, response_type, sources, resolution_status, query_category,
      page_url, question_terms, question_key
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
      id text, thread_id text, query text, response text, response_type text, sources jsonb,
      resolution_status text, query_category text, page_url text, question_terms text[], question_key text)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}
