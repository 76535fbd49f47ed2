import { notFound } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";

/**
 * Returns a message that a reader acts on. Throws "not found" unless the question was asked on the site, by
 * this reader or by an unknown reader, and its answer is finished.
 */
export async function askersMessage(
  { db }: Pick<Service, "db">,
  projectId: string,
  messageId: string,
  asker: Buffer | undefined,
): Promise<{ id: string; threadId: string }> {
  const message = await db
    .selectFrom("conversations")
    .select(["id", "thread_id as threadId"])
    .where("project_id", "=", projectId)
    .where("id", "=", messageId)
    .where("caller", "=", "web")
    .where("is_finished", "=", true)
    // Rows of earlier versions have no asker. Any reader can act on them.
    .where((where) => where.or([where("asker", "is", null), where("asker", "=", asker ?? null)]))
    .executeTakeFirst();

  if (!message) throw notFound();
  return message;
}
