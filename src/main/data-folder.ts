/** Reads the setting of the data folder. */

import { lstatSync } from "node:fs";
import path from "node:path";
import { readCheckoutWithGit } from "../io/checkout-git.ts";

const defaultFolder = ".octavo";

/**
 * Returns the path of the data folder. Adds a problem if the default folder came with a checkout: as a link,
 * or as files that Git tracks, whose accounts and keys would be someone else's.
 */
export function readDataFolder(env: NodeJS.ProcessEnv, problems: string[]): string {
  if (env.OCTAVO_DATA) return path.resolve(env.OCTAVO_DATA);

  const found = lstatSync(defaultFolder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink())
    problems.push(`${defaultFolder} is a symbolic link. Set OCTAVO_DATA to the data folder`);
  else if (found && isTracked(defaultFolder))
    problems.push(`Git tracks files in ${defaultFolder}. Set OCTAVO_DATA to another data folder`);

  return path.resolve(defaultFolder);
}

function isTracked(folder: string): boolean {
  try {
    return readCheckoutWithGit(".", ["ls-files", "--", folder]) !== "";
  } catch {
    return false;
  }
}
