/** Small files that are read often stay in memory. They are named by their content, so nothing in here is ever out of date. */

import { limits } from "../base/limits.ts";
import type { Encoding, ManifestEntry } from "../base/site-manifest.ts";
import type { SiteDirectory } from "./hosted-site.ts";

export class FileCache {
  private readonly directory: SiteDirectory;
  private readonly files = new Map<string, Buffer>();
  private readonly opening = new Map<string, Promise<Buffer>>();
  private bytes = 0;

  constructor(directory: SiteDirectory) {
    this.directory = directory;
  }

  /** Whole; undefined when the file is too large to be held, and has to be streamed. */
  read(entry: ManifestEntry, encoding: Encoding | undefined): Buffer | Promise<Buffer> | undefined {
    if ((encoding ? entry.encodings[encoding]! : entry.bytes) > limits.hostedFile_bytes) return undefined;
    const key = `${entry.hash} ${encoding ?? ""}`;
    const known = this.files.get(key);
    if (known) {
      this.files.delete(key);
      this.files.set(key, known);
      return known;
    }
    let reading = this.opening.get(key);
    if (!reading) {
      reading = this.load(key, entry, encoding).finally(() => this.opening.delete(key));
      this.opening.set(key, reading);
    }
    return reading;
  }

  /** Whatever its size, for what is parsed and kept elsewhere. */
  async whole(entry: ManifestEntry, encoding?: Encoding): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.directory.open(entry, encoding)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  private async load(key: string, entry: ManifestEntry, encoding: Encoding | undefined): Promise<Buffer> {
    const file = await this.whole(entry, encoding);
    this.files.set(key, file);
    this.bytes += file.length;
    for (const [oldest, { length }] of this.files) {
      if (this.bytes <= limits.hostedFiles_bytes) break;
      this.files.delete(oldest);
      this.bytes -= length;
    }
    return file;
  }
}
