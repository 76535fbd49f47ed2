/**
 * Deletes unused files (mark and sweep). The sweep marks the files of all deployments as used, and deletes
 * files that haven't been marked for a day. A running deployment marks the files that it reuses under the
 * same row lock, so they can't be deleted at the same time.
 */

import { sql } from "kysely";
import { fileKey } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";
import { measureStorage } from "./storage-usage.ts";

/** How long a file that no deployment uses is kept. Longer than any build. */
const unusedFile_ms = 24 * 3_600_000;

/** Maximum number of rows per statement. */
const batch_count = 1_000;

export async function sweepFiles(service: Service): Promise<void> {
  await markUsed(service);
  await deleteUnused(service);
}

async function markUsed(service: Service): Promise<void> {
  for (const { id } of await service.db.selectFrom("organizations").select("id").execute()) {
    const hashes = [...(await measureStorage(service, id))].sort();
    for (let at = 0; at < hashes.length; at += batch_count)
      await service.db
        .updateTable("stored_files")
        .set({ used_at: sql`clock_timestamp()` })
        .where("hash", "=", sql<string>`any(${hashes.slice(at, at + batch_count)})`)
        // A mark is only renewed after half of `unusedFile_ms`, which saves writes.
        .where("used_at", "<", sql<Date>`now() - ${unusedFile_ms / 2} * interval '1 millisecond'`)
        .execute();
  }
}

/**
 * Deletes unused files while their rows are locked. A deployment that needs one of the files waits, finds no
 * row, and stores the file again.
 */
async function deleteUnused(service: Service): Promise<void> {
  for (;;) {
    const deleted = await service.db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom("stored_files")
        .select(["hash", "encodings"])
        .where("used_at", "<", sql<Date>`now() - ${unusedFile_ms} * interval '1 millisecond'`)
        .limit(20)
        .forUpdate()
        .skipLocked()
        .execute();

      for (const { hash, encodings } of rows) {
        await service.objects.delete(fileKey(hash));
        for (const encoding of Object.keys(encodings) as (keyof typeof encodings)[])
          await service.objects.delete(fileKey(hash, encoding));
      }

      const hashes = rows.map(({ hash }) => hash);
      await tx.deleteFrom("stored_files").where("hash", "=", sql<string>`any(${hashes})`).execute();
      return rows.length;
    });
    if (deleted === 0) return;
  }
}
