/**
 * Handles the job that sets the category of a question. The job is separate from the answer, so a failure
 * doesn't affect the message.
 */

import { sql } from "kysely";
import type { JobHandler } from "../core/queue.ts";
import type { Service } from "../core/service.ts";

export function categorizeHandler({ db }: Pick<Service, "db">): JobHandler<"categorize"> {
  return {
    attempts: 3,
    async run({ payload: { projectId, messageId } }) {
      // The assistant has stored the category as `theme`. API clients see it only once this job has copied it
      // to `query_category`.
      await db
        .updateTable("conversations")
        .set({ query_category: sql`theme` })
        .where("project_id", "=", projectId)
        .where("id", "=", messageId)
        .where("is_finished", "=", true)
        .execute();
    },
    async giveUp() {},
  };
}
