/**
 * Unpacks an untrusted tar.gz stream into a new folder. Only plain files and folders are accepted, because links, devices
 * and similar entries could give access to files outside the folder.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { unsafeName } from "../base/safe-name.ts";
import { PlainFolder, parentOf } from "./plain-folder.ts";

/** Maximum compression ratio, checked when more than `archiveRatioFrom_bytes` are unpacked. */
const archiveRatio_times = 200;
const archiveRatioFrom_bytes = 10_000_000;
/** Maximum size in bytes of an extended header, which contains a name and times. */
const archiveExtension_bytes = 65_536;

export interface ArchiveCaps {
  /** Maximum number of files, folders and extended headers, including parent folders without an entry in the archive. */
  entries_count: number;
  file_bytes: number;
  /** Maximum unpacked size of all files together. */
  total_bytes: number;
}

/** Entries to skip. Their names and types aren't checked and they aren't counted, but their total size has a separate limit. */
export interface SkippedEntries {
  has(name: string): boolean;
  total_bytes: number;
}

export interface Unpacked {
  files: number;
  bytes: number;
}

export interface UnpackOptions {
  signal?: AbortSignal | undefined;
  skipped?: SkippedEntries;
  /** Called with the hash of each file, so that files don't need to be read again. */
  onFile?(file: UnpackedFile): void;
}

export interface UnpackedFile {
  path: string;
  bytes: number;
  /** SHA-256 of the content in hex. */
  sha256: string;
}

/** The archive is refused. The message is for the user. */
export class BadArchive extends Error {}

const block_bytes = 512;

/** Maximum size in bytes of files that are written concurrently. */
const small_bytes = 256 * 1024;
const parallel_count = 16;

/** Unpacks an archive. `folder` must not exist, and does not exist after a failure. Throws `BadArchive`. */
export async function unpackArchive(
  source: string | Readable,
  folder: string,
  caps: ArchiveCaps,
  { signal, onFile, skipped }: UnpackOptions = {},
): Promise<Unpacked> {
  const target = new PlainFolder(folder);
  const packed = typeof source === "string" ? createReadStream(source) : source;
  const unpacking = new Unpacking(new Unzipped(packed, caps, signal), target, caps, onFile, skipped);
  try {
    return await unpacking.run();
  } catch (error) {
    await unpacking.settled();
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    packed.destroy();
  }
}

/** Reads the bytes of the decompressed tar. */
class Unzipped {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private readonly most: { bytes: number };

  constructor(packed: Readable, caps: ArchiveCaps, signal: AbortSignal | undefined) {
    // The size of the files, plus an allowance for headers and padding.
    this.most = { bytes: caps.total_bytes + caps.entries_count * 4 * block_bytes };
    this.chunks = unzip(packed, this.most, caps.total_bytes, signal);
  }

  /** Increases the limit by skipped bytes. */
  allow(bytes: number): void {
    this.most.bytes += bytes;
  }

  /** Reads at most `most` bytes. Returns an empty buffer at the end. */
  async some(most: number): Promise<Buffer> {
    if (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return this.rest;
      this.rest = next.value;
    }
    const part = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(part.length);
    return part;
  }

  /** Reads exactly `count` bytes. Throws `BadArchive` if the archive ends before. */
  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.some(left);
      if (part.length === 0) throw new BadArchive("The archive ends in the middle");
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}

async function* unzip(
  packed: Readable,
  most: { readonly bytes: number },
  total_bytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, undefined> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  packed.on("error", (error) => gunzip.destroy(error));
  let read = 0;
  packed.on("data", (chunk: Buffer) => {
    read += chunk.length;
  });
  let written = 0;
  try {
    for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      written += chunk.length;
      if (written > most.bytes) throw new BadArchive(`The archive unpacks to more than ${total_bytes} bytes`);
      if (written > archiveRatioFrom_bytes && written > gunzip.bytesWritten * archiveRatio_times)
        throw new BadArchive(`The archive unpacks to more than ${archiveRatio_times} times its size`);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw new BadArchive("The archive ends in the middle");
    if (code?.startsWith("Z_")) throw new BadArchive("The archive is not gzip, or it is damaged");
    throw error;
  } finally {
    packed.unpipe(gunzip);
    gunzip.destroy();
  }
  // The decompressor ignores data after the last gzip member.
  if (gunzip.bytesWritten !== read) throw new BadArchive("Something follows the end of the archive");
  return undefined;
}

class Unpacking {
  private readonly input: Unzipped;
  private readonly folder: PlainFolder;
  private readonly caps: ArchiveCaps;
  private readonly onFile: UnpackOptions["onFile"];
  private readonly writing = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;
  private readonly skipped: SkippedEntries | undefined;
  private entries = 0;
  private files = 0;
  private bytes = 0;
  private skipped_bytes = 0;
  /** Extended headers of the next entry. They are counted if the entry isn't skipped. */
  private extensions = noExtensions();
  /** Name of the next entry, from an extended header. */
  private longName: string | undefined;

