/**
 * Tracks the number of bytes that an organization uses in the object store: sources, built files, bundles,
 * and packs of repositories. Uploads, new built files, bundles, and packs are added to a stored sum. Sweeps
 * and purges measure the sum again, which adds sources from git and folders, and subtracts deleted objects. A
 * file that several deployments of an organization use counts once.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { readManifest } from "./manifests.ts";

/** Adds newly stored bytes to the organization's sum. */
export async function addStored(db: Database, organizationId: string, bytes: number): Promise<void> {
  await db
    .updateTable("organizations")
    .set({ stored_bytes: sql<number>`coalesce(stored_bytes, 0) + ${bytes}` })
    .where("id", "=", organizationId)
    .execute();
}

/**
 * Throws an AppError if the organization has used up its storage. `own_bytes`: already counted bytes of the
 * deployment that is checked.
 */
export async function requireStorage(
  db: Database,
  { storageLimit_bytes }: Service["settings"],
  organizationId: string,
  own_bytes = 0,
): Promise<void> {
  const row = await db
    .selectFrom("organizations")
    .select("stored_bytes")
    .where("id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const used = row.stored_bytes ?? 0;
  if (used - own_bytes >= storageLimit_bytes)
    throw new AppError("conflict", storageFull(used, storageLimit_bytes));
}

function storageFull(used: number, limit: number): string {
  const mb = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  return `Your organization has reached its storage limit (${mb(used)} of ${mb(limit)} used). Delete deployments that you don't need, or ask the service's operator for more storage. Live sites stay up, and nothing is deleted.`;
}

/** Measures the stored bytes and updates the sum. Returns the hashes of all built files in use. */
export async function measureStorage(service: Service, organizationId: string): Promise<Set<string>> {
  const { db, objects } = service;
  const deployments = await db
    .selectFrom("deployments")
    .select(["id", "attempt", "status", sql<string | null>`snapshot ->> 'archive'`.as("archive")])
    .where("organization_id", "=", organizationId)
    .where("purged_at", "is", null)
    .execute();

  const hashes = new Set<string>();
  let bytes = 0;
  for (const deployment of deployments) {
    if (deployment.status !== "success") continue;
    for (const file of Object.values((await readManifest(objects, deployment)).files)) {
      if (hashes.has(file.hash)) continue;
      hashes.add(file.hash);
      bytes += Object.values(file.encodings).reduce((sum, packed) => sum + packed, file.bytes);
    }
  }

  for (const archive of new Set(deployments.flatMap(({ archive }) => archive ?? [])))
    bytes += (await objects.size(archive)) ?? 0;

  const packs = await db
    .selectFrom("git_repositories")
    .innerJoin("projects", "projects.id", "git_repositories.project_id")
    .select("packs")
    .where("projects.organization_id", "=", organizationId)
    .execute();

  for (const pack of packs.flatMap((row) => row.packs)) bytes += pack.bytes;

  const exports = await db
    .selectFrom("static_export_jobs")
    .select(sql<number>`coalesce(sum(bundle_bytes + coalesce(delta_bytes, 0)), 0)`.as("bytes"))
    .where("organization_id", "=", organizationId)
    .where("bundle_key", "is not", null)
    .executeTakeFirstOrThrow();

  await db
    .updateTable("organizations")
    .set({ stored_bytes: bytes + exports.bytes })
    .where("id", "=", organizationId)
    .execute();

  return hashes;
}
