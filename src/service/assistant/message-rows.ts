/**
 * Writes the rows of messages that are being answered. A row is inserted when the question is asked, and
 * updated when the answer ends. A new row isn't visible until then, so a process that crashes doesn't leave a
 * partial answer.
 */

import { sql } from "kysely";
import { firstUlidAt } from "../../base/ulid.ts";
import { questionKey } from "../conversations/question-key.ts";
import { questionTerms } from "../conversations/stored-question-terms.ts";
import { addUnansweredQuestion } from "../conversations/unanswered-event.ts";
import type { Service } from "../core/service.ts";
import type { AnsweredMessage } from "./prompt.ts";

/** Maximum number of earlier messages of a thread that are used for an answer. */
const earlierMessages_count = 10;
/** Age after which an unfinished message is deleted. */
const unfinishedMessage_ms = 3_600_000;

export interface NewMessage {
  projectId: string;
  /** ID of the conversation to continue; undefined for a new one. */
  threadId: string | undefined;
  /** ID that the client chose for the question. */
  messageId: string;
  caller: "web" | "api";
  /** Hash that identifies the asker, as in `Question.asker`. */
  asker: Buffer | undefined;
  query: string;
  pageUrl: string | null;
}

export interface OpenMessage {
  projectId: string;
  id: string;
  threadId: string;
  query: string;
  attempt: number;
  /** Latest finished messages before this one, oldest first. */
  earlier: AnsweredMessage[];
}

export interface MessageResult {
  response: string;
  responseType: "answer" | "clarifying_question";
  sources: { title: string; url: string }[];
  isAnswered: boolean;
  theme: string | null;
}

/**
 * Inserts the row of a question. If the conversation already has a message with the same ID, its row is
 * reused and the new answer replaces the stored one. Starts a new conversation instead of continuing one of
 * another project, caller or asker.
 */
export async function beginMessage(service: Service, message: NewMessage): Promise<OpenMessage> {
  const { db } = service;
  const thread = message.threadId === undefined ? [] : await messagesOf(service, message, message.threadId);
  const existing = thread.find(
    ({ id, message_id }) => message_id === message.messageId || id === message.messageId,
  );

  if (existing) {
    const { attempt } = await db
      .updateTable("conversations")
      .set({ attempt: sql`attempt + 1` })
      .where("project_id", "=", message.projectId)
      .where("id", "=", existing.id)
      .returning("attempt")
      .executeTakeFirstOrThrow();
    const before = thread.filter(({ id }) => id < existing.id);
    return {
      projectId: message.projectId,
      id: existing.id,
      threadId: existing.thread_id,
      query: message.query,
      attempt,
      earlier: finished(before),
    };
  }

  const id = service.ulid();
  const first = thread[0];
  const row = {
    project_id: message.projectId,
    id,
    thread_id: first?.thread_id ?? id,
    query: message.query,
    response: "",
    response_type: null,
    sources: "[]",
    resolution_status: "unanswered" as const,
    query_category: null,
    // The page where the conversation began.
    page_url: first ? first.page_url : message.pageUrl,
    is_finished: false,
    attempt: 1,
    message_id: message.messageId,
    caller: message.caller,
    asker: message.asker ?? null,
    theme: null,
  };

  await db.insertInto("conversations").values(row).execute();

  return {
    projectId: message.projectId,
    id,
    threadId: row.thread_id,
    query: message.query,
    attempt: 1,
    earlier: finished(thread),
  };
}

async function messagesOf({ db }: Service, { projectId, caller, asker }: NewMessage, threadId: string) {
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

function finished(messages: readonly (AnsweredMessage & { is_finished: boolean })[]): AnsweredMessage[] {
  return messages
    .filter(({ is_finished }) => is_finished)
    .slice(-earlierMessages_count)
    .map(({ query, response }) => ({ query, response }));
}

/**
 * Stores the answer and makes the row visible. If the answer has a category, stores it as `theme`, and queues
 * the job that sets the message's category. Stores nothing and resolves with false if a later attempt exists
 * or the message was deleted.
 */
export async function finishMessage(
  service: Service,
  organizationId: string,
  message: OpenMessage,
  result: MessageResult,
): Promise<boolean> {
  return service.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("conversations")
      .set({
        query: message.query,
        response: result.response,
        response_type: result.responseType,
        sources: JSON.stringify(result.sources),
        resolution_status: result.isAnswered ? "answered" : "unanswered",
        query_category: null,
        theme: result.theme,
        is_finished: true,
        question_terms: questionTerms(message.query),
        question_key: questionKey(message.query),
      })
      .where("project_id", "=", message.projectId)
      .where("id", "=", message.id)
      .where("attempt", "=", message.attempt)
      .executeTakeFirst();

    if (numUpdatedRows === 0n) return false;

    // The feedback was about the replaced answer.
    if (message.attempt > 1)
      await tx
        .deleteFrom("message_feedback")
        .where("project_id", "=", message.projectId)
        .where("message_id", "=", message.id)
        .execute();

    if (result.theme !== null)
      await service.queue.enqueue(
        tx,
        "categorize",
        { projectId: message.projectId, messageId: message.id },
        { organizationId, projectId: message.projectId },
      );

    if (!result.isAnswered) await addUnansweredQuestion(tx, service, organizationId, message);
    return true;
  });
}

/** Deletes old messages without an answer: the answer failed or had no text, or the process crashed. */
export async function sweepUnfinishedMessages({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("conversations")
    .where("is_finished", "=", false)
    .where("id", "<", firstUlidAt(Date.now() - unfinishedMessage_ms))
    .execute();
}
