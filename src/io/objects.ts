/** Object storage: a folder on one machine, or S3. Keys consist of `[a-z0-9/._-]`. */
import type { Readable } from "node:stream";

export interface Objects {
  /** Writes the whole object or nothing; writing the same key again replaces it. */
  put(key: string, body: Uint8Array | { file: string }): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** In bytes. */
  size(key: string): Promise<number | undefined>;
  /** `end` is inclusive, as in HTTP. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  delete(key: string): Promise<void>;
  keys(prefix: string): AsyncIterable<string>;
  /** A download link that works without credentials until it expires. */
  link(key: string, options: { seconds: number; fileName: string }): Promise<{ url: string; expiresAt: Date }>;
}
