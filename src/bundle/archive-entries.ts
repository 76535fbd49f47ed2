/** Reads the files of a `.tar.gz` in order. */

import { createReadStream } from "node:fs";
import { pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { megabytes } from "../base/megabytes.ts";
import { BadArchive, requireRatio } from "../io/archive-limits.ts";

/** Maximum size of a file in an archive of others that is read into memory. */
export const readFile_bytes = 512 * 1024 * 1024;

/** A file in an archive. Its content can only be read before the next entry is requested. */
export interface ArchiveEntry {
  name: string;
  size: number;
  bytes(): Promise<Uint8Array>;
}

/**
 * Yields the files of an archive. Files that the caller doesn't read are skipped. Throws if the archive can't
 * be read.
 */
export function entriesOf(archive: string, options?: EntryOptions): AsyncGenerator<ArchiveEntry, undefined> {
  return entriesIn(createReadStream(archive), options);
}

interface EntryOptions {
  /**
   * Called for each entry that is neither a file nor a folder, such as a link. Default: such entries are
   * skipped.
   */
  onOther?(name: string): void;
  /**
   * Maximum size of a file that is read. With it, the compression ratio is limited, too. For archives of
   * others. Iteration or reading then rejects with a `BadArchive`.
   */
  file_bytes?: number;
}

/** Yields the files of a compressed stream, which may be one block of an archive. */
export async function* entriesIn(
  packed: Readable,
  { onOther, file_bytes }: EntryOptions = {},
): AsyncGenerator<ArchiveEntry, undefined> {
  const tar = extract();

  const gunzip = createGunzip();
  const limits = file_bytes === undefined ? [] : [ratioLimit(() => gunzip.bytesWritten)];

  // Errors are thrown by the iteration below.
  pipeline([packed, gunzip, ...limits, tar], () => {});

  for await (const entry of tar) {
    const { name, size = 0, type } = entry.header;
    if (type === "file")
      yield {
        name,
        size,
        bytes: async () => {
          if (file_bytes !== undefined && size > file_bytes)
            throw new BadArchive(`${name} is larger than ${megabytes(file_bytes)}`);
          const chunks: Buffer[] = [];
          for await (const chunk of entry) chunks.push(chunk as Buffer);
          return new Uint8Array(Buffer.concat(chunks));
        },
      };
    else if (type !== "directory") onOther?.(name);
    entry.resume();
  }
}

/** Passes unpacked bytes on. `packed_bytes`: number of bytes that they were unpacked from. */
function ratioLimit(packed_bytes: () => number): Transform {
  let unpacked_bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked_bytes += chunk.length;
      try {
        requireRatio(unpacked_bytes, packed_bytes());
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Reads the content of each entry, by name. */
export async function contentsOf(entries: AsyncIterable<ArchiveEntry>): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for await (const entry of entries) files.set(entry.name, await entry.bytes());
  return files;
}
