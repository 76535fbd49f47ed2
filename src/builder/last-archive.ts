/** Remembers the last archive of a cache, so that the next export copies unchanged files from it instead of generating them again. */

import { existsSync } from "node:fs";
import { type ArchiveEntry, entriesOf } from "../bundle/archive-entries.ts";
import type { PageStore } from "../engine/site/page-cache.ts";
import { sha256OfFile } from "../io/sha256.ts";

/** Name of a cache entry with three parts, separated by line breaks: the hash of the last archive, the keys of its files, its manifest. */
const lastArchive = "last archive";

/** Keys of files by path. If a file has the same key in two exports, its content is the same. */
export type FileKeys = Record<string, string>;

export async function rememberArchive(store: PageStore, file: string, keys: FileKeys, manifest: string): Promise<void> {
  store.write(lastArchive, [await sha256OfFile(file), JSON.stringify(keys), manifest].join("\n"));
}

export class LastArchive {
  readonly manifest: string;
  private readonly file: string;
  private keys: ReadonlyMap<string, string>;
  private entries: AsyncGenerator<ArchiveEntry, undefined> | undefined;
  /** Paths of the entries that were read or skipped. */
  private readonly passed = new Set<string>();

  private constructor(file: string, keys: FileKeys, manifest: string) {
    this.file = file;
    this.keys = new Map(Object.entries(keys));
    this.manifest = manifest;
  }

  /** Opens an archive. Undefined if it isn't the last archive of the cache. */
  static async open(file: string, store: PageStore | undefined): Promise<LastArchive | undefined> {
    const entry = store?.read(lastArchive);
    if (entry === undefined || !existsSync(file)) return undefined;
    const [hash = "", keys = ""] = entry.split("\n", 2);
    try {
      if ((await sha256OfFile(file)) !== hash) return undefined;
      return new LastArchive(file, JSON.parse(keys) as FileKeys, entry.slice(hash.length + keys.length + 2));
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the content of a file if its key is unchanged. Files are found in the order of the archive. Undefined for files before the one
   * that was found last, since the archive is read once.
   */
  async read(path: string, key: string): Promise<Uint8Array | undefined> {
    if (this.keys.get(path) !== key || this.passed.has(path)) return undefined;
    try {
      this.entries ??= entriesOf(this.file);
      for (;;) {
        const { value: entry } = await this.entries.next();
        if (!entry) return undefined;
        this.passed.add(entry.name);
        if (entry.name === path) return await entry.bytes();
      }
    } catch {
      this.keys = new Map();
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.entries?.return(undefined);
  }
}
