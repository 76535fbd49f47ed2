/** Adds the notification event about new groups of unanswered questions: one event per project and hour. */

import { sql } from "kysely";
import { databaseJson } from "../core/database-json.ts";
import type { EventData } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { questionKey } from "./question-key.ts";

const hour_ms = 3_600_000;
/** Time between the end of an hour and the hour's event, because the clocks of processes can differ. */
const margin_ms = 60_000;
/** Maximum number of questions in an event. */
const eventQuestions_count = 20;
/** Maximum length of a question in an event, in characters. */
export const eventQuestion_chars = 300;

/**
 * Adds an unanswered question to the event of the current hour, if it's the first question of its group. Must
 * be called in the transaction that stores the answer.
 */
export async function addUnansweredQuestion(
  tx: Tx,
  { ulid, settings }: Pick<Service, "ulid" | "settings">,
  organizationId: string,
  message: { projectId: string; id: string; query: string },
): Promise<void> {
  const { projectId } = message;
  const known = await tx
    .selectFrom("conversations")
    .select("id")
    .where("project_id", "=", projectId)
    .where("question_key", "=", questionKey(message.query))
    .where("is_finished", "=", true)
    .where("resolution_status", "=", "unanswered")
    .where("id", "<>", message.id)
    .limit(1)
    .executeTakeFirst();

  if (known) return;

  const project = await tx
    .selectFrom("projects")
    .select("name")
    .where("id", "=", projectId)
    .executeTakeFirst();

  if (!project) return;
  const hour = Math.floor(Date.now() / hour_ms);
  const questions = [{ id: message.id, question: message.query.slice(0, eventQuestion_chars) }];
  const url = settings.url + projectHref(organizationId, projectId, "/questions");
  const data: EventData["question.unanswered"] = {
    projectId,
    projectName: project.name,
    questions,
    count: 1,
    url,
  };

  await sql`
    insert into notification_events as event (id, organization_id, project_id, type, data, unique_key, send_at)
    values (${ulid()}, ${organizationId}, ${projectId}, 'question.unanswered', ${databaseJson(data)}::jsonb,
      ${`question.unanswered ${projectId} ${hour}`}, ${new Date((hour + 1) * hour_ms + margin_ms)})
    on conflict (unique_key) do update set data = event.data || jsonb_build_object(
      'count', (event.data ->> 'count')::int + 1,
      'questions', case when jsonb_array_length(event.data -> 'questions') < ${eventQuestions_count}::int
        then (event.data -> 'questions') || (excluded.data -> 'questions') else event.data -> 'questions' end)
    where event.send_at is not null`.execute(tx);
}

/** Removes a deleted question from events. The events' counts don't change. */
export async function forgetUnansweredQuestion(tx: Tx, projectId: string, id: string): Promise<void> {
  await sql`
    update notification_events set data = jsonb_set(data, '{questions}', coalesce((
      select jsonb_agg(question) from jsonb_array_elements(data -> 'questions') as question where question ->> 'id' <> ${id}), '[]'))
    where project_id = ${projectId} and type in ('question.unanswered', 'questions.weekly') and data -> 'questions' @> ${JSON.stringify([{ id }])}::jsonb`.execute(
    tx,
  );
}
