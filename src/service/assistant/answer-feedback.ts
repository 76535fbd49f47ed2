import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";

/**
 * Stores or replaces a reader's feedback on an answer. Throws "not found" unless the question was asked on
 * the site, by this reader or by an unknown reader, and its answer is finished.
 */
export async function saveAnswerFeedback(
  { db }: Pick<Service, "db">,
  projectId: string,
  {
    messageId,
    helpful,
    comment,
    asker,
  }: { messageId: string; helpful: boolean; comment?: string; asker: Buffer | undefined },
): Promise<void> {
  const message = await db
    .selectFrom("conversations")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", messageId)
    .where("caller", "=", "web")
    .where("is_finished", "=", true)
    // Rows of earlier versions have no asker. Any reader can give feedback on them.
    .where((where) => where.or([where("asker", "is", null), where("asker", "=", asker ?? null)]))
    .executeTakeFirst();

  if (!message) throw notFound();
  const feedback = { helpful, comment: comment ?? null, at: sql<Date>`clock_timestamp()` };
  await db
    .insertInto("message_feedback")
    .values({ project_id: projectId, message_id: messageId, ...feedback })
    .onConflict((conflict) => conflict.columns(["project_id", "message_id"]).doUpdateSet(feedback))
    .execute();
}
