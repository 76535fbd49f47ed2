/**
 * Handles exports of projects that have no live deployment yet. Such an export waits for the newest
 * deployment that is queued or running when the export is created. If that deployment succeeds, the export's
 * job is queued. If it fails or is canceled, the export fails.
 */

import type { Queue } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import type { Database, Tx } from "../core/tables.ts";
import { fail } from "./export-job.ts";

/**
 * Queues the jobs of exports that wait for a deployment. Must be called in the transaction that completes the
 * deployment.
 */
export async function queueWaitingExports(tx: Tx, queue: Queue, deploymentId: string): Promise<void> {
  for (const { id, organization_id: organizationId, project_id: projectId } of await waitingFor(
    tx,
    deploymentId,
  ))
    await queue.enqueue(tx, "static-export", { exportId: id }, { organizationId, projectId });
}

/** Fails the exports that wait for a deployment. Must be called after the deployment has failed. */
export async function failWaitingExports(
  service: Pick<Service, "db" | "ulid" | "settings">,
  deploymentId: string,
  summary: string,
): Promise<void> {
  for (const { id } of await waitingFor(service.db, deploymentId))
    await fail(service, id, `The deployment failed: ${summary}`);
}

function waitingFor(db: Database | Tx, deploymentId: string) {
  return db
    .selectFrom("static_export_jobs")
    .select(["id", "organization_id", "project_id"])
    .where("deployment_id", "=", deploymentId)
    .where("status", "=", "queued")
    .execute();
}
