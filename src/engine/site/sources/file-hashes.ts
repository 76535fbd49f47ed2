/** Hashes of the files in the documentation folder. */

import { decodeText, type Files } from "../../../base/files.ts";
import { hashOf } from "../../hash-of.ts";

export class FileHashes {
  private readonly files: Files;
  private readonly known: Map<string, string | null>;
  /**
   * Files that had a different content when they were read again, because their author saved them during the
   * build.
   */
  private readonly changed = new Set<string>();

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

  /** Reads a file as text. Undefined if the file is missing. */
  readText(path: string): string | undefined {
    const bytes = this.files.read(path);
    if ((bytes ? hashOf(bytes) : null) !== this.of(path)) this.changed.add(path);
    return bytes && decodeText(bytes);
  }

  /** Whether `readText` has returned a content whose hash isn't that of `of`. */
  hasChanged(path: string): boolean {
    return this.changed.has(path);
  }

  private read(path: string): string | null {
    const bytes = this.files.read(path);
    return bytes ? hashOf(bytes) : null;
  }
}
