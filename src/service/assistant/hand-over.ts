/** Records that a reader contacted support about an answer. */

import { sql } from "kysely";
import { addEvent } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { askersMessage } from "./askers-message.ts";

/**
 * Stores the time of the hand-over, unless the message has one, and adds the event, once per conversation.
 * Throws "not found" as `askersMessage` does.
 */
export async function recordHandOver(
  service: Pick<Service, "db" | "ulid" | "settings">,
  projectId: string,
  { messageId, asker }: { messageId: string; asker: Buffer },
): Promise<void> {
  const { id, threadId } = await askersMessage(service, projectId, messageId, asker);
  await service.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("conversations")
      .set({ handed_over_at: sql<Date>`clock_timestamp()` })
      .where("project_id", "=", projectId)
      .where("id", "=", id)
      .where("handed_over_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;

    const project = await tx
      .selectFrom("projects")
      .select(["name", "organization_id as organizationId"])
      .where("id", "=", projectId)
      .executeTakeFirst();
    if (!project) return;
    const { organizationId } = project;
    const path = projectHref(organizationId, projectId, `/conversations/${threadId}`);
    await addEvent(
      { db: tx, ulid: service.ulid },
      {
        organizationId,
        projectId,
        type: "conversation.handed-over",
        data: {
          projectId,
          projectName: project.name,
          conversationId: threadId,
          messageId: id,
          url: service.settings.url + path,
        },
        uniqueKey: `conversation.handed-over ${projectId} ${threadId}`,
      },
    );
  });
}
