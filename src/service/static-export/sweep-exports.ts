/**
 * Fails exports that were queued for too long. Deletes expired bundles, old rows, expired idempotency keys,
 * and objects without a row.
 */

import path from "node:path";
import { sql } from "kysely";
import { deleteExpiredIdempotencyKeys } from "../core/idempotency.ts";
import type { Service } from "../core/service.ts";
import { bundlesPrefix } from "./export-bundle.ts";
import { fail } from "./export-job.ts";
import { bundleExpiry } from "./retention.ts";

/** Maximum time that an export is queued before it fails. */
const exportQueued_s = 24 * 3_600;
/** How long the row of an export without a bundle is kept after the export ended. */
const exportKept_s = 90 * 24 * 3_600;
/**
 * Delay between the expiry of a bundle's last link and the deletion of the bundle, because the clocks of
 * processes differ.
 */
const linkMargin_s = 300;

/** Returns the folder for temporary files of running exports. */
export function exportsFolder({ settings }: Pick<Service, "settings">): string {
  return path.join(settings.workFolder, "exports");
}

/** Runs the sweep. Several processes can run it at the same time. */
export async function sweepExports(service: Service): Promise<void> {
  await expireQueued(service);
  await expireBundles(service);
  await deleteRows(service);
  await deleteObjects(service);
  await deleteExpiredIdempotencyKeys(service);
}

async function expireQueued(service: Service): Promise<void> {
  const late = await service.db
    .selectFrom("static_export_jobs")
    .select("id")
    .where("status", "=", "queued")
    .where("created_at", "<", ago(exportQueued_s))
    .execute();
  for (const { id } of late)
    await fail(service, id, `The job didn't start within ${exportQueued_s / 3_600} hours`);
}

/**
 * Clears the keys of expired bundles and their deltas after their last links have expired. `deleteObjects`
 * then deletes the objects.
 */
async function expireBundles({ db, settings }: Service): Promise<void> {
  const last_s = settings.linkLife_s + linkMargin_s;
  await sql`
    update static_export_jobs job set bundle_key = null, delta_key = null
    where bundle_key is not null and ${bundleExpiry} < clock_timestamp() - ${last_s} * interval '1 second'`.execute(
    db,
  );
}

async function deleteRows({ db }: Service): Promise<void> {
  await db
    .deleteFrom("static_export_jobs")
    .where("status", "in", ["completed", "failed"])
    .where("bundle_key", "is", null)
    .where("completed_at", "<", ago(exportKept_s))
    .execute();
}

/** Deletes objects whose keys aren't in the row of their job, if the job has ended or doesn't exist. */
async function deleteObjects({ db, objects }: Service): Promise<void> {
  for await (const key of objects.keys(bundlesPrefix)) {
    const id = key.slice(bundlesPrefix.length).split("/")[0]!;
    const row = await db
      .selectFrom("static_export_jobs")
      .select(["status", "bundle_key", "delta_key"])
      .where("id", "=", id)
      .executeTakeFirst();
    const isKept =
      row &&
      (row.status === "queued" ||
        row.status === "running" ||
        row.bundle_key === key ||
        row.delta_key === key);
    if (!isKept) await objects.delete(key);
  }
}

function ago(seconds: number) {
  return sql<Date>`clock_timestamp() - ${seconds} * interval '1 second'`;
}