  constructor(
    input: Unzipped,
    folder: PlainFolder,
    caps: ArchiveCaps,
    onFile: UnpackOptions["onFile"],
    skipped: SkippedEntries | undefined,
  ) {
    this.input = input;
    this.folder = folder;
    this.caps = caps;
    this.onFile = onFile;
    this.skipped = skipped;
  }

  async run(): Promise<Unpacked> {
    for (;;) {
      const header = await this.input.exactly(block_bytes);
      if (header.every((byte) => byte === 0)) break;
      await this.entry(header);
    }
    if (this.longName !== undefined) throw new BadArchive("The archive ends in the middle");
    await this.readEnd();
    await this.written();
    return { files: this.files, bytes: this.bytes };
  }

  /** Waits for all writes. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  /** Waits for all writes and throws the first error. */
  private async written(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure.error;
  }

  /** Checks that only zeros follow. Otherwise, some programs would read further entries and others wouldn't. */
  private async readEnd(): Promise<void> {
    await this.input.exactly(block_bytes).then(requireZeros);
    for (let part = await this.input.some(65_536); part.length; part = await this.input.some(65_536)) requireZeros(part);
  }

  private async entry(header: Buffer): Promise<void> {
    checkSum(header);
    const type = String.fromCharCode(header[156]!);
    const size = octal(header.subarray(124, 136));
    // Headers with long link names are only accepted if links may be skipped.
    if (type === "x" || type === "g" || type === "L" || (type === "K" && this.skipped)) return this.readExtension(type, size);
    const written = this.longName ?? headerName(header);
    this.longName = undefined;
    if (this.skipped?.has(written.replace(/^(?:\.\/)+|\/$/g, ""))) return this.skip(size);
    if (this.extensions.link) throw new BadArchive("The archive sets linkpath in an extended header");
    this.entries += this.extensions.count;
    this.extensions = noExtensions();
    this.count(written);
    const kind = kindOf(type, written);
    const name = this.checkedName(written);
    if (kind === "folder") {
      if (size !== 0) throw new BadArchive(`${quote(name)} is a folder with content`);
      if (!(await this.makeFolders(name))) throw twice(name);
      return;
    }
    if (octal(header.subarray(100, 108)) & 0o6000) throw new BadArchive(`${quote(name)} would run with the rights of its owner`);
    if (size > this.caps.file_bytes) throw new BadArchive(`${quote(name)} is larger than ${this.caps.file_bytes} bytes`);
    this.bytes += size;
    await this.writeFile(name, size);
  }

  private async skip(size: number): Promise<void> {
    const blocks = this.extensions.blocks + 1 + Math.ceil(size / block_bytes);
    this.extensions = noExtensions();
    this.skipped_bytes += blocks * block_bytes;
    if (this.skipped_bytes > this.skipped!.total_bytes)
      throw new BadArchive(`The archive has more than ${this.skipped!.total_bytes} bytes in folders that are skipped; leave them out`);
    this.input.allow(blocks * block_bytes);
    for (let left = size; left > 0; ) {
      const part = await this.input.some(left);
      if (part.length === 0) throw new BadArchive("The archive ends in the middle");
      left -= part.length;
    }
    await this.skipPadding(size);
  }

  /** Reads an extended header: the long name of the next entry, and whether it sets a link target, which is refused unless the entry may be skipped. */
  private async readExtension(type: string, size: number): Promise<void> {
    if (size > archiveExtension_bytes) throw new BadArchive("The archive has an extended header that is too large");
    this.extensions.count++;
    this.extensions.blocks += 1 + Math.ceil(size / block_bytes);
    this.requireRoom("an extended header");
    const content = await this.input.exactly(size);
    await this.skipPadding(size);
    if (type === "K") return;
    const { name, isLink = false } = type === "L" ? { name: decode(content).replace(/\0+$/, "") } : readPax(content);
    this.extensions.link ||= isLink;
    if (isLink && (!this.skipped || type === "g")) throw new BadArchive("The archive sets linkpath in an extended header");
    if (name === undefined) return;
    if (type === "g") throw new BadArchive("The archive gives one name to many files");
    if (this.longName !== undefined) throw new BadArchive(`${quote(name)} has two names`);
    this.longName = name;
  }

  private count(name: string): void {
    this.entries++;
    this.requireRoom(name);
  }

  private requireRoom(name: string): void {
    if (this.entries + this.extensions.count > this.caps.entries_count)
      throw new BadArchive(`The archive has more than ${this.caps.entries_count} entries; ${quote(name)} is one too many`);
  }

