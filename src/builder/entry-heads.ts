/**
 * Keeps copies of the heads of cache entries in a few files. Otherwise, a build would open the entry of each unchanged page, which takes
 * longer than reading all heads.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { headLines_count } from "../engine/site/page-cache.ts";

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

  /** Sets the head of an entry that has been looked up. `entry`: the entry or its start. */
  set(name: string, entry: Buffer): void {
    const end = endsOfLines(entry, headLines_count)[headLines_count - 1];
    if (end === undefined || !this.used.has(name)) return;
    const file = this.fileOf(name);
    file.heads.set(name, Buffer.from(entry.subarray(0, end + 1)));
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
      const temporary = `${file.path}.${process.pid}`;
      writeFileSync(temporary, Buffer.concat(heads.flatMap(([name, head]) => [Buffer.from(`${JSON.stringify(name)}\n`), head])));
      renameSync(temporary, file.path);
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
      const end = start + endsOfLines(bytes.subarray(start), headLines_count)[headLines_count - 1]! + 1;
      heads.set(JSON.parse(bytes.toString("utf8", at, start)) as string, bytes.subarray(start, end));
      at = end;
    }
    return heads;
  } catch {
    return new Map();
  }
}

/** Returns the offsets of the first `count` line breaks. */
export function endsOfLines(bytes: Buffer, count: number): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0 && ends.length < count; at = bytes.indexOf(10, at + 1)) ends.push(at);
  return ends;
}
