/** Small files that are read often, in memory. Their keys are hashes of their content, so an entry never goes out of date. */
import { LRUCache } from "lru-cache";
import type { Encoding, ManifestEntry } from "../layout/site-manifest.ts";
import type { SiteDirectory } from "./hosted-site.ts";

/** Hosted files in memory, all sites together, and the largest one that is kept: what is read over and over is small. */
const hostedFiles_bytes = 128 * 1024 * 1024;
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

  /** The whole file; undefined when it is too large for the cache and has to be streamed. */
  read(entry: ManifestEntry, encoding: Encoding | undefined): Buffer | Promise<Buffer> | undefined {
    if ((encoding ? entry.encodings[encoding]! : entry.bytes) > hostedFile_bytes) return undefined;
    const key = `${entry.hash} ${encoding ?? ""}`;
    const cached = this.files.get(key);
    if (cached) return cached;
    let reading = this.opening.get(key);
    if (!reading) {
      reading = this.load(key, entry, encoding).finally(() => this.opening.delete(key));
      this.opening.set(key, reading);
    }
    return reading;
  }

  /** A file of any size, for what is parsed and cached elsewhere. */
  async whole(entry: ManifestEntry, encoding?: Encoding): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.directory.open(entry, encoding)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  private async load(key: string, entry: ManifestEntry, encoding: Encoding | undefined): Promise<Buffer> {
    const file = await this.whole(entry, encoding);
    this.files.set(key, file);
    return file;
  }
}
