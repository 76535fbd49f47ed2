/** Writes untrusted files to a new folder. Never overwrites an existing file or follows a link. */

import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdir, open, opendir } from "node:fs/promises";
import path from "node:path";
import { byCodeUnit, type Files } from "../base/files.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";

const newFile_flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const newFile_mode = 0o644;
/** Number of entries of a folder that are listed before other work of the thread continues. */
const entries_count = 256;

export class PlainFolder {
  private readonly folder: string;
  private readonly folders = new Set<string>([""]);
  /** Names of files, including those that are still being written. */
  private readonly files = new Set<string>();

  /**
   * Creates the folder. Throws if it exists. With `mayExist`, also creates its parents, and accepts an
   * existing folder, which the caller must have checked to be empty. The caller must check all names with
   * `unsafeName`.
   */
  constructor(folder: string, { mayExist = false } = {}) {
    mkdirSync(folder, { recursive: mayExist });
    this.folder = folder;
  }

  /**
   * Creates a folder and its parents. Returns false if a file has one of their names. On a file system that
   * ignores case, also returns false if there is a file or folder with the same name in different
   * capitalization. `onCreate` is called before each folder is created.
   */
  async makeFolders(name: string, onCreate?: (name: string) => void): Promise<boolean> {
    if (this.folders.has(name)) return true;
    if (this.files.has(name)) return false;
    if (!(await this.makeFolders(parentOf(name), onCreate))) return false;
    onCreate?.(name);
    const isNew = await mkdir(path.join(this.folder, name)).then(() => true, ifTaken);
    if (isNew) this.folders.add(name);
    return isNew;
  }

  /**
   * Writes a file. Returns false if its name or the name of a parent folder is taken. The file system decides
   * which names are equal: some ignore case.
   */
  async write(name: string, parts: AsyncIterable<Uint8Array>): Promise<boolean> {
    this.files.add(name);
    if (!(await this.makeFolders(parentOf(name)))) return false;
    const file = await open(path.join(this.folder, name), newFile_flags, newFile_mode).catch(ifTaken);
    if (!file) return false;
    try {
      for await (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
    return true;
  }

  /** Like `write`, but blocks the thread while the file is written. */
  async writeBlocking(name: string, bytes: Uint8Array): Promise<boolean> {
    this.files.add(name);
    if (!(await this.makeFolders(parentOf(name)))) return false;
    let file: number;
    try {
      file = openSync(path.join(this.folder, name), newFile_flags, newFile_mode);
    } catch (error) {
      return ifTaken(error);
    }

    try {
      writeFileSync(file, bytes);
    } finally {
      closeSync(file);
    }

    return true;
  }
}

/**
 * Returns the files of a folder that `PlainFolder` wrote, without skipped folders. Doesn't block the thread
 * while a large folder is listed.
 */
export async function plainFiles(folder: string): Promise<Files> {
  const paths: string[] = [];
  const visit = async (relative: string) => {
    for await (const entry of await opendir(path.join(folder, relative), { bufferSize: entries_count })) {
      if (isInSkippedFolder(entry.name)) continue;
      const at = relative ? `${relative}/${entry.name}` : entry.name;
      if (entry.isDirectory()) await visit(at);
      else if (entry.isFile()) paths.push(at);
    }
  };

  await visit("");
  return {
    paths: paths.sort(byCodeUnit),
    read: (file) => readFileSync(path.join(folder, file)),
    size: (file) => statSync(path.join(folder, file)).size,
  };
}

/**
 * Returns the first part of a file's path below `folder` that is a symbolic link. Undefined if there is none.
 */
export function linkIn(folder: string, file: string): string | undefined {
  const segments = file.split("/");
  const parts = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  return parts.find((part) =>
    lstatSync(path.join(folder, part), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}

/** Returns the parent folder of a file or folder. Empty at the top level. */
export function parentOf(name: string): string {
  return name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
}

function ifTaken(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
  throw error;
}
