/** Combines the packs of repositories, and deletes packs that no repository needs. */

import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { readUlid, ulidTime } from "../../base/ulid.ts";
import { privateFolder } from "../../io/private-folder.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Service } from "../core/service.ts";
import { openCopy, packKey, sweepCopies } from "../storage/git-copies.ts";

/** Number of packs of a repository after which they're combined. Each push adds one. */
const packs_count = 20;
/**
 * How long a pack is kept after it was replaced, and minimum age of a pack that is deleted because no
 * repository has it. Longer than a backup or a push takes.
 */
const keptPack_ms = 24 * 3_600_000;

export async function sweepRepositories(service: Service): Promise<void> {
  await forEach([combinePacks, deleteReplaced, deleteOrphans, sweepCopies], (sweep) => sweep(service));
}

/** Runs `work` for each value, one after another, also after an error. Then throws the first error. */
async function forEach<Value>(
  values: readonly Value[],
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const value of values) await work(value).catch((error: unknown) => void errors.push(error));
  if (errors.length) throw errors[0];
}

async function combinePacks(service: Service): Promise<void> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from git_repositories
    where (select count(*) from jsonb_array_elements(packs) pack where not pack ? 'replacedAt') > ${packs_count}`.execute(
    service.db,
  );
  await forEach(rows, ({ project_id }) => combine(service, project_id));
}

/**
 * Replaces the packs of a repository with one that has the objects of its refs. Does nothing if there was a
 * push in the meantime.
 */
async function combine(service: Service, projectId: string): Promise<void> {
  const copy = await openCopy(service, projectId);
  const scratch = path.join(service.settings.workFolder, "packs", service.ulid());
  privateFolder(scratch);
  try {
    await copy.git.run(["pack-objects", "--quiet", "--all", "--revs", path.join(scratch, "pack")], {
      config: { "pack.threads": "1", "pack.windowMemory": "64m" },
    });
    const file = readdirSync(scratch).find((name) => name.endsWith(".pack"));
    if (file === undefined) return;
    const name = file.slice("pack-".length, -".pack".length);
    const pack = { id: service.ulid(), name, bytes: statSync(path.join(scratch, file)).size };
    // An equal pack has the same name, so copies don't read it again.
    if (copy.packs.some((known) => known.name === name)) return;
    await service.objects.put(packKey(projectId, pack), { file: path.join(scratch, file) });

    await service.db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom("git_repositories")
        .select(["packs", "version"])
        .where("project_id", "=", projectId)
        .forUpdate()
        .executeTakeFirst();
      if (row?.version !== copy.version) return;
      const replacedAt = new Date().toISOString();
      const packs = [...row.packs.map((known) => ({ replacedAt, ...known })), pack];
      await tx
        .updateTable("git_repositories")
        .set({ packs: databaseJson(packs), version: row.version + 1 })
        .where("project_id", "=", projectId)
        .execute();
    });
  } finally {
    await removeFolder(scratch);
  }
}

/** Deletes packs that were replaced long ago. */
async function deleteReplaced({ db, objects }: Service): Promise<void> {
  const rows = await db
    .selectFrom("git_repositories")
    .select("project_id")
    .where(sql<boolean>`packs::text like '%"replacedAt"%'`)
    .execute();

  for (const { project_id } of rows) {
    const old = await db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom("git_repositories")
        .select("packs")
        .where("project_id", "=", project_id)
        .forUpdate()
        .executeTakeFirst();
      const isOld = ({ replacedAt }: { replacedAt?: string }) =>
        replacedAt !== undefined && Date.now() - Date.parse(replacedAt) > keptPack_ms;
      const packs = row?.packs ?? [];
      if (!packs.some(isOld)) return [];
      await tx
        .updateTable("git_repositories")
        .set({ packs: databaseJson(packs.filter((pack) => !isOld(pack))) })
        .where("project_id", "=", project_id)
        .execute();
      return packs.filter(isOld);
    });
    for (const pack of old) await objects.delete(packKey(project_id, pack));
  }
}

/** Deletes packs of deleted projects, and of pushes that weren't accepted. */
async function deleteOrphans({ db, objects }: Service): Promise<void> {
  for await (const key of objects.keys("repositories/")) {
    const [, project = "", pack = ""] = /^repositories\/([^/]+)\/([^/]+)\.pack$/.exec(key) ?? [];
    const [projectId, id] = [readUlid(project), readUlid(pack)];
    if (projectId === undefined || id === undefined || Date.now() - ulidTime(id) < keptPack_ms) continue;
    const row = await db
      .selectFrom("git_repositories")
      .select("packs")
      .where("project_id", "=", projectId)
      .executeTakeFirst();
    if (!row?.packs.some((known) => known.id === id)) await objects.delete(key);
  }
}
