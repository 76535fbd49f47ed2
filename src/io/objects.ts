/**
 * Interface of object storage: a folder on one machine, or S3. Methods that take a key throw if `checkKey`
 * rejects the key.
 */

import type { Readable } from "node:stream";

export interface Objects {
  /** Writes an object completely or not at all. Replaces an object with the same key. */
  put(key: string, body: Uint8Array | { file: string }): Promise<void>;
  /** Reads an object. Undefined if it doesn't exist. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Returns the size of the object in bytes. Undefined if the object doesn't exist. */
  size(key: string): Promise<number | undefined>;
  /** Opens an object for reading. Undefined if it doesn't exist. `end` is inclusive, as in HTTP. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Deletes an object, if it exists. */
  delete(key: string): Promise<void>;
  /**
   * Yields the keys that start with a prefix, which doesn't need to end with a slash, in no particular order.
   */
  keys(prefix: string): AsyncIterable<string>;
  /** Creates a download link that works without credentials until it expires. */
  link(
    key: string,
    options: { seconds: number; fileName: string },
  ): Promise<{ url: string; expiresAt: Date }>;
}
