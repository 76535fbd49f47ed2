/**
 * Keeps the values of builds in a folder. Each build appends its values to a pack of its own (`<number>.pack`), and their names and
 * positions to an index (`<number>.index`). Nothing is ever changed in place, so builds can use the folder at the same time, and a build that is
 * killed leaves values that the next one can use.
 *
 * A line of an index is a JSON array and a comma: name, key, offset in the pack, size, and CRC-32 of the value.
 */

import { closeSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { bytesOfValue, MemoryStore, type Store } from "../engine/incremental/store.ts";
import { privateFolder } from "../io/private-folder.ts";

/** Values are written together when they have this size. */
const buffered_bytes = 4_000_000;

interface Pack {
  number: number;
  descriptor: number;
  bytes: number;
}

interface Entry {
  name: string;
  key: string;
  pack: Pack;
  offset: number;
  bytes: number;
  crc: number;
  /** The value, until it is written. */
  pending?: Buffer | undefined;
  /** The value that was kept before with the same name. */
  earlier?: Entry | undefined;
}

/** A value is damaged, for example by a failing disk. The next build doesn't find it. */
export class DamagedValueError extends Error {}

export interface FolderStore extends Store {
  /** Writes the values that aren't written yet. */
  flush(): void;
  /** Writes the values and closes the files. */
  close(): void;
}

/**
 * Opens the store in a folder, and writes a .gitignore next to the folder. Falls back to memory if the folder isn't writable or can't be
 * made private.
 */
export function openStore(folder: string): FolderStore {
  try {
    // The values include restricted pages.
    privateFolder(folder);
    // Keeps the values out of git commits.
    writeFileSync(path.join(folder, "..", ".gitignore"), "*\n");
    return new PackStore(folder);
  } catch {
    return Object.assign(new MemoryStore(), { flush: () => {}, close: () => {} });
  }
}

class PackStore implements FolderStore {
  readonly isLasting = true;
  private readonly folder: string;
  /** The value that was kept last, by name. */
  private readonly entries = new Map<string, Entry>();
  /** The packs of earlier builds, from the oldest to the newest. */
  private readonly packs: Pack[];
  /** The pack of this build. Undefined until a value is kept. */
  private own: Pack | undefined;
  private readonly lastNumber: number;
  private pending: Entry[] = [];
  private pending_bytes = 0;

  constructor(folder: string) {
    this.folder = folder;
    const numbers = packsIn(folder);
    this.lastNumber = numbers.at(-1) ?? 0;
    this.packs = numbers.flatMap((number) => this.openPack(number) ?? []);
    this.mergePacks();
  }

  has(name: string, key: string): boolean {
    return this.find(name, key) !== undefined;
  }

  get(name: string, key: string): Buffer | undefined {
    const entry = this.find(name, key);
    if (!entry) return undefined;
    const value = entry.pending ?? valueOf(entry);
    if (value) return value;
    this.remove(entry.pack);
    throw new DamagedValueError(`${this.packFile(entry.pack)} is damaged`);
  }

  keep(name: string, key: string, value: string | Uint8Array | readonly Uint8Array[]): void {
    const bytes = bytesOfValue(value);
    this.own ??= this.createPack();
    const offset = this.own.bytes + this.pending_bytes;
    const entry: Entry = { name, key, pack: this.own, offset, bytes: bytes.length, crc: crc32(bytes), pending: bytes };
    this.add(entry);
    this.pending.push(entry);
    this.pending_bytes += bytes.length;
    if (this.pending_bytes >= buffered_bytes) this.flush();
  }

  flush(): void {
    const { own, pending } = this;
    if (!own || pending.length === 0) return;
    writeAt(own, Buffer.concat(pending.map((entry) => entry.pending!)));
    own.bytes += this.pending_bytes;
    // The lines follow the values, so that a line never refers to a value that isn't written.
    writeFileSync(this.indexFile(own), pending.map(lineOf).join(""), { flag: "a", mode: 0o600 });
    for (const entry of pending) entry.pending = undefined;
    this.pending = [];
    this.pending_bytes = 0;
  }

  close(): void {
    this.flush();
    for (const { descriptor } of [...this.packs, ...(this.own ? [this.own] : [])]) closeSync(descriptor);
  }

  private find(name: string, key: string): Entry | undefined {
    let entry = this.entries.get(name);
    while (entry && entry.key !== key) entry = entry.earlier;
    return entry;
  }

  private add(entry: Entry): void {
    entry.earlier = this.entries.get(entry.name);
    this.entries.set(entry.name, entry);
  }

  /** Opens a pack and adds its values. Undefined if it has no index, for example because another build has just created or merged it. */
  private openPack(number: number): Pack | undefined {
    const pack: Pack = { number, descriptor: -1, bytes: 0 };
    try {
      const lines = readFileSync(this.indexFile(pack), "utf8");
      pack.descriptor = openSync(this.packFile(pack), "r");
      // The last line isn't complete if the build was killed.
      const written = JSON.parse(`[${lines.slice(0, Math.max(0, lines.lastIndexOf(",\n")))}]`) as WrittenEntry[];
      for (const [name, key, offset, bytes, crc] of written) {
        this.add({ name, key, pack, offset, bytes, crc });
        pack.bytes = offset + bytes;
      }
      return pack;
    } catch (error) {
      if (error instanceof SyntaxError) this.remove(pack);
      if (pack.descriptor >= 0) closeSync(pack.descriptor);
      return undefined;
    }
  }

  private createPack(): Pack {
    // Other builds can have created the next numbers.
    for (let number = this.lastNumber + 1; ; number++) {
      const pack = { number, descriptor: -1, bytes: 0 };
      try {
        return { ...pack, descriptor: openSync(this.packFile(pack), "wx+", 0o600) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }

  /**
   * Merges the newest packs, until the next older one is more than twice as large as the result. So there are few packs, and each value is
   * copied only a few times. Keeps only the last value of each name. If another build is still writing to one of the packs, its later
   * values are lost, and computed again.
   */
  private mergePacks(): void {
    const merged: Pack[] = [];
    let bytes = 0;
    for (const pack of this.packs.toReversed()) {
      if (merged.length > 0 && pack.bytes > 2 * bytes) break;
      merged.push(pack);
      bytes += pack.bytes;
    }
    if (merged.length < 2) return;
    for (const entry of [...this.entries.values()].filter(({ pack }) => merged.includes(pack))) {
      const value = valueOf(entry);
      if (value) this.keep(entry.name, entry.key, value);
    }
    this.flush();
    for (const pack of this.packs.splice(-merged.length)) {
      closeSync(pack.descriptor);
      this.remove(pack);
    }
    const isGone = (entry: Entry | undefined) => entry !== undefined && merged.includes(entry.pack);
    for (const [name, entry] of this.entries) {
      // Its value is damaged.
      if (isGone(entry)) this.entries.delete(name);
      for (let later: Entry | undefined = entry; later; later = later.earlier)
        while (isGone(later.earlier)) later.earlier = later.earlier!.earlier;
    }
  }

  private remove(pack: Pick<Pack, "number">): void {
    try {
      rmSync(this.indexFile(pack), { force: true });
      rmSync(this.packFile(pack), { force: true });
    } catch {
      // On Windows, files that another build has open can't be removed.
    }
  }

  private packFile({ number }: Pick<Pack, "number">): string {
    return path.join(this.folder, `${number}.pack`);
  }

  private indexFile({ number }: Pick<Pack, "number">): string {
    return path.join(this.folder, `${number}.index`);
  }
}

type WrittenEntry = [name: string, key: string, offset: number, bytes: number, crc: number];

/** Returns the numbers of the packs in a folder in order. Removes files of earlier versions, and indexes without a pack. */
function packsIn(folder: string): number[] {
  const names = new Set(readdirSync(folder));
  const isPack = (name: string) => /^\d+\.pack$/.test(name);
  const isIndex = (name: string) => name.endsWith(".index") && names.has(name.replace(/\.index$/, ".pack"));
  for (const name of names) if (!isPack(name) && !isIndex(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
  return [...names]
    .filter(isPack)
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

function lineOf({ name, key, offset, bytes, crc }: Entry): string {
  return `${JSON.stringify([name, key, offset, bytes, crc] satisfies WrittenEntry)},\n`;
}

/** Reads a value. Undefined if it is damaged. */
function valueOf({ pack, offset, bytes, crc }: Entry): Buffer | undefined {
  const value = Buffer.allocUnsafe(bytes);
  const read = readSync(pack.descriptor, value, 0, bytes, offset);
  return read === bytes && crc32(value) === crc ? value : undefined;
}

/** Writes at the end of a pack. If an earlier call has failed, for example because the disk was full, overwrites what it has written. */
function writeAt({ descriptor, bytes: end }: Pack, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, end + done);
}