  /** Normalizes a name to NFC and checks it. Two names that become equal are reported as duplicates. */
  private checkedName(written: string): string {
    // `tar -C docs .` prefixes names with `./`.
    const name = written
      .replace(/^(?:\.\/)+/, "")
      .replace(/\/$/, "")
      .normalize("NFC");
    const wrong = name === "." || name === "" ? undefined : unsafeName(name);
    if (wrong) throw new BadArchive(`${quote(written)} ${wrong}`);
    return name === "." ? "" : name;
  }

  private makeFolders(name: string): Promise<boolean> {
    return this.folder.makeFolders(name, (created) => this.count(created));
  }

  private async writeFile(name: string, size: number): Promise<void> {
    if (name === "") throw new BadArchive("The archive has a file without a name");
    this.files++;
    if (!(await this.makeFolders(parentOf(name)))) throw twice(name);
    if (size > small_bytes) await this.write(name, this.parts(name, size));
    else {
      const content: Buffer[] = [];
      for await (const part of this.parts(name, size)) content.push(part);
      const task = this.write(name, content)
        .catch((error: unknown) => void (this.failure ??= { error }))
        .finally(() => this.writing.delete(task));
      this.writing.add(task);
      if (this.writing.size >= parallel_count) await Promise.race(this.writing);
      if (this.failure) throw this.failure.error;
    }
    await this.skipPadding(size);
  }

  private async write(name: string, parts: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const hash = this.onFile && createHash("sha256");
    let bytes = 0;
    const seen = async function* () {
      for await (const part of parts) {
        hash?.update(part);
        bytes += part.length;
        yield part;
      }
    };
    if (!(await this.folder.write(name, seen()))) throw twice(name);
    if (hash) this.onFile!({ path: name, bytes, sha256: hash.digest("hex") });
  }

  private async *parts(name: string, size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const part = await this.input.some(left);
      if (part.length === 0) throw new BadArchive(`The archive ends in the middle of ${quote(name)}`);
      left -= part.length;
      yield part;
    }
  }

  private async skipPadding(size: number): Promise<void> {
    await this.input.exactly((block_bytes - (size % block_bytes)) % block_bytes);
  }
}

function twice(name: string): BadArchive {
  return new BadArchive(`${quote(name)} is in the archive twice`);
}

function kindOf(type: string, name: string): "file" | "folder" {
  if (type === "5") return "folder";
  // In old archives, a folder is a file with a trailing slash.
  if (type === "0" || type === "\0") return name.endsWith("/") ? "folder" : "file";
  const what =
    type === "1" || type === "2" || type === "K" ? "a link" : type === "3" || type === "4" || type === "6" ? "a device" : undefined;
  throw new BadArchive(`${quote(name)} is ${what ?? "neither a file nor a folder"}; only files and folders are taken`);
}

function checkSum(header: Buffer): void {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  if (octal(header.subarray(148, 156)) !== sum) throw new BadArchive("The archive is not a tar, or it is damaged");
}

function octal(field: Buffer): number {
  const text = field.toString("latin1");
  if (!/^ *[0-7]*[ \0]*$/.test(text)) throw new BadArchive("The archive is not a tar, or it is damaged");
  return Number.parseInt(text.replace(/[ \0]/g, "") || "0", 8);
}

function headerName(header: Buffer): string {
  const name = zeroEnded(header.subarray(0, 100));
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? zeroEnded(header.subarray(345, 500)) : "";
  return prefix ? `${prefix}/${name}` : name;
}

function zeroEnded(field: Buffer): string {
  const end = field.indexOf(0);
  return decode(end < 0 ? field : field.subarray(0, end));
}

function noExtensions() {
  return { count: 0, blocks: 0, link: false };
}

/** Reads records of the form `length key=value\n`. Throws `BadArchive` if they are damaged or set a size. */
function readPax(content: Buffer): { name: string | undefined; isLink: boolean } {
  let name: string | undefined;
  let isLink = false;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const digits = content.toString("latin1", at, space);
    const end = at + Number(digits);
    if (space < 0 || !/^[1-9]\d{0,5}$/.test(digits) || end > content.length || content[end - 1] !== 10 || end <= space)
      throw new BadArchive("The archive has a damaged extended header");
    const record = content.subarray(space + 1, end - 1);
    const equals = record.indexOf(61);
    const key = record.toString("latin1", 0, Math.max(equals, 0));
    if (key === "path") name = decode(record.subarray(equals + 1));
    else if (key === "linkpath") isLink = true;
    // Programs disagree about which size takes precedence.
    else if (key === "size") throw new BadArchive("The archive sets size in an extended header");
    at = end;
  }
  return { name, isLink };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BadArchive("The archive has a name that is not UTF-8");
  }
}

function requireZeros(bytes: Buffer): void {
  if (bytes.some((byte) => byte !== 0)) throw new BadArchive("Something follows the end of the archive");
}

function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
