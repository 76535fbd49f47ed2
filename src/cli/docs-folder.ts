/** The documentation folder of a command, and its page cache. */

import { statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command.ts";

/** The absolute path of the documentation folder, by default the current folder. Throws `UsageError` if it isn't a folder. */
export function docsFolder(argument: string | undefined): string {
  const folder = path.resolve(argument ?? ".");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${argument ?? folder} isn't a folder`);
  return folder;
}

/** The folder of the page cache, inside the documentation folder. */
export function cacheFolder(folder: string): string {
  return path.join(folder, ".octavo", "cache");
}
