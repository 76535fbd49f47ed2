/**
 * Removes temporary files that an earlier process left in the work folder, for example because it was killed.
 */

import { mkdir, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { removeFolder } from "../io/remove-folder.ts";
import { buildCaches } from "../service/deployments/build-cache.ts";

/** Folder with what is being removed. */
const removed = "removed";

/**
 * Moves everything except the build caches out of the way, and starts to remove it, which takes a while if
 * there are many files. `name`: a name that no earlier process used. `report`: called if a file can't be
 * removed.
 */
export async function clearScratch(
  workFolder: string,
  name: string,
  report: (error: unknown) => void,
): Promise<void> {
  const target = path.join(workFolder, removed, name);
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(workFolder))
    if (entry !== buildCaches && entry !== removed)
      await rename(path.join(workFolder, entry), path.join(target, entry));
  removeFolder(path.join(workFolder, removed)).catch(report);
}
