/** Adds search terms and group keys to questions that an earlier version stored without them. */

import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import type { Service } from "../core/service.ts";
import { questionKey } from "./question-key.ts";
import { questionTerms } from "./stored-question-terms.ts";

export async function addQuestionTerms({ db }: Pick<Service, "db">): Promise<void> {
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("conversations")
      .select(["project_id", "id", "query"])
      .where("is_finished", "=", true)
      .where("question_key", "is", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(limits.importBatch_count)
      .execute();
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    const read = rows.map(({ project_id, id, query }) => ({
      project_id,
      id,
      terms: questionTerms(query),
      key: questionKey(query),
    }));
    await sql`
      update conversations as message set question_terms = read.terms, question_key = read.key
      from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as read(project_id text, id text, terms text[], key text)
      where message.project_id = read.project_id and message.id = read.id and message.question_key is null`.execute(
      db,
    );
  }
}
