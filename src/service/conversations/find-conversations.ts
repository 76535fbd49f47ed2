/**
 * Conversations by any combination of filters, newest first. An index holds the facets of every message, among them the stretches of time
 * that it lies in, so a search asks one stretch after the other: short ones where matches are frequent, long ones where they are
 * rare and cost one lookup each. What takes too long ends with the place to go on from.
 */
import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { firstUlidAt, readUlid, ulidPrefixes } from "../../base/ulid.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";
import { questionTerms } from "./question-key.ts";

export interface ConversationFilters {
  /** Milliseconds since 1970; `dateFrom` is part of the range, `dateTo` is not. */
  dateFrom?: number;
  dateTo?: number;
  status?: "answered" | "unanswered";
  /** Empty: none. */
  category?: string;
  /** Path of the page where the conversation began. */
  page?: string;
  caller?: "web" | "api" | "other";
  /** Words that the question holds, all of them, in any form. */
  text?: string;
  /** Unanswered questions that ask the same. */
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
  /** What the reader thought of the answer. */
  helpful: boolean | null;
  comment: string | null;
}

export interface FoundMessages {
  rows: FoundMessage[];
  /** Cursor of what follows; undefined: that was all. */
  next: string | undefined;
}

interface Range {
  /** Ids from `from` on, below `to`. */
  from: string;
  to: string;
}

/** Of ids: nine hours, twelve days, and a year. */
const lettersOf = { short: 5, long: 4, longest: 3 };

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
  if (facets.length === 0 || filters.group !== undefined) return inOrder(service, projectId, filters, facets, range, limit);
  return byFacets(service, projectId, facets, range, limit);
}

/** From the oldest message to the newest that may be found. */
async function rangeOf({ db }: Service, projectId: string, { dateFrom, dateTo }: ConversationFilters, cursor: string | undefined) {
  const upper = [dateTo === undefined ? undefined : firstUlidAt(dateTo), cursor].filter((bound) => bound !== undefined).sort()[0];
  let messages = db.selectFrom("conversations").where("project_id", "=", projectId);
  if (upper !== undefined) messages = messages.where("id", "<", upper);
  if (dateFrom !== undefined) messages = messages.where("id", ">=", firstUlidAt(dateFrom));
  const { oldest, newest } = await messages
    .select(({ fn }) => [fn.min("id").as("oldest"), fn.max("id").as("newest")])
    .executeTakeFirstOrThrow();
  // `~` comes after every letter of an id.
  return oldest && newest ? { from: oldest, to: `${newest}~` } : undefined;
}

