/** Makes deployments live that are already built: rolls back, and publishes deployments with new errors. */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import { enqueueReport } from "./add-deployment.ts";
import { addBrokenLinksEvent } from "./deployment-events.ts";
import { type DeploymentRow, getDeployment } from "./deployments.ts";
import { outcomeText } from "./outcome-text.ts";
import { lockProject, type Owner, publishRevision } from "./project-row.ts";
import { addPublishedEvent } from "./published-event.ts";

/**
 * Makes an existing deployment live, without a new build. After a rollback, deployments that were created
 * before this call and are still queued or running no longer go live. If the deployment wasn't live because
 * of its errors, only those that are older don't. Throws "not found" if there is no such deployment, and a
 * conflict if the deployment is a preview, didn't succeed or was deleted.
 */
export async function rollBack(service: Service, owner: Owner, id: string): Promise<DeploymentRow> {
  const { project_id } = await getDeployment(service, owner, id);
  await service.db.transaction().execute(async (tx) => {
    const { live_deployment_id: previousId, live_after_number } = await lockProject(tx, owner, project_id);

    const row = await tx
      .selectFrom("deployments")
      .select([
        "status",
        "preview_branch",
        "purged_at",
        "held_errors",
        "number",
        "trigger",
        "organization_id",
        "problems",
        "error_count",
      ])
      .where("id", "=", id)
      .executeTakeFirst();

    if (!row) throw notFound();
    if (row.purged_at) throw new AppError("conflict", "The deployment was deleted");
    if (row.preview_branch !== null) throw new AppError("conflict", "The deployment is a preview");
    if (row.status !== "success")
      throw new AppError("conflict", `The deployment didn't succeed. Its status is ${row.status}.`);

    const isPublication = row.held_errors !== null && row.number > live_after_number;
    await tx
      .updateTable("projects")
      .set({
        live_deployment_id: id,
        live_after_number: isPublication
          ? row.number
          : sql`(select max(number) from deployments where project_id = ${project_id})`,
        ...publishRevision,
      })
      .where("id", "=", project_id)
      .execute();

    if (row.held_errors !== null) {
      await tx
        .updateTable("deployments")
        .set({
          outcome: "live",
          held_errors: null,
          summary: outcomeText("live", { ...row, held_errors: null }),
        })
        .where("id", "=", id)
        .execute();
      await enqueueReport(tx, service.queue, {
        id,
        trigger: row.trigger,
        organization_id: row.organization_id,
        project_id,
      });
      await addBrokenLinksEvent(tx, service, { ...row, id, project_id, previousId });
    }

    // Computes the vectors that a deployment without a live period doesn't have.
    if (row.held_errors !== null && service.embedding)
      await service.queue.enqueue(
        tx,
        "embed-passages",
        { deploymentId: id },
        {
          organizationId: row.organization_id,
          projectId: project_id,
        },
      );
    await addPublishedEvent({ ...service, db: tx }, project_id, isPublication ? "deployment" : "rollback");
  });

  return getDeployment(service, owner, id);
}
