/**
 * Unpacks an untrusted tar.gz stream into a new folder. Only plain files and folders are accepted, because
 * links, devices and similar entries could give access to files outside the folder.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { megabytes } from "../base/megabytes.ts";
import { unsafeName } from "../base/safe-name.ts";
import { type ArchiveCaps, BadArchive, type SkippedEntries, tooLarge } from "./archive-limits.ts";
import { block_bytes, DecompressedTar } from "./decompress-tar.ts";
import { PlainFolder, parentOf } from "./plain-folder.ts";
import { removeFolder } from "./remove-folder.ts";
import { sha256 } from "./sha256.ts";
import { decode, headerName, kindOf, octal, quote, readPax, verifyChecksum } from "./tar-header.ts";

/** Maximum size in bytes of an extended header, which contains metadata such as a long name. */
const archiveExtension_bytes = 65_536;

export interface Unpacked {
  /** Number of files. */
  files: number;
  bytes: number;
}

export interface UnpackOptions {
  signal?: AbortSignal | undefined;
  skipped?: SkippedEntries;
  /** Called with the hash of each file, so that files don't need to be read again. */
  onFile?(file: UnpackedFile): void;
  /**
   * Writes small files without other threads. On a local disk this takes half the CPU time. On a slow disk,
   * it delays the other work of the process.
   */
  isBlocking?: boolean;
}

export interface UnpackedFile {
  path: string;
  bytes: number;
  /** SHA-256 of the content in hex. */
  sha256: string;
}

/**
 * Maximum size in bytes of a file that is written while the next entries are read. `parallel_count`: maximum
 * number of such files.
 */
const small_bytes = 256 * 1024;
const parallel_count = 16;

/**
 * Unpacks an archive from a path or a stream. `folder` must not exist, and doesn't exist after a failure.
 * Throws `BadArchive`.
 */
