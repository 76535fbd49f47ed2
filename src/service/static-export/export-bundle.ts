/** Creates links to the bundle of a completed export. Each call creates new links. */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { getExportJob } from "./export-job.ts";
import { bundleExpiry } from "./retention.ts";

export const bundlesPrefix = "exports/";

/**
 * Returns the object key of a bundle or delta. The key contains the job's ID, so that a sweep can find the
 * job before the key is stored in the job's row.
 */
export function bundleKey(jobId: string, sha256: string, kind: "" | ".delta"): string {
  return `${bundlesPrefix}${jobId}/${sha256}${kind}.tar.gz`;
}

export interface BundleLink {
  url: string;
  expiresAt: Date;
  bytes: number;
  sha256: string;
  /**
   * Version in the bundle's manifest. Null if an earlier release of the service created the export without a
   * label.
   */
  version: string | null;
  /** Link to the delta from the previous export; absent if there is none. */
  delta?: { url: string; bytes: number };
}

/**
 * Creates links to a job's bundle and delta. Throws an AppError if the job doesn't exist or hasn't completed,
 * or if its bundle has expired or was deleted.
 */
export async function createBundleLinks(service: Service, scope: Scope, id: string): Promise<BundleLink> {
  const row = await getExportJob(service, scope, id);
  if (row.status !== "completed")
    throw new AppError("conflict", `The job hasn't completed. Its status is ${row.status}.`);

  const bundle = await service.db
    .selectFrom("static_export_jobs as job")
    .select(["bundle_key", "bundle_bytes", "bundle_sha256", "bundle_version", "delta_key", "delta_bytes"])
    .where("id", "=", id)
    .where("bundle_key", "is not", null)
    .where(sql<boolean>`coalesce(${bundleExpiry} > clock_timestamp(), true)`)
    .executeTakeFirst();

  if (!bundle) throw new AppError("gone", "The bundle was deleted. Create a new export.");
  const linkTo = (key: string, fileName: string) =>
    service.objects.link(key, { seconds: service.settings.linkLife_s, fileName });
  const link = await linkTo(bundle.bundle_key!, "bundle.tar.gz");
  const delta = bundle.delta_key === null ? undefined : await linkTo(bundle.delta_key, "bundle.delta.tar.gz");
  return {
    ...link,
    bytes: bundle.bundle_bytes!,
    sha256: bundle.bundle_sha256!,
    version: bundle.bundle_version ?? row.version,
    ...(delta ? { delta: { url: delta.url, bytes: bundle.delta_bytes! } } : {}),
  };
}
