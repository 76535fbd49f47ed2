/** Stores the page cache in a folder: one file per entry, and files with the heads of many entries. */

import { closeSync, fstatSync, opendirSync, openSync, readSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOf } from "../engine/hash-of.ts";
import type { PageStore } from "../engine/site/page-cache.ts";
import { privateFolder } from "../io/private-folder.ts";
import { EntryHeads, headLines, headOf } from "./entry-heads.ts";
import { replaceFile } from "./replace-file.ts";

/** Number of bytes to read first from an entry. They usually contain its head. */
const head_bytes = 8_192;

export interface FolderStore extends PageStore {
  /** Saves the heads of the entries for the next build. */
  saveHeads(): void;
}

/**
 * Opens a page cache, and writes a .gitignore next to its folder. Falls back to memory if the folder isn't writable or can't be made
 * private.
 */
export function openPageStore(folder: string): FolderStore {
  const at = (name: string) => path.join(folder, hashOf(name));
  let isWritable = true;
  /** Names of the entries that were written since this call, if the folder was empty. Undefined if it can have other entries. */
  let written: Set<string> | undefined;
  try {
    // The cache contains restricted pages.
    privateFolder(folder);
    // Keeps the cache out of git commits.
    writeFileSync(path.join(folder, "..", ".gitignore"), "*\n");
    if (isEmptyFolder(folder)) written = new Set();
  } catch {
    isWritable = false;
  }
  const memory = new Map<string, Buffer>();
  const heads = isWritable ? new EntryHeads(folder) : undefined;
  const readEntry = (name: string, isEnough: (bytes: Buffer) => boolean) => {
    // Opening a missing file takes longer than reading an entry.
    if (written?.has(name) === false) return undefined;
    return memory.get(name) ?? readStart(at(name), isEnough);
  };
  const readBytes = (name: string) => readEntry(name, () => false);
  return {
    read: (name) => readBytes(name)?.toString(),
    readBytes,
    readHead: (name) => {
      const known = heads?.find(name);
      if (known) return headLines(known);
      const start = readEntry(name, (bytes) => headOf(bytes) !== undefined);
      const head = start && headOf(start);
      if (head) heads?.set(name, head);
      return head && headLines(head);
    },
    discardHead: (name) => heads?.remove(name),
    saveHeads: () => heads?.save(),
    write: (name, given) => {
      const entry = typeof given === "string" ? Buffer.from(given) : joined(given);
      if (!heads) return void memory.set(name, Buffer.from(entry));
      heads.remove(name);
      replaceFile(at(name), entry);
      written?.add(name);
      heads.set(name, entry);
    },
  };
}

function isEmptyFolder(folder: string): boolean {
  const opened = opendirSync(folder);
  try {
    return opened.readSync() === null;
  } finally {
    opened.closeSync();
  }
}

/** Reused for all files, since allocating memory for each file takes longer than reading or writing it. */
let scratch = Buffer.alloc(64 * 1024);

/** Joins the parts of an entry. The result is valid until the next call. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size > scratch.length) scratch = Buffer.alloc(2 * size);
  let at = 0;
  for (const part of parts) {
    scratch.set(part, at);
    at += part.length;
  }
  return scratch.subarray(0, size);
}

/**
 * Reads the start of a file, and the rest unless `isEnough` returns true for the start. The result is valid until the next call. Undefined
 * if the file can't be read.
 */
function readStart(file: string, isEnough: (bytes: Buffer) => boolean): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    let length = readSync(descriptor, scratch, 0, head_bytes, 0);
    if (length < head_bytes || isEnough(scratch.subarray(0, length))) return scratch.subarray(0, length);
    const { size } = fstatSync(descriptor);
    if (size > scratch.length) {
      const longer = Buffer.alloc(2 * size);
      scratch.copy(longer, 0, 0, length);
      scratch = longer;
    }
    while (length < size) {
      const read = readSync(descriptor, scratch, length, size - length, length);
      if (read === 0) break;
      length += read;
    }
    return scratch.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
