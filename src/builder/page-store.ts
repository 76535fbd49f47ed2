/** The page cache in a folder: one file per entry. */

import { closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOf, type PageStore } from "../engine/site/page-cache.ts";
import { privateFolder } from "../io/private-folder.ts";

/** Bytes that are read at once for the first lines of an entry. */
const lines_bytes = 8_192;

/** Opens a page cache. Falls back to memory if the folder isn't writable. */
export function openPageStore(folder: string): PageStore {
  const at = (name: string) => path.join(folder, hashOf(name));
  let isWritable = true;
  try {
    // The cache contains restricted pages.
    privateFolder(folder);
    // Keeps the cache out of Git commits.
    writeFileSync(path.join(folder, "..", ".gitignore"), "*\n");
  } catch {
    isWritable = false;
  }
  const memory = new Map<string, string>();
  return {
    read: (name) => memory.get(name) ?? readStart(at(name), () => false),
    readLines: (name, count) => {
      const start = memory.get(name) ?? readStart(at(name), (bytes) => hasLines(bytes, count));
      const lines = start?.split("\n", count + 1);
      return lines && lines.length > count ? lines.slice(0, count) : undefined;
    },
    write: (name, entry) => {
      if (!isWritable) return void memory.set(name, entry);
      const temporary = `${at(name)}.${process.pid}`;
      writeFileSync(temporary, entry);
      renameSync(temporary, at(name));
    },
  };
}

/** Reused for all files, since allocating memory for each file takes longer than reading it. */
let scratch = Buffer.alloc(64 * 1024);

/** Reads a file until `isEnough`. Undefined if it can't be read. */
function readStart(file: string, isEnough: (bytes: Buffer) => boolean): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const size = fstatSync(descriptor).size;
    if (size > scratch.length) scratch = Buffer.alloc(2 * size);
    let length = 0;
    while (length < size && !isEnough(scratch.subarray(0, length))) {
      const wanted = length === 0 ? lines_bytes : size - length;
      const read = readSync(descriptor, scratch, length, Math.min(wanted, size - length), length);
      if (read === 0) break;
      length += read;
    }
    return scratch.toString("utf8", 0, length);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function hasLines(bytes: Buffer, count: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) if (++found >= count) return true;
  return false;
}
