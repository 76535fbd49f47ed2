/**
 * Removes what nobody can reach any more. Marks first: every deployment that is kept says which stored files it names, and what
 * nobody has named for a day goes. A deployment that is being made marks what it finds before it relies on it, under the same lock
 * of the row, so the two never disagree.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { ulidTime } from "../../base/ulid.ts";
import { fileKey } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";
import { deploymentIdInKey } from "../storage/manifests.ts";
import { measureStorage } from "../storage/storage-usage.ts";
import { tidyBuildCaches } from "./build-cache.ts";
import { deletePurgedObjects, markPurged } from "./deployments.ts";

/** Rows that one statement touches. */
const batch_count = 1_000;

export async function sweep(service: Service): Promise<void> {
  await purgeOld(service);
  await deleteHistory(service);
  await markUsed(service);
  await deleteUnused(service);
  await deleteOrphans(service);
  await tidyBuildCaches(service.settings.workFolder);
}

/** Deployments beyond those that can be gone back to, and previews whose time is over. */
async function purgeOld(service: Service): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select d.id, d.project_id from (
      select *, row_number() over (partition by project_id, preview_branch is null, status order by number desc) as place,
        row_number() over (partition by project_id, preview_host order by number desc) as preview_place
      from deployments where purged_at is null and status in ('success', 'failure')
    ) d join projects p on p.id = d.project_id
    where d.id is distinct from p.live_deployment_id
      and d.ended_at < now() - ${limits.keptDeployment_ms} * interval '1 millisecond'
      and case
        when d.status = 'failure' then true
        when d.preview_branch is null then d.place > ${limits.keptDeployments_count}
        else d.preview_place > 1 or d.ended_at < now() - ${limits.preview_ms} * interval '1 millisecond' end`.execute(service.db);
  for (const { id, project_id } of rows) {
    const gone = await service.db.transaction().execute(async (tx) => {
      const project = await tx
        .selectFrom("projects")
        .select("live_deployment_id")
        .where("id", "=", project_id)
        .forUpdate()
        .executeTakeFirst();
      return project && project.live_deployment_id !== id ? markPurged(tx, project_id, id) : undefined;
    });
    if (gone) await deletePurgedObjects(service, project_id, gone);
  }
}

async function deleteHistory({ db }: Service): Promise<void> {
  await db
    .deleteFrom("deployments")
    .where("purged_at", "is not", null)
    .where("ended_at", "<", sql<Date>`now() - ${limits.deploymentHistory_ms} * interval '1 millisecond'`)
    .execute();
}

async function markUsed(service: Service): Promise<void> {
  for (const { id } of await service.db.selectFrom("organizations").select("id").execute()) {
    const hashes = [...(await measureStorage(service, id))].sort();
    for (let at = 0; at < hashes.length; at += batch_count)
      await service.db
        .updateTable("stored_files")
        .set({ used_at: sql`clock_timestamp()` })
        .where("hash", "=", sql<string>`any(${hashes.slice(at, at + batch_count)})`)
        // Half of the time it may be unused is soon enough to say so again.
        .where("used_at", "<", sql<Date>`now() - ${limits.unusedFile_ms / 2} * interval '1 millisecond'`)
        .execute();
  }
}

/** Deletes files while their row is locked: a deployment that needs them waits, finds no row, and stores them again. */
async function deleteUnused(service: Service): Promise<void> {
  for (;;) {
    const deleted = await service.db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom("stored_files")
        .select(["hash", "encodings"])
        .where("used_at", "<", sql<Date>`now() - ${limits.unusedFile_ms} * interval '1 millisecond'`)
        .limit(20)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const { hash, encodings } of rows) {
        await service.objects.delete(fileKey(hash));
        for (const encoding of Object.keys(encodings) as (keyof typeof encodings)[]) await service.objects.delete(fileKey(hash, encoding));
      }
      const hashes = rows.map(({ hash }) => hash);
      await tx.deleteFrom("stored_files").where("hash", "=", sql<string>`any(${hashes})`).execute();
      return rows.length;
    });
    if (deleted === 0) return;
  }
}

/** Sources and manifests of deployments that are no more: their project was deleted, or their worker died over them. */
async function deleteOrphans({ db, objects }: Service): Promise<void> {
  for (const prefix of ["sources/", "manifests/"])
    for await (const key of objects.keys(prefix)) {
      const id = deploymentIdInKey(key);
      if (id === undefined || Date.now() - ulidTime(id) < limits.keptDeployment_ms) continue;
      const hasContentHash = await db
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
      if (!hasContentHash) await objects.delete(key);
    }
}

/** What a process left that ended in the middle. To be called before it takes uploads and jobs: the folder is its own. */
export function clearDeploymentScratch({ settings }: Pick<Service, "settings">): void {
  for (const name of ["deployments", "uploads"]) rmSync(path.join(settings.workFolder, name), { recursive: true, force: true });
}
