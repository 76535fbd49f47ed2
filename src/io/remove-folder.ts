import type { Dir, OpenDirOptions } from "node:fs";
import { opendir, rmdir, unlink } from "node:fs/promises";
import { sep } from "node:path";

/**
 * Removes a folder with everything in it, one file at a time. The recursive `rm` of Node starts all deletions
 * of a folder at once, which blocks the main thread for a second if there are 100,000 files. Does nothing if
 * the folder doesn't exist. Tries again if another process still writes to the folder.
 */
export function removeFolder(folder: string): Promise<void> {
  return remove(Buffer.from(folder), 3);
}

/** Names are bytes, because a name that isn't UTF-8 couldn't be written as text. */
async function remove(folder: Buffer, tries: number): Promise<void> {
  let entries: Dir;
  try {
    entries = await opendir(folder, names);
  } catch (error) {
    return ifMissing(error);
  }

  for await (const entry of entries) {
    const file = Buffer.concat([folder, Buffer.from(sep), entry.name as unknown as Buffer]);
    if (entry.isDirectory()) await remove(file, 3);
    // `rm` takes more than twice the CPU time.
    else await unlink(file).catch(ifMissing);
  }

  try {
    await rmdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || tries <= 1) throw error;
    await remove(folder, tries - 1);
  }
}

/** The types of Node lack this encoding. */
const names = { encoding: "buffer" } as unknown as OpenDirOptions;

function ifMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
