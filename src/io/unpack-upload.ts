/** Unpacks an uploaded archive of a documentation folder: a tar.gz or a zip file. */

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { limits } from "../base/limits.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { unpackZip } from "./unpack-zip.ts";

/**
 * Maximum total size in bytes of the files in an archive that are skipped because of their folder, such as
 * `node_modules`.
 */
const sourcesSkipped_bytes = 2 * 1024 * 1024 * 1024;

/** Unpacks the archive into `folder`, which must not exist. Throws `BadArchive`. */
export async function unpackUpload(file: string, folder: string): Promise<void> {
  const caps = {
    entries_count: limits.sourceFiles_count,
    file_bytes: limits.sourceFile_bytes,
    total_bytes: limits.sources_bytes,
  };
  const skipped = { has: isInSkippedFolder, total_bytes: sourcesSkipped_bytes };
  // The work folder is on a local disk.
  if (isZip(await firstBytes(file))) await unpackZip(createReadStream(file), folder, caps, { skipped });
  else await unpackArchive(file, folder, caps, { skipped, isBlocking: true });
}

/** Whether these are the first bytes of a zip file. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    return (await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer;
  } finally {
    await handle.close();
  }
}
