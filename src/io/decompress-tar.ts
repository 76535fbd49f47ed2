/** Decompresses an untrusted tar.gz, with limits on its size and compression ratio. */

import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ArchiveCaps, BadArchive, requireRatio, tooLarge } from "./archive-limits.ts";

/** Block size of the tar format. */
export const block_bytes = 512;

/**
 * Reads the bytes of the decompressed tar. Methods throw `BadArchive` if the archive is damaged or too large.
 */
export class DecompressedTar {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private readonly most: { bytes: number };

  constructor(packed: Readable, caps: ArchiveCaps, signal: AbortSignal | undefined) {
    // The size of the files, plus an allowance for headers and padding.
    this.most = { bytes: caps.total_bytes + caps.entries_count * 4 * block_bytes };
    this.chunks = unzip(packed, this.most, caps, signal);
  }

  /** Increases the size limit by the size of skipped entries. */
  allow(bytes: number): void {
    this.most.bytes += bytes;
  }

  /** Reads at most `most` bytes. Resolves with an empty buffer at the end of the archive. */
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

  /** Reads exactly `count` bytes. Throws `BadArchive` if the archive ends before that. */
  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.some(left);
      if (part.length === 0) throw new BadArchive("The archive is incomplete");
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}

async function* unzip(
  packed: Readable,
  most: { readonly bytes: number },
  caps: ArchiveCaps,
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
      if (written > most.bytes) throw tooLarge(caps);
      requireRatio(written, gunzip.bytesWritten);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw new BadArchive("The archive is incomplete");
    if (code?.startsWith("Z_")) throw new BadArchive("The file isn't a gzip archive, or it's damaged");
    throw error;
  } finally {
    packed.unpipe(gunzip);
    gunzip.destroy();
  }

  // The decompressor ignores data after the last gzip member.
  if (gunzip.bytesWritten !== read) throw new BadArchive("Unexpected data after the end of the archive");
  return undefined;
}
