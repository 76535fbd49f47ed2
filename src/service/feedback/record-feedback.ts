/** Takes what a reader thinks of a page, or of code on it. */

import { notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { firstUlidAt, readUlid } from "../../base/ulid.ts";
import type { Service } from "../core/service.ts";

export interface NewPageFeedback {
  /** Of a page of the live site. */
  path: string;
  helpful: boolean;
  comment?: string;
  /** Where the team may answer: an e-mail address. */
  contact?: string;
}

export interface NewCodeFeedback {
  path: string;
  code: string;
  filename?: string;
  lang?: string;
  comment?: string;
}

/** Answers with its id, by which its reader may say more of it for a while. */
export async function recordFeedback(
  { db, ulid }: Pick<Service, "db" | "ulid">,
  projectId: string,
  feedback: NewPageFeedback | NewCodeFeedback,
): Promise<string> {
  const id = ulid();
  const columns = "code" in feedback ? codeColumns(feedback) : pageColumns(feedback);
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
      ...columns,
    })
    .execute();
  return id;
}

/** A thumb comes first and its words later, or the other thumb. Who knows the id gave it: half of it is random. */
export async function amendFeedback({ db }: Pick<Service, "db">, projectId: string, id: string, feedback: NewPageFeedback): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("feedback")
    .set(pageColumns(feedback))
    .where("project_id", "=", projectId)
    .where("id", "=", readUlid(id) ?? "")
    .where("id", ">=", firstUlidAt(Date.now() - limits.feedbackAmended_ms))
    .where("path", "=", feedback.path)
    .where("helpful", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}

function pageColumns({ helpful, comment, contact }: NewPageFeedback) {
  const columns = { comment: text(comment), contact: text(contact) };
  return {
    helpful,
    ...columns,
    source: columns.comment === null && columns.contact === null ? ("thumbs_only" as const) : ("contextual" as const),
  };
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

/** Nothing for nothing. */
function text(value: string | undefined): string | null {
  return value?.trim() || null;
}
