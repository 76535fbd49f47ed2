/** Reads the files of a `.tar.gz` in order. */

import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

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
}

/** Yields the files of a compressed stream, which may be one block of an archive. */
export async function* entriesIn(
  packed: Readable,
  { onOther }: EntryOptions = {},
): AsyncGenerator<ArchiveEntry, undefined> {
  const tar = extract();

  // Errors are thrown by the iteration below.
  pipeline(packed, createGunzip(), tar, () => {});

  for await (const entry of tar) {
    const { name, size = 0, type } = entry.header;
    if (type === "file")
      yield {
        name,
        size,
        bytes: async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of entry) chunks.push(chunk as Buffer);
          return new Uint8Array(Buffer.concat(chunks));
        },
      };
    else if (type !== "directory") onOther?.(name);
    entry.resume();
  }
}

/** Reads the content of each entry, by name. */
export async function contentsOf(entries: AsyncIterable<ArchiveEntry>): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for await (const entry of entries) files.set(entry.name, await entry.bytes());
  return files;
}
