/** Writes an export to a folder. Unchanged files aren't written again, and files that aren't part of the export are removed. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../engine/export/export-target.ts";
import { siteFolder } from "../layout/site-layout.ts";

/** Whether a folder is missing, empty or an earlier export. The files of other folders must not be removed. */
export function isWritableOutput(folder: string): boolean {
  if (!existsSync(folder)) return true;
  return statSync(folder).isDirectory() && (readdirSync(folder).length === 0 || existsSync(path.join(folder, siteFolder)));
}

/** Writes the files and removes all other files from the folder. Resolves with the total size of the files in bytes. */
export async function writeFolder(folder: string, files: AsyncIterable<OutputFile>): Promise<number> {
  const root = path.resolve(folder);
  const written = new Set<string>();
  const createdFolders = new Set<string>();
  let bytes = 0;
  for await (const file of files) {
    const target = path.resolve(root, file.path);
    if (!target.startsWith(root + path.sep)) throw new Error(`${file.path} would be written outside of the output folder`);
    if (!createdFolders.has(path.dirname(target))) {
      mkdirSync(path.dirname(target), { recursive: true });
      createdFolders.add(path.dirname(target));
    }
    if (!isSame(target, file.bytes)) writeFileSync(target, file.bytes);
    written.add(target);
    bytes += file.bytes.length;
  }
  removeOthers(root, written);
  return bytes;
}

function isSame(file: string, bytes: Uint8Array): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  return size === bytes.length && readFileSync(file).equals(bytes);
}

function removeOthers(folder: string, written: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      removeOthers(at, written);
      if (readdirSync(at).length === 0) rmdirSync(at);
    } else if (!written.has(at)) rmSync(at);
  }
}
