/** Writes an export to a folder: only what changed, and nothing else stays in it. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../engine/export/export-target.ts";
import { siteFolder } from "../layout/site-layout.ts";

/** A folder that holds something else is not ours to clear. */
export function isFreeOrOurs(folder: string): boolean {
  if (!existsSync(folder)) return true;
  return statSync(folder).isDirectory() && (readdirSync(folder).length === 0 || existsSync(path.join(folder, siteFolder)));
}

/** Answers with the number of bytes of the export. */
export async function writeFolder(folder: string, files: AsyncIterable<OutputFile>): Promise<number> {
  const root = path.resolve(folder);
  const kept = new Set<string>();
  const made = new Set<string>();
  let bytes = 0;
  for await (const file of files) {
    const target = path.resolve(root, file.path);
    if (!target.startsWith(root + path.sep)) throw new Error(`${file.path} would be written outside of the output folder`);
    if (!made.has(path.dirname(target))) {
      mkdirSync(path.dirname(target), { recursive: true });
      made.add(path.dirname(target));
    }
    if (!isSame(target, file.bytes)) writeFileSync(target, file.bytes);
    kept.add(target);
    bytes += file.bytes.length;
  }
  removeOthers(root, kept);
  return bytes;
}

function isSame(file: string, bytes: Uint8Array): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  return size === bytes.length && readFileSync(file).equals(bytes);
}

function removeOthers(folder: string, kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      removeOthers(at, kept);
      if (readdirSync(at).length === 0) rmdirSync(at);
    } else if (!kept.has(at)) rmSync(at);
  }
}
