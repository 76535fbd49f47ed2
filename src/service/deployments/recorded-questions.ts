/** Reads questions of readers that are asked again on a preview. */

import { sql } from "kysely";
import { firstUlidAt } from "../../base/ulid.ts";
import type { RecordedQuestion, RecordedQuestions } from "../../builder/replay-questions.ts";
import { day_ms } from "../core/day-blocks.ts";
import type { Service } from "../core/service.ts";

/** Maximum number of questions of each kind. */
const questions_count = 200;
/** Age of the oldest questions. */
const questionAge_ms = 90 * day_ms;
/** Maximum number of messages that are read to find different questions. */
const messages_count = 2_000;

/**
 * Returns the last question of each group of similar ones, newest first. Follow-up questions are left out,
 * because they can't be understood alone. Unanswered questions are of groups that no editor has ignored or
 * resolved.
 */
export async function recordedQuestions(
  { db }: Pick<Service, "db">,
  projectId: string,
): Promise<RecordedQuestions> {
  const since = firstUlidAt(Date.now() - questionAge_ms);
  const read = async (status: "answered" | "unanswered"): Promise<RecordedQuestion[]> => {
    const isDecided =
      status === "unanswered"
        ? sql`decided.status = 'ignored' or (decided.status = 'resolved' and decided.decision_id >= message.id)`
        : sql`false`;
    const { rows } = await sql<RecordedQuestion>`
      select id, query as text from (
        select distinct on (question_key) id, query, question_key from (
          select id, query, coalesce(question_key, query) as question_key from conversations
          where project_id = ${projectId} and id >= ${since} and is_finished and thread_id = id
            and resolution_status = ${status} and response_type is distinct from 'clarifying_question'
          order by id desc limit ${messages_count}
        ) as recent order by question_key, id desc
      ) as message
      where not exists (
        select from question_groups decided where decided.project_id = ${projectId}
          and decided.question_key = message.question_key and (${isDecided})
      )
      order by id desc limit ${questions_count}`.execute(db);
    return rows;
  };
  return { answered: await read("answered"), open: await read("unanswered") };
}

/** Returns the texts of messages that are still stored, by ID. */
export async function questionTexts(
  { db }: Pick<Service, "db">,
  projectId: string,
  ids: readonly string[],
): Promise<RecordedQuestion[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("conversations")
    .select(["id", "query as text"])
    .where("project_id", "=", projectId)
    .where("id", "in", ids)
    .where("is_finished", "=", true)
    .orderBy("id", "desc")
    .execute();
}
