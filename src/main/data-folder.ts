/** Reads the setting of the data folder. */

import { lstatSync } from "node:fs";
import path from "node:path";

const defaultFolder = ".octavo";

/**
 * Returns the path of the data folder. Adds a problem if the default folder is a link, which a checkout can
 * contain.
 */
export function readDataFolder(env: NodeJS.ProcessEnv, problems: string[]): string {
  if (env.OCTAVO_DATA) return path.resolve(env.OCTAVO_DATA);
  if (lstatSync(defaultFolder, { throwIfNoEntry: false })?.isSymbolicLink())
    problems.push(`${defaultFolder} is a symbolic link. Set OCTAVO_DATA to the data folder`);
  return path.resolve(defaultFolder);
}