/** In the words of the function `conversation_facets`. */
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
  message.query_category, message.page_url, message.caller`;
const facetsOfMessage = sql`conversation_facets(message.project_id, message.id, message.resolution_status, message.query_category, message.page_url,
  message.caller, message.question_terms) collate "C"`;

async function byFacets(
  service: Service,
  projectId: string,
  facets: readonly string[],
  { from, to }: Range,
  limit: number,
): Promise<FoundMessages> {
  const began = performance.now();
  const left_ms = () => limits.conversationSearch_ms - (performance.now() - began);
  const rows: FoundMessage[] = [];
  let next = to;
  // How much was looked through, in short stretches, and how long one of them took.
  let looked = 0;
  let cost_ms = 0;
  for (;;) {
    const wanted = limit + 1 - rows.length;
    const { letters, count } = looked === 0 ? { letters: lettersOf.short, count: 4 } : nextStretches((wanted * looked) / (rows.length + 1));
    const all = ulidPrefixes(from, next, letters);
    const weight = 32 ** (lettersOf.short - letters);
    // What a long stretch may cost is told by the short ones before it; a rare match costs less.
    const affordable = looked === 0 ? count : Math.max(1, Math.floor(left_ms() / (cost_ms * weight)));
    const stretches = all.slice(0, Math.min(count, affordable));
    const before_ms = performance.now();
    rows.push(...(await inStretches(service, projectId, stretches, facets, { from, to: next }, wanted)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.id };
    if (stretches.length === all.length) return { rows, next: undefined };
    cost_ms = (performance.now() - before_ms) / (stretches.length * weight);
    looked += stretches.length * weight;
    next = stretches.at(-1)!.padEnd(26, "0");
    if (left_ms() <= 0) return { rows, next };
  }
}

/** `needed`: short stretches that are likely to hold what is wanted. */
function nextStretches(needed: number): { letters: number; count: number } {
  const letters = needed < 32 ? lettersOf.short : needed < 32 * 32 ? lettersOf.long : lettersOf.longest;
  return { letters, count: Math.min(32, Math.ceil((1.5 * needed) / 32 ** (lettersOf.short - letters))) };
}

/** The loop takes the stretches in their order and ends when it has enough. The facet of a stretch names the project. */
async function inStretches(
  { db }: Service,
  projectId: string,
  stretches: readonly string[],
  facets: readonly string[],
  { from, to }: Range,
  count: number,
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    select found.*, feedback.helpful, feedback.comment from (
      select message.* from unnest(${stretches}::text[]) as stretch cross join lateral (
        select ${columns} from conversations as message
        where message.is_finished and ${facetsOfMessage} @> (array['=t' || ${projectId}::text || stretch] || ${facets}::text[])
          and message.id >= ${from} and message.id < ${to}
        order by message.id desc limit ${count}
      ) as message limit ${count}
    ) as found
    left join turn_feedback as feedback on feedback.project_id = ${projectId} and feedback.turn_id = found.id`.execute(db);
  return rows.sort(newestFirst);
}

/** All messages of the conversation that has this id, or whose message has it; oldest first. */
export async function findThread(service: Service, scope: Scope, projectId: string, text: string): Promise<FoundMessage[]> {
  const id = readUlid(text);
  if (id === undefined) throw notFound();
  const project = ownProject(scope, projectId);
  const { rows } = await sql<FoundMessage>`
    select ${columns}, feedback.helpful, feedback.comment
    from conversations as message
    left join turn_feedback as feedback on feedback.project_id = message.project_id and feedback.turn_id = message.id
    where message.project_id = ${project} and message.is_finished
      and message.thread_id = coalesce((select thread_id from conversations where project_id = ${project} and id = ${id}), ${id})
    order by message.id`.execute(service.db);
  if (rows.length === 0) throw notFound();
  return rows;
}

/** All messages of the range, or those of a group, which has an index of its own in their order. */
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
    left join turn_feedback as feedback on feedback.project_id = ${projectId} and feedback.turn_id = found.id`.execute(db);
  rows.sort(newestFirst);
  return { rows: rows.slice(0, limit), next: rows.length > limit ? rows[limit - 1]!.id : undefined };
}

/** Few readers say what they think: the filters look at those messages, so many at a time. */
async function byRating(
  { db }: Service,
  projectId: string,
  { rating, group }: ConversationFilters,
  facets: readonly string[],
  { from, to }: Range,
  limit: number,
): Promise<FoundMessages> {
  const { rows } = await sql<FoundMessage & { last: string | null }>`
    with rated as materialized (
      select * from turn_feedback where project_id = ${projectId} and helpful = ${rating === "up"} and turn_id >= ${from} and turn_id < ${to}
      order by turn_id desc limit ${limits.ratedTurns_count}
    )
    select ${columns}, rated.helpful, rated.comment,
      (select case when count(*) = ${limits.ratedTurns_count} then min(turn_id) end from rated) as last
    from rated join conversations as message on message.project_id = rated.project_id and message.id = rated.turn_id
    where message.is_finished and ${facetsOfMessage} @> ${facets}::text[] and ${group === undefined ? sql`true` : sql`message.question_key = ${group}`}
    order by message.id desc limit ${limit + 1}`.execute(db);
  const next = rows.length > limit ? rows[limit - 1]!.id : (rows[0]?.last ?? undefined);
  return { rows: rows.slice(0, limit), next };
}

function newestFirst(a: FoundMessage, b: FoundMessage): number {
  return a.id < b.id ? 1 : -1;
}
