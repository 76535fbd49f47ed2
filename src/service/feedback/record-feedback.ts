/** Stores readers' feedback on pages and code. */

import { notFound } from "../../base/app-error.ts";
import type { FeedbackReason } from "../../base/feedback-reasons.ts";
import { firstUlidAt, readUlid } from "../../base/ulid.ts";
import type { Service } from "../core/service.ts";

/** How long a reader can change their feedback. */
const feedbackEditable_ms = 3_600_000;

export interface NewPageFeedback {
  path: string;
  helpful: boolean;
  /** Reason why the page wasn't helpful. Ignored if `helpful` is true. */
  reason?: FeedbackReason;
  comment?: string;
  /** Email for a reply. */
  contact?: string;
}

export interface NewCodeFeedback {
  path: string;
  code: string;
  filename?: string;
  lang?: string;
  comment?: string;
}

/** Feedback of an AI agent on a page. */
export interface NewAgentFeedback {
  path: string;
  comment: string;
  source: "agent";
}

/**
 * Stores feedback and returns its ID. With the ID, the reader can change feedback on a page for a limited
 * time (`amendFeedback`).
 */
export async function recordFeedback(
  { db, ulid }: Pick<Service, "db" | "ulid">,
  projectId: string,
  feedback: NewPageFeedback | NewCodeFeedback | NewAgentFeedback,
): Promise<string> {
  const id = ulid();
  const columns =
    "code" in feedback
      ? codeColumns(feedback)
      : "source" in feedback
        ? { source: feedback.source, comment: text(feedback.comment) }
        : pageColumns(feedback);
  await db
    .insertInto("feedback")
    .values({
      project_id: projectId,
      id,
      path: feedback.path,
      code: null,
      filename: null,
      lang: null,
      contact: null,
      helpful: null,
      reason: null,
      ...columns,
    })
    .execute();

  return id;
}

/**
 * Changes the rating, reason, comment and contact of feedback on a page. The ID authorizes the change,
 * because it can't be guessed. Throws "not found" if the page has no feedback with this ID, or the feedback
 * is older than `feedbackEditable_ms`.
 */
export async function amendFeedback(
  { db }: Pick<Service, "db">,
  projectId: string,
  id: string,
  feedback: NewPageFeedback,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("feedback")
    .set(pageColumns(feedback))
    .where("project_id", "=", projectId)
    .where("id", "=", readUlid(id) ?? "")
    .where("id", ">=", firstUlidAt(Date.now() - feedbackEditable_ms))
    .where("path", "=", feedback.path)
    .where("helpful", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}

function pageColumns({ helpful, reason, comment, contact }: NewPageFeedback) {
  const details = {
    reason: helpful ? null : (reason ?? null),
    comment: text(comment),
    contact: text(contact),
  };
  const hasDetails = Object.values(details).some((value) => value !== null);
  return { helpful, ...details, source: hasDetails ? ("contextual" as const) : ("thumbs_only" as const) };
}

function codeColumns({ code, filename, lang, comment }: NewCodeFeedback) {
  return {
    source: "code_snippet" as const,
    code,
    filename: text(filename),
    lang: text(lang),
    comment: text(comment),
  };
}

/** Returns the trimmed text; null if it is absent or empty. */
function text(value: string | undefined): string | null {
  return value?.trim() || null;
}
