import type { Dir } from "node:fs";
import { opendir, rmdir, unlink } from "node:fs/promises";
import path from "node:path";

/**
 * Removes a folder with everything in it, one file at a time. The recursive `rm` of Node starts all deletions
 * of a folder at once, which blocks the main thread for a second if there are 100,000 files. Does nothing if
 * the folder doesn't exist. Tries again if another process still writes to the folder.
 */
export async function removeFolder(folder: string, tries = 3): Promise<void> {
  let entries: Dir;
  try {
    entries = await opendir(folder);
  } catch (error) {
    return ifMissing(error);
  }

  for await (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await removeFolder(file);
    // `rm` takes more than twice the CPU time.
    else await unlink(file).catch(ifMissing);
  }

  try {
    await rmdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || tries <= 1) throw error;
    await removeFolder(folder, tries - 1);
  }
}

function ifMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
