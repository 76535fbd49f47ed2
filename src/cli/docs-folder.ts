/** Determines the paths of the documentation folder that a command works on and of its page cache. */

import { statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command.ts";

/** Returns the absolute path of the documentation folder. Default: the current folder. Throws `UsageError` if the path isn't a folder. */
export function docsFolder(argument: string | undefined): string {
  const folder = path.resolve(argument ?? ".");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${argument ?? folder} isn't a folder. Enter the path of a documentation folder`);
  return folder;
}

/** Returns the folder of the page cache, inside the documentation folder. */
export function cacheFolder(folder: string): string {
  return path.join(folder, ".octavo", "cache");
}
