/**
 * Remembers the last archive of a cache, so that the next export copies unchanged files from it instead of
 * generating them again.
 */

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { contentsOf, entriesIn } from "../bundle/archive-entries.ts";
import { type BundleFile, manifestPath, readBundleManifest } from "../bundle/bundle-manifest.ts";
import type { ArchiveBlock } from "../bundle/tar-blocks.ts";
import type { WrittenArchive } from "../bundle/write-bundle.ts";
import { type EarlierBundle, readEntries } from "../bundle/write-delta.ts";
import type { Store } from "../engine/incremental/store.ts";
import { sha256OfFile } from "../io/sha256.ts";

/** Name in the store. */
const lastArchive = "last archive";

/** Keys of files by path. If a file has the same key in two exports, its content is the same. */
export type FileKeys = Record<string, string>;

/**
 * What is known of the archive, for the build of the product that wrote it. Other builds may compress
 * differently.
 */
interface LastArchiveData {
  sha256: string;
  blocks: ArchiveBlock[];
  keys: FileKeys;
}

/** A block and the position of its first byte in the archive. */
interface PlacedBlock extends ArchiveBlock {
  start: number;
}

export function rememberArchive(
  store: Store,
  generator: string,
  { blocks, sha256 }: WrittenArchive,
  keys: FileKeys,
): void {
  if (blocks && sha256)
    store.keep(lastArchive, generator, JSON.stringify({ sha256, blocks, keys } satisfies LastArchiveData));
}

export class LastArchive implements EarlierBundle {
  private readonly handle: number;
  private readonly keys: ReadonlyMap<string, string>;
  private readonly blocks: ReadonlyMap<string, PlacedBlock>;
  private readonly blockOf: ReadonlyMap<string, PlacedBlock>;
  /** The manifest and its files, which are set when the archive is opened. */
  manifest: Uint8Array = new Uint8Array();
  private files: ReadonlyMap<string, BundleFile> = new Map();
  /** The files of the block that was read last. */
  private unpacked: { block: PlacedBlock; files: ReadonlyMap<string, Uint8Array> } | undefined;

  private constructor(file: string, { blocks, keys }: LastArchiveData) {
    this.handle = openSync(file, "r");
    this.keys = new Map(Object.entries(keys));
    let start = 0;
    const placed = blocks.map((block) => {
      start += block.packed_bytes;
      return { ...block, start: start - block.packed_bytes };
    });
    this.blocks = new Map(placed.map((block) => [block.hash, block]));
    this.blockOf = new Map(placed.flatMap((block) => block.paths.map((path) => [path, block])));
  }

  /**
   * Opens an archive. Undefined if it isn't the last archive of the cache, or if a different build of the
   * product wrote it.
   */
  static async open(
    file: string,
    store: Store | undefined,
    generator: string,
  ): Promise<LastArchive | undefined> {
    const kept = store?.get(lastArchive, generator);
    if (!kept || !existsSync(file)) return undefined;
    let archive: LastArchive | undefined;
    try {
      const remembered = JSON.parse(kept.toString()) as LastArchiveData;
      if ((await sha256OfFile(file)) !== remembered.sha256) return undefined;
      archive = new LastArchive(file, remembered);
      archive.manifest = await archive.read(manifestPath);
      archive.files = new Map(readBundleManifest(archive.manifest).files.map((file) => [file.path, file]));
      return archive;
    } catch {
      archive?.close();
      return undefined;
    }
  }

  /** Returns a file from the manifest if its key is unchanged. */
  unchanged(path: string, key: string): BundleFile | undefined {
    return this.keys.get(path) === key ? this.files.get(path) : undefined;
  }

  /** Reads a file. Rejects if the archive doesn't have it. */
  async read(path: string): Promise<Uint8Array> {
    const block = this.blockOf.get(path);
    if (!block) throw new Error(`The last archive has no ${path}`);
    if (this.unpacked?.block !== block) {
      this.unpacked = { block, files: await contentsOf(this.entriesOf(block)) };
    }
    return this.unpacked.files.get(path)!;
  }

  async contents(paths: ReadonlySet<string>): Promise<Map<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>();
    for (const block of new Set([...paths].flatMap((path) => this.blockOf.get(path) ?? [])))
      await readEntries(this.entriesOf(block), paths, files);
    return files;
  }

  /**
   * Returns a function that reads the compressed bytes of a block. Undefined if the archive doesn't have the
   * block.
   */
  packed(hash: string): (() => Uint8Array) | undefined {
    const block = this.blocks.get(hash);
    return block && (() => this.bytesOf(block));
  }

  close(): void {
    closeSync(this.handle);
  }

  private entriesOf(block: PlacedBlock) {
    return entriesIn(Readable.from([this.bytesOf(block)]));
  }

  private bytesOf({ start, packed_bytes }: PlacedBlock): Uint8Array {
    const bytes = Buffer.alloc(packed_bytes);
    for (let at = 0; at < packed_bytes; ) {
      const read = readSync(this.handle, bytes, at, packed_bytes - at, start + at);
      if (read === 0) throw new Error("The last archive was changed during the export");
      at += read;
    }
    return bytes;
  }
}
