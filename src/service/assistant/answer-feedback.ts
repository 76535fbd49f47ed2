import { sql } from "kysely";
import type { Service } from "../core/service.ts";
import { askersMessage } from "./askers-message.ts";

/** Stores or replaces a reader's feedback on an answer. Throws "not found" as `askersMessage` does. */
export async function saveAnswerFeedback(
  service: Pick<Service, "db">,
  projectId: string,
  {
    messageId,
    helpful,
    comment,
    asker,
  }: { messageId: string; helpful: boolean; comment?: string; asker: Buffer | undefined },
): Promise<void> {
  const { id } = await askersMessage(service, projectId, messageId, asker);
  const feedback = { helpful, comment: comment ?? null, at: sql<Date>`clock_timestamp()` };
  await service.db
    .insertInto("message_feedback")
    .values({ project_id: projectId, message_id: id, ...feedback })
    .onConflict((conflict) => conflict.columns(["project_id", "message_id"]).doUpdateSet(feedback))
    .execute();
}
