/** Finds stored files that are missing or damaged. Their rows are deleted, so that the next deployment with such a file stores it again. */

import { sql } from "kysely";
import { sha256InSteps } from "../../io/sha256.ts";
import { type ContentEncoding, fileKey, type ManifestEntry } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";

export type StoredForms = Pick<ManifestEntry, "bytes" | "encodings">;

/** Maximum number and total size of the files that a sweep or a deployment verifies. */
export const verifyLimits = { count: 300, bytes: 32 * 1024 * 1024 };

/** Whether the content of a stored file has its hash, and its compressed forms have their sizes. */
export async function isIntact({ objects }: Pick<Service, "objects">, hash: string, { bytes, encodings }: StoredForms): Promise<boolean> {
  const key = fileKey(hash);
  if ((await objects.size(key)) !== bytes) return false;
  for (const [encoding, size] of Object.entries(encodings) as [ContentEncoding, number][])
    if ((await objects.size(fileKey(hash, encoding))) !== size) return false;
  const content = await objects.get(key);
  return content !== undefined && (await sha256InSteps(content)) === hash;
}

/** Verifies some of the stored files, beginning at a random one. */
export async function sweepStoredFiles(service: Service): Promise<void> {
  const start = service.random(32).toString("hex");
  const rows = await service.db
    .selectFrom("stored_files")
    .select(["hash", "bytes", "encodings"])
    .orderBy(sql`hash < ${start}`)
    .orderBy("hash")
    .limit(verifyLimits.count)
    .execute();
  let left_bytes = verifyLimits.bytes;
  for (const { hash, ...forms } of rows) {
    // A file that exceeds the limit is verified alone.
    if (forms.bytes > left_bytes && left_bytes < verifyLimits.bytes) return;
    left_bytes -= forms.bytes;
    if (!(await isIntact(service, hash, forms))) await service.db.deleteFrom("stored_files").where("hash", "=", hash).execute();
  }
}
