/** Lets a build read texts that an editor hasn't saved, without writing what depends on them to disk. */

import { byCodeUnit, type Files } from "../base/files.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { bytesOfValue } from "../engine/incremental/store.ts";
import type { FolderStore } from "./pack-store.ts";

/** Number of values with the same name that are kept, so that undoing an edit finds the earlier values. */
const versions_count = 3;

/** Returns the files with some of their texts replaced, and with new files. `texts`: by path. */
export function withUnsavedTexts(files: Files, texts: Readonly<Record<string, string>>): Files {
  const unsaved = new Map(
    Object.entries(texts)
      .filter(([file]) => !isInSkippedFolder(file))
      .map(([file, text]) => [file.normalize("NFC"), Buffer.from(text)]),
  );
  if (unsaved.size === 0) return files;

  return {
    paths: [...new Set([...files.paths, ...unsaved.keys()])].sort(byCodeUnit),
    read: (file) => unsaved.get(file) ?? files.read(file),
    size: (file) => unsaved.get(file)?.length ?? files.size(file),
    stamp: (file) => (unsaved.has(file) ? undefined : files.stamp?.(file)),
  };
}

/**
 * A store that reads the values of earlier builds. While `isUnsaved` is set, new values stay in memory. Only
 * the last ones of each name are kept.
 */
export class UnsavedStore implements FolderStore {
  readonly isLasting = true;
  isUnsaved = false;
  private readonly saved: FolderStore | undefined;
  private readonly values = new Map<string, { key: string; value: Buffer }[]>();

  constructor(saved: FolderStore | undefined) {
    this.saved = saved;
  }

  has(name: string, key: string): boolean {
    return this.find(name, key) !== undefined || this.saved?.has(name, key) === true;
  }

  get(name: string, key: string): Buffer | undefined {
    return this.find(name, key) ?? this.saved?.get(name, key);
  }

  keep(name: string, key: string, value: string | Uint8Array | readonly Uint8Array[]): void {
    if (this.saved && !this.isUnsaved) {
      this.values.delete(name);
      this.saved.keep(name, key, value);
      return;
    }

    const others = (this.values.get(name) ?? []).filter((other) => other.key !== key);
    this.values.set(name, [{ key, value: bytesOfValue(value) }, ...others].slice(0, versions_count));
  }

  flush(): void {
    this.saved?.flush();
  }

  close(): void {
    this.saved?.close();
  }

  private find(name: string, key: string): Buffer | undefined {
    return this.values.get(name)?.find((other) => other.key === key)?.value;
  }
}
