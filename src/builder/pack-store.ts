/**
 * Keeps the values of builds in a folder. Each build appends its values to a pack (`<number>.pack`), and
 * their names and positions to the pack's index (`<number>.index`). Values are never changed in place, so
 * builds can use the folder at the same time, and a build that is killed leaves values that the next one can
 * use. A store never makes a build fail: if the disk is full, values stay in memory.
 *
 * A line of an index is a JSON array and a comma: name, key, offset in the pack, size, and CRC-32 of the
 * value.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { bytesOfValue, DamagedValueError, MemoryStore, type Store } from "../engine/incremental/store.ts";
import { privateFolder } from "../io/private-folder.ts";

/**
 * Number of values with the same name that are kept when packs are merged, so that undoing an edit finds the
 * earlier values.
 */
const versions_count = 3;
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
  bytes: number;
  crc: number;
  /** Where the value is: in memory until it is written, and then in a pack. */
  place: { value: Buffer } | { pack: Pack; offset: number };
  /** The value that was kept before with the same name. */
  earlier?: Entry | undefined;
}

export interface FolderStore extends Store {
  /** Writes the values that aren't written yet. */
  flush(): void;
  /** Writes the values and closes the files. */
  close(): void;
}

/**
 * Opens the store in a folder. Falls back to memory if the folder is a link, isn't writable or can't be made
 * private.
 */
export function openStore(folder: string): FolderStore {
  try {
    // The values include restricted pages.
    privateFolder(folder);
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
  private packs: Pack[] = [];
  /** The pack of this build. Undefined until a value is written. */
  private own: Pack | undefined;
  private pending: Entry[] = [];
  private pending_bytes = 0;
  /** Whether writing has failed. Further values are only kept in memory. */
  private hasFailed = false;

  constructor(folder: string) {
    this.folder = folder;
    this.openPacks();
    if (this.mergePacks()) this.openPacks();
  }

  has(name: string, key: string): boolean {
    return this.find(name, key) !== undefined;
  }

  get(name: string, key: string): Buffer | undefined {
    const entry = this.find(name, key);
    if (!entry) return undefined;
    const value = valueOf(entry);
    if (value) return value;
    if ("pack" in entry.place) this.discard(entry.place.pack);
    throw new DamagedValueError(`A value in ${this.folder} is damaged`);
  }

  keep(name: string, key: string, given: string | Uint8Array | readonly Uint8Array[]): void {
    const value = bytesOfValue(given);
    const entry: Entry = { name, key, bytes: value.length, crc: crc32(value), place: { value } };
    this.add(entry);
    if (this.hasFailed) return;
    this.pending.push(entry);
    this.pending_bytes += value.length;
    if (this.pending_bytes >= buffered_bytes) this.flush();
  }

  flush(): void {
    const { pending } = this;
    if (pending.length === 0) return;

    try {
      if (this.own && !existsSync(this.packFile(this.own))) {
        // Another build has merged the pack. Its values can still be read.
        this.packs.push(this.own);
        this.own = undefined;
      }
      const own = (this.own ??= this.createPack());
      let offset = own.bytes;
      const places = pending.map((entry) => ({ pack: own, offset: (offset += entry.bytes) - entry.bytes }));
      writeAll(own.descriptor, Buffer.concat(pending.map((entry) => valueOf(entry)!)));
      own.bytes = offset;
      // The lines follow the values, so that a line never refers to a value that isn't written.
      const lines = pending.map((entry, index) => lineOf(entry, places[index]!.offset));
      writeFileSync(this.indexFile(own), lines.join(""), { flag: "a", mode: 0o600 });
      for (const [index, entry] of pending.entries()) entry.place = places[index]!;
    } catch {
      this.hasFailed = true;
    }

    this.pending = [];
    this.pending_bytes = 0;
  }

  close(): void {
    this.flush();
    this.closePacks();
  }

  private find(name: string, key: string): Entry | undefined {
    for (const entry of versionsOf(this.entries.get(name))) if (entry.key === key) return entry;
    return undefined;
  }

  private add(entry: Entry): void {
    entry.earlier = this.entries.get(entry.name);
    this.entries.set(entry.name, entry);
  }

  private openPacks(): void {
    this.closePacks();
    this.entries.clear();
    this.packs = packsIn(this.folder).flatMap((number) => this.openPack(number) ?? []);
  }

  private closePacks(): void {
    for (const { descriptor } of [...this.packs, ...(this.own ? [this.own] : [])]) closeSync(descriptor);
    this.packs = [];
    this.own = undefined;
  }

  /**
   * Opens a pack and adds its values. Undefined if it has no index, for example because another build has
   * just created or merged it.
   */
  private openPack(number: number): Pack | undefined {
    const pack: Pack = { number, descriptor: -1, bytes: 0 };
    try {
      const lines = readFileSync(this.indexFile(pack), "utf8");
      pack.descriptor = openSync(this.packFile(pack), "r");
      pack.bytes = fstatSync(pack.descriptor).size;
      // The last line isn't complete if the build was killed.
      const written = JSON.parse(
        `[${lines.slice(0, Math.max(0, lines.lastIndexOf(",\n")))}]`,
      ) as WrittenEntry[];
      const entries = written.map(
        ([name, key, offset, bytes, crc]): Entry => ({ name, key, bytes, crc, place: { pack, offset } }),
      );
      for (const entry of entries) this.add(entry);
      return pack;
    } catch (error) {
      if (pack.descriptor >= 0) closeSync(pack.descriptor);
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.remove(pack);
      return undefined;
    }
  }

  private createPack(): Pack {
    // Other builds can have created the next numbers.
    for (let number = (packsIn(this.folder).at(-1) ?? 0) + 1; ; number++) {
      const pack = this.createPackWith(number);
      if (pack) return pack;
    }
  }

  /** Creates a pack with this number. Undefined if there is one. */
  private createPackWith(number: number): Pack | undefined {
    const pack: Pack = { number, descriptor: -1, bytes: 0 };
    try {
      pack.descriptor = openSync(this.packFile(pack), "wx+", 0o600);
      return pack;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return undefined;
    }
  }

  /**
   * Merges the newest packs, until the next older one is more than twice as large as the result and doesn't
   * consist mostly of replaced values. So there are few packs, and each value is copied only a few times.
   * Keeps only the last values of each name. Another build can still be writing to one of the packs: it then
   * creates another. Returns whether packs were merged.
   */
  private mergePacks(): boolean {
    const live = new Map<Pack, Entry[]>(this.packs.map((pack) => [pack, []]));
    for (const last of this.entries.values())
      for (const entry of lastVersions(last).reverse())
        if ("pack" in entry.place) live.get(entry.place.pack)!.push(entry);
    const isDead = (pack: Pack) =>
      2 * live.get(pack)!.reduce((sum, { bytes }) => sum + bytes, 0) < pack.bytes;
    const merged: Pack[] = [];
    let bytes = 0;
    for (const pack of this.packs.toReversed()) {
      if (merged.length > 0 && pack.bytes > 2 * bytes && !isDead(pack)) break;
      merged.push(pack);
      bytes += pack.bytes;
    }

    if (merged.length === 0 || (merged.length === 1 && !isDead(merged[0]!))) return false;

    // Another build that has created the next pack keeps newer values there, which must stay the last ones.
    try {
      this.own = this.createPackWith(merged[0]!.number + 1);
    } catch {
      // The disk is full.
    }

    if (!this.own) return false;

    for (const entry of merged.toReversed().flatMap((pack) => live.get(pack)!)) {
      const value = valueOf(entry);
      if (value) this.keep(entry.name, entry.key, value);
    }

    this.flush();
    if (this.hasFailed) return false;
    for (const pack of merged) this.remove(pack);

    return true;
  }

  /** Removes a damaged pack and its values. */
  private discard(pack: Pack): void {
    this.remove(pack);
    const isGone = ({ place }: Entry) => "pack" in place && place.pack === pack;
    for (const [name, entry] of this.entries) {
      const left = [...versionsOf(entry)].filter((version) => !isGone(version));
      for (const [index, version] of left.entries()) version.earlier = left[index + 1];
      if (left.length > 0) this.entries.set(name, left[0]!);
      else this.entries.delete(name);
    }
  }

  private remove(pack: Pack): void {
    try {
      rmSync(this.indexFile(pack), { force: true });
      rmSync(this.packFile(pack), { force: true });
    } catch {
      // The folder is read-only. A build that finds the same damage again ignores the store.
    }
  }

  private packFile({ number }: Pack): string {
    return path.join(this.folder, `${number}.pack`);
  }

  private indexFile({ number }: Pack): string {
    return path.join(this.folder, `${number}.index`);
  }
}

type WrittenEntry = [name: string, key: string, offset: number, bytes: number, crc: number];

/** Returns the numbers of the packs in a folder in order. Skips links. Removes indexes without a pack. */
function packsIn(folder: string): number[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name));
  for (const name of names)
    if (/^\d+\.index$/.test(name) && !names.has(name.replace(/\.index$/, ".pack")))
      rmSync(path.join(folder, name), { force: true });
  return [...names]
    .filter(
      (name) => /^\d+\.pack$/.test(name) && !links.has(name) && !links.has(name.replace(/\.pack$/, ".index")),
    )
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

