/** Hashes of the files in the documentation folder. */

import type { Files } from "../../base/files.ts";
import { hashOf } from "../hash-of.ts";

export class FileHashes {
  private readonly files: Files;
  private readonly known: Map<string, string | null>;

  /** `known`: hashes of files that were already read. */
  constructor(files: Files, known: ReadonlyMap<string, string>) {
    this.files = files;
    this.known = new Map(known);
  }

  /** Returns the hash of a file's content. Null if the file is missing. */
  of(path: string): string | null {
    let hash = this.known.get(path);
    if (hash === undefined) this.known.set(path, (hash = this.read(path)));
    return hash;
  }

  /** Whether a file has a different content now, because its author saved it during the build. */
  hasChanged(path: string): boolean {
    return this.read(path) !== this.of(path);
  }

  private read(path: string): string | null {
    const bytes = this.files.read(path);
    return bytes ? hashOf(bytes) : null;
  }
}
