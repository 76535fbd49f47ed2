import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { isInSkippedFolder } from "../../base/skipped-folders.ts";

const configs = ["docs.json", "mint.json"];
/** Maximum number of folders that are searched. */
const folders_count = 2_000;

/**
 * Returns the nearest folder in or below `root` that has a docs.json file. Undefined if there is none. Hidden
 * folders aren't searched.
 */
export function findDocsFolder(root: string): string | undefined {
  const queue = [root];
  for (let index = 0; index < Math.min(queue.length, folders_count); index++) {
    const folder = queue[index]!;
    if (configs.some((name) => existsSync(path.join(folder, name)))) return folder;
    for (const name of foldersIn(folder)) queue.push(path.join(folder, name));
  }
  return undefined;
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !isInSkippedFolder(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
