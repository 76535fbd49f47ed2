/**
 * Purges deployments. A deployment's content is in its manifest, its sources and its exports, in its row
 * (documents, problems and log) and events, and in this process's build cache. A sweep later deletes the
 * files that no deployment uses anymore.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { deleteManifest } from "../storage/manifests.ts";
import { purgeExports } from "../storage/purge-exports.ts";
import { measureStorage } from "../storage/storage-usage.ts";
import { deleteBuildCache } from "./build-cache.ts";
import { getDeployment } from "./deployments.ts";
import { lockProject, type Owner, publishRevision } from "./project-row.ts";
import { deleteUnusedSources } from "./sources.ts";

/**
 * Deletes all of a deployment's content, and stops the deployment if it's queued or running. Throws "not
 * found" if there is no such deployment, and a conflict if the deployment is live.
 */
export async function purge(service: Service, owner: Owner, id: string): Promise<void> {
  const { project_id } = await getDeployment(service, owner, id);
  const purged = await service.db.transaction().execute(async (tx) => {
    const { live_deployment_id } = await lockProject(tx, owner, project_id);
    if (live_deployment_id === id)
      throw new AppError("conflict", "The deployment is live. Make another deployment live first.");

    // The sweep keeps the problems and log of the deployments that it purges.
    await tx
      .updateTable("deployments")
      .set({ problems: "[]", logs: "[]", log_times: "[]" })
      .where("id", "=", id)
      .execute();

    await tx
      .deleteFrom("notification_events")
      .where("project_id", "=", project_id)
      .where(sql`data ->> 'deploymentId'`, "=", id)
      .execute();

    return markPurged(tx, project_id, id);
  });

  await purgeExports(service, project_id, id);
  await deleteBuildCache(service.settings.workFolder, project_id);
  if (purged) await deletePurgedObjects(service, project_id, purged);

  await measureStorage(service, owner.organizationId);
}

interface PurgedDeployment {
  id: string;
  attempt: number;
  /** Object key of the sources; null if none were stored. */
  archive: string | null;
}

/**
 * Marks the row as purged, which stops a worker that runs the deployment. The project must be locked. Returns
 * undefined if the deployment was purged before.
 */
export async function markPurged(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<PurgedDeployment | undefined> {
  const { rows } = await sql<PurgedDeployment>`
    with old as (select id, attempt, snapshot ->> 'archive' as archive from deployments where id = ${id} and purged_at is null)
    update deployments set
      purged_at = clock_timestamp(), snapshot = null, ended_at = coalesce(ended_at, clock_timestamp()),
      summary = case when status in ('queued', 'in_progress') then 'Deleted before the build finished' else summary end,
      status = case when status in ('queued', 'in_progress') then 'failure' else status end
    from old where deployments.id = old.id returning old.id, old.attempt, old.archive`.execute(tx);
  await tx.updateTable("projects").set(publishRevision).where("id", "=", projectId).execute();
  return rows[0];
}

/** Deletes the manifest of a purged deployment, and its sources if no other deployment uses them. */
export async function deletePurgedObjects(
  service: Service,
  projectId: string,
  { id, attempt, archive }: PurgedDeployment,
): Promise<void> {
  await deleteManifest(service.objects, { id, attempt });
  if (archive !== null) await deleteUnusedSources(service, projectId, archive);
}
