/** Determines the path of the documentation folder that a command works on. */

import { statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command.ts";

/**
 * Returns the absolute path of the documentation folder. Default: the current folder. Throws `UsageError` if
 * there is no folder.
 */
export function docsFolder(argument: string | undefined): string {
  const folder = path.resolve(argument ?? ".");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`Folder not found: ${argument ?? folder}`);
  if (!found.isDirectory())
    throw new UsageError(`${argument} is a file. Enter the path of a documentation folder.`);
  return folder;
}
