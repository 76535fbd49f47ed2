/**
 * Creates the files of a new embedded database from a migrated cluster that ships with the product. Running
 * initdb and all migrations would take more time and memory.
 */

import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-stream";

/** Maximum number of files that are synced concurrently. */
const synced_count = 16;

/**
 * Unpacks the cluster (a tar archive, compressed with Brotli) unless the folder contains one. After a crash,
 * the folder is either complete or missing.
 */
export async function prepareCluster(template: string, folder: string): Promise<void> {
  if (existsSync(path.join(folder, "PG_VERSION"))) return;
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  const written: string[] = [];
  const unpacked = extract();
  const work = (async () => {
    for await (const entry of unpacked) {
      const at = path.join(temporary, entry.header.name);
      if (entry.header.type === "directory") {
        await mkdir(at, { recursive: true, mode: 0o700 });
        entry.resume();
        continue;
      }
      await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      await writeFile(at, chunks, { mode: 0o600 });
      written.push(at);
    }
  })();

  await Promise.all([pipeline(createReadStream(template), createBrotliDecompress(), unpacked), work]);

  // The database only syncs files that it changes. All files must survive a power failure.
  for (let from = 0; from < written.length; from += synced_count)
    await Promise.all(written.slice(from, from + synced_count).map(sync));
  await rm(folder, { recursive: true, force: true });
  await rename(temporary, folder);
  await sync(path.dirname(folder));
}

async function sync(at: string): Promise<void> {
  const handle = await open(at, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
