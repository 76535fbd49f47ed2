/** Checks the paths that commands write to. */

import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command.ts";

/**
 * Returns the absolute path of an output. Throws `UsageError` if it, or a parent, is a symbolic link in a Git
 * work tree, since whoever committed the link would determine where the command writes and deletes files.
 */
export function outputPath(name: string): string {
  const output = path.resolve(name);
  for (let at = output, parent = path.dirname(at); at !== parent; at = parent, parent = path.dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() && isInWorkTree(parent))
      throw new UsageError(
        `${name} can't be used, because ${path.relative(process.cwd(), at) || at} is a symbolic link in a Git repository. Enter the path that it points to, or delete the link.`,
      );
  return output;
}

function isInWorkTree(folder: string): boolean {
  return (
    existsSync(path.join(folder, ".git")) ||
    (path.dirname(folder) !== folder && isInWorkTree(path.dirname(folder)))
  );
}
