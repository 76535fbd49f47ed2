/** Deletes old deployments, and the files that only they used. */

import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { ulidTime } from "../../base/ulid.ts";
import type { Service } from "../core/service.ts";
import { deploymentIdInKey } from "../storage/manifests.ts";
import { sweepFiles } from "../storage/sweep-files.ts";
import { sweepBuildCaches } from "./build-cache.ts";
import { deletePurgedObjects, markPurged } from "./purge-deployment.ts";

/**
 * Minimum time before the sweep purges a deployment that has ended, or deletes objects without a deployment.
 */
const keptDeployment_ms = 24 * 3_600_000;
/** How long the row of a purged deployment is kept after the deployment ended. */
const deploymentHistory_ms = 90 * 24 * 3_600_000;
export async function sweepDeployments(service: Service): Promise<void> {
  await purgeOld(service);
  await deleteHistory(service);
  await sweepFiles(service);
  await deleteOrphans(service);
  await sweepBuildCaches(service.settings.workFolder);
}

/**
 * Purges failed deployments, deployments above the number that is kept for rollback, and replaced or expired
 * previews.
 */
async function purgeOld(service: Service): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select d.id, d.project_id from (
      select *, row_number() over (partition by project_id, preview_branch is null, status order by number desc) as nth,
        row_number() over (partition by project_id, preview_host, status order by number desc) as preview_nth
      from deployments where purged_at is null and status in ('success', 'failure')
    ) d join projects p on p.id = d.project_id
    where d.id is distinct from p.live_deployment_id
      and d.ended_at < now() - ${keptDeployment_ms} * interval '1 millisecond'
      and case
        when d.status = 'failure' then true
        when d.preview_branch is null then d.nth > ${limits.keptDeployments_count}
        else d.preview_nth > 1 or d.ended_at < now() - ${limits.preview_ms} * interval '1 millisecond' end`.execute(
    service.db,
  );

  for (const { id, project_id } of rows) {
    const purged = await service.db.transaction().execute(async (tx) => {
      const project = await tx
        .selectFrom("projects")
        .select("live_deployment_id")
        .where("id", "=", project_id)
        .forUpdate()
        .executeTakeFirst();
      return project && project.live_deployment_id !== id ? markPurged(tx, project_id, id) : undefined;
    });
    if (purged) await deletePurgedObjects(service, project_id, purged);
  }
}

async function deleteHistory({ db }: Service): Promise<void> {
  await db
    .deleteFrom("deployments")
    .where("purged_at", "is not", null)
    .where("ended_at", "<", sql<Date>`now() - ${deploymentHistory_ms} * interval '1 millisecond'`)
    .execute();
}

/**
 * Deletes old sources and manifests that no deployment uses, for example because their project was deleted or
 * a process crashed before it wrote the row.
 */
async function deleteOrphans({ db, objects }: Service): Promise<void> {
  for (const prefix of ["sources/", "manifests/"])
    for await (const key of objects.keys(prefix)) {
      const id = deploymentIdInKey(key);
      if (id === undefined || Date.now() - ulidTime(id) < keptDeployment_ms) continue;
      const usedBy = await db
        .selectFrom("deployments")
        .select("id")
        .where((where) =>
          where.or([
            where.and([where("id", "=", id), where("purged_at", "is", null)]),
            where(sql<string>`snapshot ->> 'archive'`, "=", key),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      if (!usedBy) await objects.delete(key);
    }
}
