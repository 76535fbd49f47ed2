/** Lists a folder's contents while a running service adds and deletes files. */

import { type Dirent, readdirSync } from "node:fs";
import path from "node:path";

/**
 * All files and folders below `folder`, at any depth. A folder that was deleted in the meantime counts as
 * empty.
 */
export function entriesBelow(folder: string): Dirent[] {
  return entriesOf(folder).flatMap((entry) => [
    entry,
    ...(entry.isDirectory() ? entriesBelow(path.join(folder, entry.name)) : []),
  ]);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
