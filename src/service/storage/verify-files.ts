/**
 * Finds stored files that are missing or damaged. Their rows are deleted, so that the next deployment with
 * such a file stores it again.
 */

import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { sql } from "kysely";
import { sha256InSteps } from "../../io/sha256.ts";
import { type ContentEncoding, fileKey, type ManifestEntry } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";

export type StoredForms = Pick<ManifestEntry, "bytes" | "encodings">;

/** Maximum number and total size of the files whose content a sweep or a deployment verifies. */
export const verifyLimits = { count: 300, bytes: 32 * 1024 * 1024 };

/** Whether a stored file and its compressed forms exist and have their sizes. */
export async function hasSizes(
  { objects }: Pick<Service, "objects">,
  hash: string,
  { bytes, encodings }: StoredForms,
): Promise<boolean> {
  const sizes = [[undefined, bytes], ...Object.entries(encodings)] as [ContentEncoding | undefined, number][];
  const areRight = await Promise.all(
    sizes.map(async ([encoding, size]) => (await objects.size(fileKey(hash, encoding))) === size),
  );
  return areRight.every(Boolean);
}

/** Whether a stored file and its compressed forms have the content with this hash. */
export async function isIntact(
  service: Pick<Service, "objects">,
  hash: string,
  forms: StoredForms,
): Promise<boolean> {
  if (!(await hasSizes(service, hash, forms))) return false;
  for (const encoding of [undefined, ...(Object.keys(forms.encodings) as ContentEncoding[])]) {
    const stored = await service.objects.get(fileKey(hash, encoding));
    if (!stored || !(await hasContent({ hash, bytes: forms.bytes }, encoding, stored))) return false;
  }
  return true;
}

/** Whether the bytes of a stored file or, with `encoding`, of a compressed form of it, have its content. */
export async function hasContent(
  { hash, bytes }: Pick<ManifestEntry, "hash" | "bytes">,
  encoding: ContentEncoding | undefined,
  stored: Uint8Array,
): Promise<boolean> {
  try {
    const content = encoding ? await decompress[encoding](stored, { maxOutputLength: bytes }) : stored;
    return (await sha256InSteps(content)) === hash;
  } catch {
    return false;
  }
}

const decompress = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** Makes the next deployment with a file store it again. */
export async function forgetFile({ db }: Pick<Service, "db">, hash: string): Promise<void> {
  await db.deleteFrom("stored_files").where("hash", "=", hash).execute();
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
    if (!(await isIntact(service, hash, forms))) await forgetFile(service, hash);
  }
}
