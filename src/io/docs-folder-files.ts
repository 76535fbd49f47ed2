import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { byCodeUnit, type Files } from "../base/files.ts";
import { type Problem, problem } from "../base/problem.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { lfsPointer_bytes, lfsPointerStart } from "./lfs-pointer.ts";

/**
 * Files that were written in the last moments have no stamp, since time stamps on some file systems are this
 * imprecise.
 */
const unsettled_ms = 3_000;

/**
 * Provides the author's folder as `Files`, without skipped folders. Symbolic links to files inside the folder
 * are followed, unless they are hidden. Other links are left out and reported as problems. Paths are in
 * Unicode's composed form (NFC). The list of paths is read once. Throws a system error if the folder can't be
 * read. Reading a file throws a system error if the file was deleted later.
 */
export function docsFolderFiles(folder: string): { files: Files; problems: Problem[] } {
  const root = realpathSync(folder);
  const problems: Problem[] = [];
  const paths: string[] = [];
  const stamps = new Map<string, string>();
  const settled_ms = Date.now() - unsettled_ms;
  const visit = (relative: string) => {
    for (const name of readdirSync(path.join(root, relative))) {
      if (isInSkippedFolder(name)) continue;
      const at = relative ? `${relative}/${name}` : name;
      const full = path.join(root, at);
      const info = lstatSync(full, { throwIfNoEntry: false });
      if (!info) {
        // A file that was deleted meanwhile is left out without a problem.
        if (name.includes("\ufffd"))
          problems.push(
            problem("unsafe-path", { file: at }, "The file name isn't valid UTF-8", "Rename the file."),
          );
      } else if (info.isSymbolicLink()) {
        if (isSourceInside(root, full)) paths.push(at);
        else
          problems.push(
            problem(
              "unsafe-path",
              { file: at },
              "The symbolic link doesn't point to a file of this folder, or the file is hidden",
              "Replace the link with the file.",
            ),
          );
      } else if (info.isDirectory()) visit(at);
      else if (info.isFile()) {
        if (isLfsPointer(full, info.size)) {
          const why = "Skipped because it's a Git LFS pointer";
          problems.push(
            problem(
              "source-skipped",
              { file: at },
              why,
              "Download the file with Git LFS, or store it in Git.",
            ),
          );
          continue;
        }
        paths.push(at);
        const { size, ino, mtimeMs, ctimeMs } = info;
        if (mtimeMs < settled_ms && ctimeMs < settled_ms)
          stamps.set(at, `${size} ${ino} ${mtimeMs} ${ctimeMs}`);
      }
    }
  };

  visit("");

  // Some systems store decomposed characters, such as u and a diaeresis for ü.
  const stored = new Map(paths.map((file) => [file.normalize("NFC"), file]));
  return {
    problems,
    files: {
      paths: [...stored.keys()].sort(byCodeUnit),
      read: (file) => (stored.has(file) ? readFileSync(path.join(root, stored.get(file)!)) : undefined),
      stamp: (file) => stamps.get(stored.get(file) ?? file),
      size: (file) => statSync(path.join(root, stored.get(file) ?? file)).size,
    },
  };
}

/** Whether a file of this size is a Git LFS pointer. */
function isLfsPointer(file: string, bytes: number): boolean {
  if (bytes < lfsPointerStart.length || bytes > lfsPointer_bytes) return false;
  return readFileSync(file, "latin1").startsWith(lfsPointerStart);
}

/**
 * Whether a link's target is a file inside the folder. Linked folders are skipped, because they could be
 * circular. Hidden files, such as .env and those in .git, can contain credentials.
 */
function isSourceInside(root: string, link: string): boolean {
  try {
    const target = realpathSync(link);
    const segments = path.relative(root, target).split(path.sep);
    return (
      target.startsWith(root + path.sep) &&
      !segments.some((segment) => segment.startsWith(".")) &&
      statSync(target).isFile()
    );
  } catch {
    return false;
  }
}
