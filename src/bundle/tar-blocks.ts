/**
 * Writes a `.tar.gz` in blocks. A block contains whole entries and is compressed on its own, as one member of
 * the gzip file, so that an unchanged block can be copied from an earlier archive. The same files always
 * produce the same bytes.
 */

import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { pack as tarPack } from "tar-stream";
import { isRunEnd } from "../engine/incremental/runs.ts";
import { sha256 } from "../io/sha256.ts";
import { GzipThread } from "./gzip-thread.ts";

/**
 * A block ends after a file whose path has a certain hash if it has at least the minimum size, and after any
 * file at the maximum size.
 */
const minimum_bytes = 512 * 1024;
const maximum_bytes = 4 * 1024 * 1024;
/** On average, one in this number of paths ends a block. */
const ending_count = 8;

/** A file for an archive. `read` returns the content, and isn't called if the file's block is copied. */
export interface ArchiveFile {
  path: string;
  bytes: number;
  sha256: string;
  read(): Uint8Array | Promise<Uint8Array>;
}

/** A block of an archive, in the order of the archive. */
export interface ArchiveBlock {
  /** Hash of the paths and contents of the block's files. */
  hash: string;
  /** Compressed size in bytes. */
  packed_bytes: number;
  paths: string[];
}

/**
 * A block whose compressed bytes are being collected or, with `copy`, are read when all previous blocks have
 * been written.
 */
interface PendingBlock {
  block: ArchiveBlock;
  parts: Uint8Array[];
  copy?(): Uint8Array;
  isComplete: boolean;
}

export class TarBlocks {
  private readonly handle: number;
  private readonly gzip: GzipThread;
  /**
   * Returns a function that reads a block of an earlier archive. Undefined if the earlier archive doesn't
   * have the block.
   */
  private readonly earlier: ((hash: string) => (() => Uint8Array) | undefined) | undefined;
  private files: ArchiveFile[] = [];
  private files_bytes = 0;
  private readonly pending: PendingBlock[] = [];
  private readonly written: ArchiveBlock[] = [];
  private readonly hash: Hash = createHash("sha256");

  /** Creates the file. `gzipModule`: path of the script of the compressor's thread. */
  constructor(file: string, gzipModule: string, earlier?: (hash: string) => (() => Uint8Array) | undefined) {
    this.handle = openSync(file, "w");
    this.gzip = new GzipThread(gzipModule);
    this.earlier = earlier;
  }

  /** Adds a file. Rejects if an earlier block couldn't be written. */
  async add(file: ArchiveFile): Promise<void> {
    this.files.push(file);
    this.files_bytes += file.bytes;
    if (this.files_bytes < minimum_bytes) return;
    if (this.files_bytes >= maximum_bytes || isRunEnd(file.path, ending_count)) await this.endBlock();
  }

  /** Ends the current block. */
  async endBlock(): Promise<void> {
    const { files } = this;
    if (files.length === 0) return;
    this.files = [];
    this.files_bytes = 0;
    const hash = sha256(files.map((file) => `${file.sha256} ${file.path}\n`).join(""));
    const block = { hash, packed_bytes: 0, paths: files.map(({ path }) => path) };
    const copy = this.earlier?.(hash);
    if (copy) {
      this.pending.push({ block, parts: [], copy, isComplete: true });
      this.write();
    } else await this.compress(block, await tarOf(files));
  }

  /** Writes the end of the archive. Resolves with the blocks and the SHA-256 of the archive. */
  async end(): Promise<{ blocks: ArchiveBlock[]; sha256: string }> {
    await this.endBlock();
    await this.compress({ hash: "", packed_bytes: 0, paths: [] }, [endOfTar]);
    await this.gzip.idle();
    return { blocks: this.written, sha256: this.hash.digest("hex") };
  }

  /** Closes the file and ends the thread, also after an error. */
  async close(): Promise<void> {
    await this.gzip.end();
    closeSync(this.handle);
  }

  private async compress(block: ArchiveBlock, tar: readonly Uint8Array[]): Promise<void> {
    const pending: PendingBlock = { block, parts: [], isComplete: false };
    this.pending.push(pending);
    await this.gzip.compress(tar, (part, isLast) => {
      pending.parts.push(part);
      pending.isComplete = isLast;
      this.write();
    });
  }

  /** Writes the parts of the first pending block and, while blocks are complete, of the next ones. */
  private write(): void {
    for (let [first] = this.pending; first; [first] = this.pending) {
      for (const part of first.copy ? [first.copy()] : first.parts) {
        first.block.packed_bytes += part.length;
        this.hash.update(part);
        for (let at = 0; at < part.length; ) at += writeSync(this.handle, part, at);
      }
      first.parts = [];
      if (!first.isComplete) return;
      this.pending.shift();
      this.written.push(first.block);
    }
  }
}

/** The end of every archive in the tar format. */
export const endOfTar = new Uint8Array(1024);

/** Returns the entries of files in the tar format, without the end of the archive, as a list of parts. */
export async function tarOf(files: readonly Pick<ArchiveFile, "path" | "read">[]): Promise<Uint8Array[]> {
  const pack = tarPack();
  const parts: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pack.on("data", (part) => parts.push(part as Buffer));
    pack.on("end", resolve);
    pack.on("error", reject);
  });

  for (const { path, read } of files) {
    const bytes = await read();
    await new Promise<void>((resolve, reject) => {
      pack.entry(
        { name: path, size: bytes.length, mode: 0o644, mtime: new Date(0) },
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        (error) => (error ? reject(error) : resolve()),
      );
    });
  }

  pack.finalize();
  await ended;

  // The last part is the end of the archive.
  return parts.slice(0, -1);
}