export async function unpackArchive(
  source: string | Readable,
  folder: string,
  caps: ArchiveCaps,
  options: UnpackOptions = {},
): Promise<Unpacked> {
  const target = new PlainFolder(folder);
  try {
    return await readArchive(source, target, caps, options);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** Gets the folders and files of an archive. The methods resolve with false if a name is taken. */
export interface ArchiveTarget {
  makeFolders(name: string, onCreate?: (name: string) => void): Promise<boolean>;
  write(name: string, parts: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Required for the option `isBlocking`. */
  writeBlocking?(name: string, bytes: Uint8Array): Promise<boolean>;
}

/** Like `unpackArchive`, but with a target that needn't be a folder. */
export async function readArchive(
  source: string | Readable,
  target: ArchiveTarget,
  caps: ArchiveCaps,
  options: UnpackOptions = {},
): Promise<Unpacked> {
  const packed = typeof source === "string" ? createReadStream(source) : source;
  const unpacking = new Unpacking(new DecompressedTar(packed, caps, options.signal), target, caps, options);
  try {
    return await unpacking.run();
  } finally {
    await unpacking.settled();
    packed.destroy();
  }
}

class Unpacking {
  private readonly input: DecompressedTar;
  private readonly folder: ArchiveTarget;
  private readonly caps: ArchiveCaps;
  private readonly onFile: UnpackOptions["onFile"];
  private readonly writing = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;
  private readonly skipped: SkippedEntries | undefined;
  private readonly isBlocking: boolean;
  private entries = 0;
  private files = 0;
  private bytes = 0;
  private skipped_bytes = 0;
  /** Extended headers of the next entry, which are counted if the entry isn't skipped. */
  private extensions = noExtensions();
  /** Name of the next entry, from an extended header. */
  private longName: string | undefined;

  constructor(
    input: DecompressedTar,
    folder: ArchiveTarget,
    caps: ArchiveCaps,
    { onFile, skipped, isBlocking = false }: UnpackOptions,
  ) {
    this.input = input;
    this.folder = folder;
    this.caps = caps;
    this.onFile = onFile;
    this.skipped = skipped;
    this.isBlocking = isBlocking;
  }

  async run(): Promise<Unpacked> {
    for (;;) {
      const header = await this.input.exactly(block_bytes);
      if (header.every((byte) => byte === 0)) break;
      await this.entry(header);
    }
    if (this.longName !== undefined) throw new BadArchive("The archive is incomplete");
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

  /**
   * Checks that only zeros follow. Otherwise, some programs would read further entries and others wouldn't.
   */
  private async readEnd(): Promise<void> {
    await this.input.exactly(block_bytes).then(requireZeros);
    for (let part = await this.input.some(65_536); part.length; part = await this.input.some(65_536))
      requireZeros(part);
  }

  private async entry(header: Buffer): Promise<void> {
    verifyChecksum(header);
    const type = String.fromCharCode(header[156]!);
    const size = octal(header.subarray(124, 136));

    // Headers with long link names are only accepted if links may be skipped.
    if (type === "x" || type === "g" || type === "L" || (type === "K" && this.skipped))
      return this.readExtension(type, size);
    const written = this.longName ?? headerName(header);
    this.longName = undefined;
    if (this.skipped?.has(written.replace(/^(?:\.\/)+|\/$/g, ""))) return this.skip(size);

    if (this.extensions.link)
      throw new BadArchive(
        "The archive has an extended (pax) header that sets linkpath, which isn't supported",
      );

    this.entries += this.extensions.count;
    this.extensions = noExtensions();
    this.count(written);
    const kind = kindOf(type, written);
    const name = this.checkedName(written);

    if (kind === "folder") {
      if (size !== 0) throw new BadArchive(`The entry for the folder ${quote(name)} contains data`);
      if (!(await this.makeFolders(parentOf(name))) || !(await this.folder.makeFolders(name)))
        throw duplicate(name);
      return;
    }

    if (octal(header.subarray(100, 108)) & 0o6000)
      throw new BadArchive(`${quote(name)} has the setuid or setgid bit, which isn't allowed`);
    if (size > this.caps.file_bytes)
      throw new BadArchive(`${quote(name)} is larger than ${megabytes(this.caps.file_bytes)}`);
    this.bytes += size;
    if (this.bytes > this.caps.total_bytes) throw tooLarge(this.caps);

    await this.writeFile(name, size);
  }

  private async skip(size: number): Promise<void> {
    const blocks = this.extensions.blocks + 1 + Math.ceil(size / block_bytes);
    this.extensions = noExtensions();
    this.skipped_bytes += blocks * block_bytes;

    if (this.skipped_bytes > this.skipped!.total_bytes)
      throw new BadArchive(
        `The archive has more than ${megabytes(this.skipped!.total_bytes)} in skipped folders. Leave these folders out.`,
      );

    this.input.allow(blocks * block_bytes);

    for (let left = size; left > 0; ) {
      const part = await this.input.some(left);
      if (part.length === 0) throw new BadArchive("The archive is incomplete");
      left -= part.length;
    }

    await this.skipPadding(size);
  }

  /**
   * Reads an extended header: the long name of the next entry, and whether the header sets a link target. A
   * link target is only accepted if the entry may be skipped.
   */
  private async readExtension(type: string, size: number): Promise<void> {
    if (size > archiveExtension_bytes)
      throw new BadArchive("The archive has an extended header that is too large");
    this.extensions.count++;
    this.extensions.blocks += 1 + Math.ceil(size / block_bytes);
    this.requireRoom("an extended header");
    const content = await this.input.exactly(size);
    await this.skipPadding(size);
    if (type === "K") return;

    const { name, isLink = false } =
      type === "L" ? { name: decode(content).replace(/\0+$/, "") } : readPax(content);
    this.extensions.link ||= isLink;

    if (isLink && (!this.skipped || type === "g"))
      throw new BadArchive(
        "The archive has an extended (pax) header that sets linkpath, which isn't supported",
      );

    if (name === undefined) return;

    if (type === "g")
      throw new BadArchive(
        "The archive has a global extended (pax) header that sets path, which isn't supported",
      );

    if (this.longName !== undefined) throw new BadArchive(`${quote(name)} has two names`);
    this.longName = name;
  }

  private count(name: string): void {
    this.entries++;
    this.requireRoom(name);
  }

  private requireRoom(name: string): void {
    if (this.entries + this.extensions.count > this.caps.entries_count)
      throw new BadArchive(
        `The archive has more than ${this.caps.entries_count} entries. ${quote(name)} exceeds the limit.`,
      );
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
    if (!(await this.makeFolders(parentOf(name)))) throw duplicate(name);

    if (size > small_bytes) await this.write(name, this.parts(name, size));
    else {
      const content: Buffer[] = [];
      for await (const part of this.parts(name, size)) content.push(part);
      const task = this.writeSmall(name, content)
        .catch((error: unknown) => void (this.failure ??= { error }))
        .finally(() => this.writing.delete(task));
      this.writing.add(task);
      if (this.writing.size >= parallel_count) await Promise.race(this.writing);
      if (this.failure) throw this.failure.error;
    }

    await this.skipPadding(size);
  }

  private async writeSmall(name: string, content: Buffer[]): Promise<void> {
    if (!this.isBlocking || !this.folder.writeBlocking) return this.write(name, content);
    const bytes = Buffer.concat(content);
    if (!(await this.folder.writeBlocking(name, bytes))) throw duplicate(name);
    this.onFile?.({ path: name, bytes: bytes.length, sha256: sha256(bytes) });
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
    if (!(await this.folder.write(name, seen()))) throw duplicate(name);
    if (hash) this.onFile!({ path: name, bytes, sha256: hash.digest("hex") });
  }

  private async *parts(name: string, size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const part = await this.input.some(left);
      if (part.length === 0) throw new BadArchive(`The archive is incomplete: ${quote(name)} is cut off`);
      left -= part.length;
      yield part;
    }
  }

  private async skipPadding(size: number): Promise<void> {
    await this.input.exactly((block_bytes - (size % block_bytes)) % block_bytes);
  }
}

function duplicate(name: string): BadArchive {
  return new BadArchive(`${quote(name)} appears twice in the archive`);
}

function noExtensions() {
  return { count: 0, blocks: 0, link: false };
}

function requireZeros(bytes: Buffer): void {
  if (bytes.some((byte) => byte !== 0)) throw new BadArchive("Unexpected data after the end of the archive");
}
