/**
 * Unpacks an untrusted zip stream into a new folder. Entries are written as plain files, whatever their
 * attributes say.
 */

import type { Readable } from "node:stream";
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { megabytes } from "../base/megabytes.ts";
import { unsafeName } from "../base/safe-name.ts";
import { type ArchiveCaps, BadArchive, type SkippedEntries } from "./archive-limits.ts";
import { PlainFolder } from "./plain-folder.ts";
import { removeFolder } from "./remove-folder.ts";

/**
 * Number of compressed bytes that are processed at a time. The decompressed bytes of each part are in memory.
 */
const part_bytes = 16 * 1024;

/**
 * Number of bytes that are added to the size of each entry in a skipped folder. Limits the number of such
 * entries.
 */
const skippedEntry_bytes = 512;

/**
 * First bytes of the record at the end of an archive. Only a comment of up to 64 KB follows the record, which
 * has 22 bytes.
 */
const listEnd = Buffer.from("PK\x05\x06", "latin1");
const tail_bytes = 65_535 + 22;

/** Unpacks an archive. `folder` must not exist, and doesn't exist after a failure. Throws `BadArchive`. */
export async function unpackZip(
  packed: Readable,
  folder: string,
  caps: ArchiveCaps,
  { signal, skipped }: { signal?: AbortSignal | undefined; skipped: SkippedEntries },
): Promise<void> {
  const unpacking = new Unpacking(new PlainFolder(folder), caps, skipped);
  try {
    for await (const chunk of packed as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += part_bytes) {
        signal?.throwIfAborted();
        await unpacking.push(chunk.subarray(at, at + part_bytes));
      }
    await unpacking.end();
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

class Unpacking {
  private readonly unzip = new Unzip((file) => this.begin(file));
  private readonly target: PlainFolder;
  private readonly caps: ArchiveCaps;
  private readonly skipped: SkippedEntries;
  /** Complete files that haven't been written yet. */
  private complete: { name: string; parts: Uint8Array[] }[] = [];
  /** Number of entries so far. `counted` excludes entries in skipped folders. */
  private entries = 0;
  private counted = 0;
  private open = 0;
  private total_bytes = 0;
  private skipped_bytes = 0;
  /** Last bytes of the archive, which contain the end of its list of files. */
  private tail: Buffer = Buffer.alloc(0);
  /** The first error. fflate catches errors of its callbacks, so they can't be thrown there. */
  private fault: BadArchive | undefined;

  constructor(target: PlainFolder, caps: ArchiveCaps, skipped: SkippedEntries) {
    this.target = target;
    this.caps = caps;
    this.skipped = skipped;
    this.unzip.register(UnzipInflate);
  }

  async push(bytes: Uint8Array, isLast = false): Promise<void> {
    try {
      this.unzip.push(bytes, isLast);
    } catch {
      this.refuse(isLast ? "The archive is incomplete" : "The archive is damaged");
    }
    if (this.fault) throw this.fault;
    this.tail = Buffer.concat([this.tail, bytes]).subarray(-tail_bytes);
    const files = this.complete;
    this.complete = [];
    for (const { name, parts } of files)
      if (!(await this.target.write(name, iterate(parts))))
        throw new BadArchive(`${JSON.stringify(name)} appears twice in the archive`);
  }

  async end(): Promise<void> {
    await this.push(new Uint8Array(), true);
    if (this.entries === 0) throw new BadArchive("The archive is empty or isn't a ZIP file");
    if (this.open > 0 || !this.tail.includes(listEnd)) throw new BadArchive("The archive is incomplete");
  }

  private begin(file: UnzipFile): void {
    const name = file.name.replaceAll("\\", "/").normalize("NFC");
    const isLeftOut = name.startsWith("__MACOSX/") || this.skipped.has(name);
    const isSkipped = isLeftOut || name.endsWith("/");
    const wrong = isSkipped ? undefined : unsafeName(name);
    if (wrong) return this.refuse(`The path ${JSON.stringify(name.slice(0, 200))} ${wrong}`);

    this.entries++;
    if (isLeftOut) this.count(skippedEntry_bytes, true);
    else if (++this.counted > this.caps.entries_count)
      return this.refuse(`The archive contains more than ${this.caps.entries_count} files`);
    const parts: Uint8Array[] = [];
    let size = 0;
    this.open++;

    file.ondata = (error, part, isFinal) => {
      if (error) throw error;
      size += part.length;
      this.count(part.length, isSkipped);
      if (!isSkipped && size > this.caps.file_bytes)
        this.refuse(`The file ${JSON.stringify(name)} is larger than ${megabytes(this.caps.file_bytes)}`);
      if (this.fault) return;
      if (!isSkipped) parts.push(part);
      if (!isFinal) return;
      this.open--;
      if (!isSkipped) this.complete.push({ name, parts });
    };

    file.start();
  }

  private count(bytes: number, isSkipped: boolean): void {
    if (isSkipped) this.skipped_bytes += bytes;
    else this.total_bytes += bytes;
    if (this.total_bytes > this.caps.total_bytes)
      this.refuse(`The archive unpacks to more than ${megabytes(this.caps.total_bytes)}`);
    if (this.skipped_bytes > this.skipped.total_bytes)
      this.refuse(
        `The archive has more than ${megabytes(this.skipped.total_bytes)} in skipped folders. Leave these folders out.`,
      );
  }

  private refuse(message: string): void {
    this.fault ??= new BadArchive(message);
  }
}

async function* iterate(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
