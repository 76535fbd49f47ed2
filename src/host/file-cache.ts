/** Caches small files in memory. Keys contain the hash of the content, so entries never become outdated. */

import { LRUCache } from "lru-cache";
import type { ContentEncoding, ManifestEntry } from "../layout/site-manifest.ts";
import type { SiteDirectory } from "./hosted-site.ts";

/** Maximum size of the cache, which all sites share, in bytes. */
const hostedFiles_bytes = 128 * 1024 * 1024;
/** Maximum size of a cached file in bytes. */
const hostedFile_bytes = 1024 * 1024;

export class FileCache {
  private readonly directory: SiteDirectory;
  private readonly files = new LRUCache<string, Buffer>({
    maxSize: hostedFiles_bytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  private readonly opening = new Map<string, Promise<Buffer>>();

  constructor(directory: SiteDirectory) {
    this.directory = directory;
  }

  /**
   * Returns the whole file, from the cache or from the store. Undefined if it is too large for the cache and
   * must be streamed.
   */
  read(entry: ManifestEntry, encoding: ContentEncoding | undefined): Buffer | Promise<Buffer> | undefined {
    if ((encoding ? entry.encodings[encoding]! : entry.bytes) > hostedFile_bytes) return undefined;
    const key = cacheKey(entry, encoding);
    const cached = this.cached(key);
    if (cached) return cached;
    let reading = this.opening.get(key);
    if (!reading) {
      reading = this.load(key, entry, encoding).finally(() => this.opening.delete(key));
      this.opening.set(key, reading);
    }
    return reading;
  }

  /** Returns the file with a `cacheKey`, if it is in the cache. */
  cached(key: string): Buffer | undefined {
    return this.files.get(key);
  }

  /**
   * Reads a whole file of any size from the store, without the cache. Rejects if it is missing or damaged.
   */
  async whole(entry: ManifestEntry, encoding?: ContentEncoding): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.directory.open(entry, encoding)) chunks.push(chunk as Buffer);
    const file = Buffer.concat(chunks);
    await this.directory.verify?.(entry, encoding, file);
    return file;
  }

  private async load(
    key: string,
    entry: ManifestEntry,
    encoding: ContentEncoding | undefined,
  ): Promise<Buffer> {
    const file = await this.whole(entry, encoding);
    this.files.set(key, file);
    return file;
  }
}

/** Returns the key of a file, or of its compressed version. */
export function cacheKey({ hash }: ManifestEntry, encoding: ContentEncoding | undefined): string {
  return `${hash} ${encoding ?? ""}`;
}
