/** Lists the files of the site to import. */

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { byCodeUnit, type Files } from "../../src/base/files.ts";
import { limits } from "../../src/base/limits.ts";
import { type Problem, problem } from "../../src/base/problem.ts";
import { unsafeName } from "../../src/base/safe-name.ts";
import { isInSkippedFolder } from "../../src/base/skipped-folders.ts";

/**
 * Lists the files of a folder. Hidden files and folders, and skipped folders, are left out. Symbolic links,
 * files with unsafe names and very large files are left out and reported as problems. Throws an `Error` if
 * there are too many files.
 */
export function importSource(folder: string): { files: Files; problems: Problem[] } {
  const problems: Problem[] = [];
  const sizes = new Map<string, number>();
  const leaveOut = (file: string, message: string, hint: string) =>
    problems.push(problem("import-left-out", { file }, message, hint));
  const visit = (relative: string) => {
    for (const name of readdirSync(path.join(folder, relative)).sort(byCodeUnit)) {
      if (name.startsWith(".") || isInSkippedFolder(name)) continue;
      const at = relative ? `${relative}/${name}` : name;
      const info = lstatSync(path.join(folder, at));
      if (info.isSymbolicLink())
        leaveOut(
          at,
          "The symbolic link wasn't imported",
          "Replace the link with a copy of its target, and import again.",
        );
      else if (unsafeName(at))
        leaveOut(
          at,
          `The file wasn't imported, because its path ${unsafeName(at)}`,
          "Rename the file, and import again.",
        );
      else if (info.isDirectory()) visit(at);
      else if (!info.isFile()) continue;
      else if (info.size > limits.sourceFile_bytes)
        leaveOut(
          at,
          `The file wasn't imported, because it's larger than ${limits.sourceFile_bytes / 1024 / 1024} MB`,
          "Host it elsewhere, and link to it.",
        );
      else if (sizes.size < limits.sourceFiles_count) sizes.set(at, info.size);
      else
        throw new Error(
          `The folder contains more than ${limits.sourceFiles_count} files. Remove files that the site doesn't use.`,
        );
    }
  };
  visit("");
  return {
    problems,
    files: {
      paths: [...sizes.keys()].sort(byCodeUnit),
      read: (file) => (sizes.has(file) ? readFileSync(path.join(folder, file)) : undefined),
      size: (file) => sizes.get(file) ?? 0,
    },
  };
}
