/**
 * The rows of turns while they come to be. A row is written when the question is asked and once more when it is answered;
 * in between nobody sees it, so a process that dies leaves nothing half said.
 */
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { firstUlidAt } from "../../base/ulid.ts";
import { questionKey, questionTerms } from "../conversations/question-key.ts";
import type { Service } from "../service.ts";
import type { Turn } from "./prompt.ts";

export interface NewTurn {
  projectId: string;
  /** Of the conversation that is gone on with. */
  threadId: string | undefined;
  /** What the asker calls the question. */
  messageId: string;
  caller: "web" | "api";
  /** Who asks: see `Question`. */
  asker: Buffer | undefined;
  query: string;
  pageUrl: string | null;
}

export interface OpenTurn {
  projectId: string;
  id: string;
  threadId: string;
  query: string;
  attempt: number;
  /** Oldest first. */
  earlier: Turn[];
}

export interface TurnResult {
  response: string;
  responseType: "answer" | "clarifying_question";
  sources: { title: string; url: string }[];
  isAnswered: boolean;
  theme: string | null;
}

/**
 * A conversation that is not this project's, or not of this asker, is not continued: the question begins a new one.
 * The same question again within a conversation takes the place of the first, with its id.
 */
export async function beginTurn(service: Service, turn: NewTurn): Promise<OpenTurn> {
  const { db } = service;
  const thread = turn.threadId === undefined ? [] : await turnsOf(service, turn, turn.threadId);
  const again = thread.find(({ id, message_id }) => message_id === turn.messageId || id === turn.messageId);
  if (again) {
    const { attempt } = await db
      .updateTable("conversations")
      .set({ attempt: sql`attempt + 1` })
      .where("project_id", "=", turn.projectId)
      .where("id", "=", again.id)
      .returning("attempt")
      .executeTakeFirstOrThrow();
    const before = thread.filter(({ id }) => id < again.id);
    return { projectId: turn.projectId, id: again.id, threadId: again.thread_id, query: turn.query, attempt, earlier: finished(before) };
  }
  const id = service.ulid();
  const first = thread[0];
  const row = {
    project_id: turn.projectId,
    id,
    thread_id: first?.thread_id ?? id,
    query: turn.query,
    response: "",
    response_type: null,
    sources: "[]",
    resolution_status: "unanswered" as const,
    query_category: null,
    // Where the conversation began, and not where its reader has come to.
    page_url: first ? first.page_url : turn.pageUrl,
    is_finished: false,
    attempt: 1,
    message_id: turn.messageId,
    caller: turn.caller,
    asker: turn.asker ?? null,
    theme: null,
  };
  await db.insertInto("conversations").values(row).execute();
  return { projectId: turn.projectId, id, threadId: row.thread_id, query: turn.query, attempt: 1, earlier: finished(thread) };
}

async function turnsOf({ db }: Service, { projectId, caller, asker }: NewTurn, threadId: string) {
  return db
    .selectFrom("conversations")
    .select(["id", "thread_id", "message_id", "query", "response", "page_url", "is_finished"])
    .where("project_id", "=", projectId)
    .where("thread_id", "=", threadId)
    .where("caller", "=", caller)
    .where("asker", "is not distinct from", asker ?? null)
    .orderBy("id")
    .execute();
}

function finished(turns: readonly (Turn & { is_finished: boolean })[]): Turn[] {
  return turns
    .filter(({ is_finished }) => is_finished)
    .slice(-limits.earlierTurns_count)
    .map(({ query, response }) => ({ query, response }));
}

/** The row as everybody sees it, and the job that finds its category. False when a later try has the turn, or it was deleted. */
export async function finishTurn(service: Service, organizationId: string, turn: OpenTurn, result: TurnResult): Promise<boolean> {
  return service.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("conversations")
      .set({
        query: turn.query,
        response: result.response,
        response_type: result.responseType,
        sources: JSON.stringify(result.sources),
        resolution_status: result.isAnswered ? "answered" : "unanswered",
        query_category: null,
        theme: result.theme,
        is_finished: true,
        question_terms: questionTerms(turn.query),
        question_key: questionKey(turn.query),
      })
      .where("project_id", "=", turn.projectId)
      .where("id", "=", turn.id)
      .where("attempt", "=", turn.attempt)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    // What was thought of the answer before is not thought of this one.
    if (turn.attempt > 1)
      await tx.deleteFrom("turn_feedback").where("project_id", "=", turn.projectId).where("turn_id", "=", turn.id).execute();
    if (result.theme !== null)
      await service.queue.enqueue(tx, "categorize", { projectId: turn.projectId, messageId: turn.id }, organizationId);
    return true;
  });
}

/** Questions whose answer never came, as when the process died over it. */
export async function sweepTurns({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("conversations")
    .where("is_finished", "=", false)
    .where("id", "<", firstUlidAt(Date.now() - limits.unfinishedTurn_ms))
    .execute();
}
