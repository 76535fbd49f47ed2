/**
 * Finds messages by any combination of filters, newest first. A GIN index contains the facets of every
 * message, including prefixes of its ID, which correspond to periods of time. A search looks up one period
 * after the other, each with one index lookup: short periods if matches are frequent, long periods if they
 * are rare. A search that takes too long returns a cursor to continue from.
 */

import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import { firstUlidAt, readUlid, ulidPrefixes } from "../../base/ulid.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";
import { questionTerms } from "./stored-question-terms.ts";

/** Time limit of a search. When it's reached, the search returns the results so far and a cursor. */
const conversationSearch_ms = 60;
/** Maximum number of rated messages that one search reads. */
const ratedMessages_count = 2_000;

export interface ConversationFilters {
  /**
   * Date range, in milliseconds since 1970. `dateFrom` is inclusive, `dateTo` exclusive. Undefined means no
   * limit.
   */
  dateFrom?: number;
  dateTo?: number;
  status?: "answered" | "unanswered";
  /** An empty string selects messages without a category. */
  category?: string;
  /** Path or URL of the page where the conversation began. */
  page?: string;
  caller?: "web" | "api" | "other";
  /** Search text. The question must contain all of its words except stop words, in any inflection. */
  text?: string;
  /** Key of a group of similar unanswered questions. */
  group?: string;
  rating?: "up" | "down";
}

export interface FoundMessage {
  id: string;
  thread_id: string;
  query: string;
  response: string;
  response_type: "answer" | "clarifying_question" | null;
  sources: { title: string; url: string }[];
  resolution_status: "answered" | "unanswered";
  query_category: string | null;
  page_url: string | null;
  caller: "web" | "api" | "other";
  /** The reader's rating of the answer; null if there is none. */
  helpful: boolean | null;
  comment: string | null;
  /** When the reader followed the link to support below the answer; null if never. */
  handed_over_at: Date | null;
}

export interface FoundMessages {
  rows: FoundMessage[];
  /**
   * Cursor of the next page; undefined if there is none. Can be set even if there are fewer rows than the
   * limit, or none.
   */
  next: string | undefined;
}

interface Range {
  /** Message IDs: `from` is inclusive, `to` exclusive. */
  from: string;
  to: string;
}

/** Lengths of ID prefixes, which correspond to periods of about nine hours, twelve days and a year. */
const prefixLengths = { short: 5, long: 4, longest: 3 };

/**
 * Returns a page of matching messages, newest first. Throws "not found" unless the project belongs to the
 * organization.
 */
