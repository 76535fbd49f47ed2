/**
 * Keeps copies of the heads of cache entries in a few files. Otherwise, a build would open the entry of each unchanged page, which takes
 * longer than reading all heads.
 */

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { headLines_count } from "../engine/site/page-cache.ts";
import { replaceFile } from "./replace-file.ts";

/** Number of files. After a change of a page, the file that contains its head is written again. */
const files_count = 64;

interface HeadsFile {
  path: string;
  /** Heads by the name of their entry. */
  heads: Map<string, Buffer>;
  /** Whether the heads differ from the file. */
  isChanged: boolean;
}

export class EntryHeads {
  private readonly folder: string;
  private readonly files = new Map<number, HeadsFile>();
  /** Names of the entries that this build looked up. The heads of other entries aren't saved. */
  private readonly used = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the head of an entry. Undefined if it is unknown. */
  find(name: string): Buffer | undefined {
    this.used.add(name);
    return this.fileOf(name).heads.get(name);
  }

  /** Sets the head of an entry if it has been looked up. `entry`: the entry or its start. */
  set(name: string, entry: Buffer): void {
    const head = this.used.has(name) ? headOf(entry) : undefined;
    if (!head) return;
    const file = this.fileOf(name);
    file.heads.set(name, Buffer.from(head));
    file.isChanged = true;
  }

  /** Forgets the head of an entry before the entry changes. Until `save`, its file is missing, in case the build ends before that. */
  remove(name: string): void {
    const file = this.fileOf(name);
    if (!file.heads.delete(name)) return;
    file.isChanged = true;
    rmSync(file.path, { force: true });
  }

  /** Writes the files whose heads have changed. */
  save(): void {
    for (const file of this.files.values()) {
      if (!file.isChanged) continue;
      const heads = [...file.heads].filter(([name]) => this.used.has(name));
      replaceFile(file.path, Buffer.concat(heads.flatMap(([name, head]) => [Buffer.from(`${JSON.stringify(name)}\n`), head])));
      file.isChanged = false;
    }
  }

  private fileOf(name: string): HeadsFile {
    let sum = 0;
    for (let i = 0; i < name.length; i++) sum = (31 * sum + name.charCodeAt(i)) >>> 0;
    const number = sum % files_count;
    let file = this.files.get(number);
    if (!file) {
      const at = path.join(this.folder, `heads-${number}`);
      this.files.set(number, (file = { path: at, heads: readHeads(at), isChanged: false }));
    }
    return file;
  }
}

/** Reads a file of heads. Each has the name of its entry as JSON on the line before it. Empty if the file is missing or damaged. */
function readHeads(file: string): Map<string, Buffer> {
  const heads = new Map<string, Buffer>();
  try {
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; ) {
      const start = bytes.indexOf(10, at) + 1;
      const head = headOf(bytes.subarray(start))!;
      heads.set(JSON.parse(bytes.toString("utf8", at, start)) as string, head);
      at = start + head.length;
    }
    return heads;
  } catch {
    return new Map();
  }
}

/** Returns the first lines of an entry or of its start. Undefined if there are fewer. */
export function headOf(entry: Buffer): Buffer | undefined {
  const end = endsOfHeadLines(entry)[headLines_count - 1];
  return end === undefined ? undefined : entry.subarray(0, end + 1);
}

/** Decodes the lines of a head. Each is decoded separately, since a substring would keep the whole string in memory. */
export function headLines(head: Buffer): string[] {
  return endsOfHeadLines(head).map((end, index, ends) => head.toString("utf8", index === 0 ? 0 : ends[index - 1]! + 1, end));
}

/** Returns the offsets of the line breaks, up to the last one of the head. */
function endsOfHeadLines(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0 && ends.length < headLines_count; at = bytes.indexOf(10, at + 1)) ends.push(at);
  return ends;
}