/** Removes all packs in a folder. Other files stay. */
export function removePacks(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^\d+\.(?:pack|index)$/.test(name)) rmSync(path.join(folder, name), { force: true });
}

/** Yields an entry and the earlier entries with its name, the last one first. */
function* versionsOf(last: Entry | undefined): Generator<Entry> {
  for (let entry = last; entry; entry = entry.earlier) yield entry;
}

/** Returns the last values with the name of an entry and different keys, the last one first. */
function lastVersions(last: Entry): Entry[] {
  const versions = new Map<string, Entry>();
  for (const entry of versionsOf(last)) {
    if (versions.size >= versions_count) break;
    if (!versions.has(entry.key)) versions.set(entry.key, entry);
  }
  return [...versions.values()];
}

function lineOf({ name, key, bytes, crc }: Entry, offset: number): string {
  return `${JSON.stringify([name, key, offset, bytes, crc] satisfies WrittenEntry)},\n`;
}

/** Returns a value. Undefined if it is damaged. */
function valueOf({ place, bytes, crc }: Entry): Buffer | undefined {
  if ("value" in place) return place.value;
  try {
    const value = Buffer.allocUnsafe(bytes);
    const read = readSync(place.pack.descriptor, value, 0, bytes, place.offset);
    return read === bytes && crc32(value) === crc ? value : undefined;
  } catch {
    return undefined;
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}
