/** Deletes bundles and deltas, so that their download links end. */

import { sql } from "kysely";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { failExports } from "./fail-exports.ts";

/**
 * Deletes the deployment's bundles, the deltas to them, and the deltas of later exports of the same domain,
 * which may start from them. Fails its exports that are queued or running.
 */
export async function purgeExports(
  { db, objects }: Pick<Service, "db" | "objects">,
  projectId: string,
  deploymentId: string,
): Promise<void> {
  await failExports(db, { project_id: projectId, deployment_id: deploymentId }, "The deployment was deleted");

  const { rows } = await sql<{ key: string }>`
    with purged as (
      select * from static_export_jobs where project_id = ${projectId} and deployment_id = ${deploymentId} and bundle_key is not null
    ), old as (
      select job.id, job.delta_key, case when job.deployment_id = ${deploymentId} then job.bundle_key end as bundle_key
      from static_export_jobs job where project_id = ${projectId} and bundle_key is not null and exists (
        select from purged where purged.domain = job.domain and purged.completed_at <= job.completed_at)
    ), cleared as (
      update static_export_jobs job
      set bundle_key = case when old.bundle_key is null then job.bundle_key end, delta_key = null, delta_bytes = null
      from old where job.id = old.id
    )
    select key from old, unnest(array[bundle_key, delta_key]) as key where key is not null`.execute(db);

  for (const { key } of rows) await objects.delete(key);
}

/** Returns the object keys of the bundles and deltas of a project or an organization. */
export async function downloadKeys(
  db: Database,
  owner: { project_id: string } | { organization_id: string },
): Promise<string[]> {
  const [[column, id]] = Object.entries(owner) as [["project_id" | "organization_id", string]];
  const rows = await db
    .selectFrom("static_export_jobs")
    .select(["bundle_key", "delta_key"])
    .where(column, "=", id)
    .where("bundle_key", "is not", null)
    .execute();
  return rows.flatMap(({ bundle_key, delta_key }) => [bundle_key, delta_key].filter((key) => key !== null));
}
