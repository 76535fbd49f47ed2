/** Names the theme of a question, apart from answering it: when this fails, the conversation still stands. */
import { sql } from "kysely";
import type { JobHandler } from "../queue/queue.ts";
import type { Service } from "../service.ts";

/** `id` of the job: project and turn. */
export function categorizeHandler({ db }: Pick<Service, "db">): JobHandler {
  return {
    attempts: 3,
    async run({ id }) {
      const [projectId = "", turnId = ""] = id.split(" ");
      await db
        .updateTable("conversations")
        .set({ query_category: sql`theme` })
        .where("project_id", "=", projectId)
        .where("id", "=", turnId)
        .where("is_finished", "=", true)
        .execute();
    },
    // A question without a category is one of those that have none.
    async giveUp() {},
  };
}