export async function findMessages(
  service: Service,
  scope: Scope,
  projectId: string,
  filters: ConversationFilters,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<FoundMessages> {
  await requireProject(service, scope, projectId);
  const range = await rangeOf(service, projectId, filters, cursor);
  if (!range) return { rows: [], next: undefined };
  const facets = facetsOf(filters);
  if (filters.rating) return byRating(service, projectId, filters, facets, range, limit);
  if (facets.length === 0 || filters.group !== undefined)
    return inOrder(service, projectId, filters, facets, range, limit);
  return byFacets(service, projectId, facets, range, limit);
}

/**
 * Returns the range from the oldest to the newest message within the dates and before the cursor. Undefined
 * if there is no message.
 */
async function rangeOf(
  { db }: Service,
  projectId: string,
  { dateFrom, dateTo }: ConversationFilters,
  cursor: string | undefined,
) {
  const upper = [dateTo === undefined ? undefined : firstUlidAt(dateTo), cursor]
    .filter((bound) => bound !== undefined)
    .sort()[0];
  let messages = db.selectFrom("conversations").where("project_id", "=", projectId);
  if (upper !== undefined) messages = messages.where("id", "<", upper);
  if (dateFrom !== undefined) messages = messages.where("id", ">=", firstUlidAt(dateFrom));
  const { oldest, newest } = await messages
    .select(({ fn }) => [fn.min("id").as("oldest"), fn.max("id").as("newest")])
    .executeTakeFirstOrThrow();
  // `~` sorts after every character of an ID.
  return oldest && newest ? { from: oldest, to: `${newest}~` } : undefined;
}

/** Returns the facets of the filters, in the format of the SQL function `conversation_facets`. */
function facetsOf({ status, category, page, caller, text, group }: ConversationFilters): string[] {
  return [
    ...(status ? [`=s${status}`] : []),
    ...(category === undefined ? [] : [`=c${[...category].slice(0, 200).join("")}`]),
    ...(page === undefined ? [] : [`=p${pagePath(page)}`]),
    ...(caller ? [`=f${caller}`] : []),
    ...(text === undefined ? [] : questionTerms(text)),
    ...(group === undefined ? [] : ["=sunanswered"]),
  ];
}

function pagePath(page: string): string {
  const path = page
    .trim()
    .replace(/^[a-z]+:\/\/[^/?#]*/, "")
    .replace(/[?#].*$/, "")
    .replace(/^(?=[^/])/, "/")
    .replace(/(?:\.html)?\/*$/, "");
  return [...path].slice(0, 300).join("");
}

const columns = sql`message.id, message.thread_id, message.query, message.response, message.response_type, message.sources, message.resolution_status,
  message.query_category, message.page_url, message.caller, message.handed_over_at`;
const facetsOfMessage = sql`conversation_facets(message.project_id, message.id, message.resolution_status, message.query_category, message.page_url,
  message.caller, message.question_terms) collate "C"`;

/** Looks up periods until the page is full, all periods are searched, or the time limit is reached. */
async function byFacets(
  service: Service,
  projectId: string,
  facets: readonly string[],
  { from, to }: Range,
  limit: number,
): Promise<FoundMessages> {
  const began = performance.now();
  const left_ms = () => conversationSearch_ms - (performance.now() - began);
  const rows: FoundMessage[] = [];
  let next = to;

  // Number of short periods that were searched, and the estimated duration of searching one.
  let searched = 0;
  let cost_ms = 0;
  for (;;) {
    const missing = limit + 1 - rows.length;
    const { prefixLength, count } =
      searched === 0
        ? { prefixLength: prefixLengths.short, count: 4 }
        : nextPeriods((missing * searched) / (rows.length + 1));
    const all = ulidPrefixes(from, next, prefixLength);
    const weight = 32 ** (prefixLengths.short - prefixLength);
    // The duration of searching a long period is estimated from the previous lookup.
    const affordable = searched === 0 ? count : Math.max(1, Math.floor(left_ms() / (cost_ms * weight)));
    const periods = all.slice(0, Math.min(count, affordable));
    const before_ms = performance.now();
    rows.push(...(await inPeriods(service, projectId, periods, facets, { from, to: next }, missing)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.id };
    if (periods.length === all.length) return { rows, next: undefined };
    cost_ms = (performance.now() - before_ms) / (periods.length * weight);
    searched += periods.length * weight;
    next = periods.at(-1)!.padEnd(26, "0");
    if (left_ms() <= 0) return { rows, next };
  }
}

/**
 * Returns the length and number of the periods to look up next. `needed`: number of short periods that
 * probably contain enough matches.
 */
function nextPeriods(needed: number): { prefixLength: number; count: number } {
  const prefixLength =
    needed < 32 ? prefixLengths.short : needed < 32 * 32 ? prefixLengths.long : prefixLengths.longest;
  return {
    prefixLength,
    count: Math.min(32, Math.ceil((1.5 * needed) / 32 ** (prefixLengths.short - prefixLength))),
  };
}

/**
 * Returns at most `count` matches in the periods. The nested loop visits the periods in order and stops
 * early. The facet of a period also contains the project's ID.
 */
async function inPeriods(
  { db }: Service,
  projectId: string,
  periods: readonly string[],
  facets: readonly string[],
  { from, to }: Range,
  count: number,
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    select found.*, feedback.helpful, feedback.comment from (
      select message.* from unnest(${periods}::text[]) as period cross join lateral (
        select ${columns} from conversations as message
        where message.is_finished and ${facetsOfMessage} @> (array['=t' || ${projectId}::text || period] || ${facets}::text[])
          and message.id >= greatest(period collate "C", ${from}) and message.id < least(period collate "C" || '~', ${to})
        order by message.id desc limit ${count}
      ) as message limit ${count}
    ) as found
    left join message_feedback as feedback on feedback.project_id = ${projectId} and feedback.message_id = found.id`.execute(
    db,
  );
  return rows.sort(newestFirst);
}

/**
 * Returns all finished messages of the thread with this ID, or of the thread that contains the message with
 * this ID, oldest first. Throws "not found" if there are none.
 */
export async function getThread(
  service: Service,
  scope: Scope,
  projectId: string,
  text: string,
): Promise<FoundMessage[]> {
  const id = readUlid(text);
  if (id === undefined) throw notFound();
  const project = ownProject(scope, projectId);
  const { rows } = await sql<FoundMessage>`
    select ${columns}, feedback.helpful, feedback.comment
    from conversations as message
    left join message_feedback as feedback on feedback.project_id = message.project_id and feedback.message_id = message.id
    where message.project_id = ${project} and message.is_finished
      and message.thread_id = coalesce((select thread_id from conversations where project_id = ${project} and id = ${id}), ${id})
    order by message.id`.execute(service.db);
  if (rows.length === 0) throw notFound();
  return rows;
}

/**
 * Returns a page of the messages in the range. If the filters select a group, returns the messages in the
 * group that match the facets. There is an index with this order for both cases.
 */
async function inOrder(
  { db }: Service,
  projectId: string,
  { group }: ConversationFilters,
  facets: readonly string[],
  { from, to }: Range,
  limit: number,
): Promise<FoundMessages> {
  const isOfGroup =
    group === undefined
      ? sql`true`
      : sql`message.resolution_status = 'unanswered' and message.question_key = ${group} and ${facetsOfMessage} @> ${facets}::text[]`;

  const { rows } = await sql<FoundMessage>`
    select found.*, feedback.helpful, feedback.comment from (
      select ${columns} from conversations as message
      where message.project_id = ${projectId} and message.is_finished and message.id >= ${from} and message.id < ${to} and ${isOfGroup}
      order by message.id desc limit ${limit + 1}
    ) as found
    left join message_feedback as feedback on feedback.project_id = ${projectId} and feedback.message_id = found.id`.execute(
    db,
  );

  rows.sort(newestFirst);
  return { rows: rows.slice(0, limit), next: rows.length > limit ? rows[limit - 1]!.id : undefined };
}

/**
 * Filters messages by rating. Reads a limited number of rated messages. If there are more, `next` continues
 * after the last message that was read, even if none matched.
 */
async function byRating(
  { db }: Service,
  projectId: string,
  { rating, group }: ConversationFilters,
  facets: readonly string[],
  { from, to }: Range,
  limit: number,
): Promise<FoundMessages> {
  const { rows } = await sql<(FoundMessage | { id: null }) & { last: string | null }>`
    with rated as materialized (
      select * from message_feedback where project_id = ${projectId} and helpful = ${rating === "up"} and message_id >= ${from} and message_id < ${to}
      order by message_id desc limit ${ratedMessages_count}
    ), found as (
      select ${columns}, rated.helpful, rated.comment
      from rated join conversations as message on message.project_id = rated.project_id and message.id = rated.message_id
      where message.is_finished and ${facetsOfMessage} @> ${facets}::text[] and ${group === undefined ? sql`true` : sql`message.question_key = ${group}`}
      order by message.id desc limit ${limit + 1}
    )
    select found.*, scan.last from (select case when count(*) = ${ratedMessages_count} then min(message_id) end as last from rated) as scan
    left join found on true`.execute(db);

  const found = rows.filter((row) => row.id !== null).sort(newestFirst);
  const next = found.length > limit ? found[limit - 1]!.id : (rows[0]!.last ?? undefined);
  return { rows: found.slice(0, limit), next };
}

function newestFirst(a: FoundMessage, b: FoundMessage): number {
  return a.id < b.id ? 1 : -1;
}
