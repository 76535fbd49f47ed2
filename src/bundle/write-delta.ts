/**
 * Creates the delta from one bundle to the next. Deltas between the same two bundles are identical byte for
 * byte.
 */

import { gzipSync } from "fflate";
import { createDelta } from "fossil-delta";
import { limits } from "../base/limits.ts";
import { sha256 } from "../io/sha256.ts";
import { type ArchiveEntry, entriesOf } from "./archive-entries.ts";
import { type DeltaIndex, deltaPath, patchFolder, wholeFolder } from "./bundle-delta.ts";
import { manifestPath, readBundleManifest } from "./bundle-manifest.ts";
import { endOfTar, tarOf } from "./tar-blocks.ts";

/** Maximum size of a delta, as a share of the size of the bundle's archive. Larger deltas aren't used. */
const deltaOfBundle_share = 0.5;

/** A bundle that a delta starts from. */
export interface EarlierBundle {
  manifest: Uint8Array;
  /** Reads files. The result leaves out missing files and files that exceed the memory limit. */
  contents(paths: ReadonlySet<string>): Promise<Map<string, Uint8Array>>;
}

/** Opens a bundle for `DeltaWriter`. Rejects if the archive can't be read or the manifest is missing. */
export async function openBundle(archive: string): Promise<EarlierBundle> {
  for await (const entry of entriesOf(archive))
    if (entry.name === manifestPath)
      return { manifest: await entry.bytes(), contents: (paths) => readEntries(entriesOf(archive), paths) };
  throw new Error(`${archive} has no ${manifestPath}`);
}

/** Reads the named entries of an archive into `files`. Leaves out entries that exceed the memory limit. */
export async function readEntries(
  entries: AsyncIterable<ArchiveEntry>,
  names: ReadonlySet<string>,
  files = new Map<string, Uint8Array>(),
): Promise<Map<string, Uint8Array>> {
  let held_bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  for await (const entry of entries) {
    const { name, size } = entry;
    if (!names.has(name) || held_bytes + size > 2 * limits.deltaChanged_bytes) continue;
    files.set(name, await entry.bytes());
    held_bytes += size;
  }
  return files;
}

/**
 * Collects the files of a new bundle that differ from an earlier one, and creates the delta between the two.
 */
export class DeltaWriter {
  private readonly from: EarlierBundle;
  /** Hashes of the earlier bundle's files. */
  private readonly hashes: ReadonlyMap<string, string>;
  /** Files of the new bundle that differ, by path. Undefined if too many bytes differ. */
  private changed: Map<string, Uint8Array> | undefined = new Map();
  private changed_bytes = 0;

  /** Throws `BadBundle` if the manifest of the earlier bundle is invalid. */
  constructor(from: EarlierBundle) {
    this.from = from;
    this.hashes = new Map(readBundleManifest(from.manifest).files.map((file) => [file.path, file.sha256]));
  }

  /** Adds a file of the new bundle. Files with the same hash in the earlier bundle don't need to be added. */
  add(path: string, bytes: Uint8Array, hash: string): void {
    // No manifest lists the manifest and the operator's file, so these two are always included.
    if (this.hashes.get(path) === hash) return;
    this.changed_bytes += bytes.length;
    if (this.changed_bytes > limits.deltaChanged_bytes) this.changed = undefined;
    this.changed?.set(path, bytes);
  }

  /**
   * Creates the delta when all files have been added. Undefined if too many bytes differ. Rejects if the
   * earlier archive can't be read.
   */
  async create(): Promise<Uint8Array | undefined> {
    const { changed } = this;
    const manifest = changed?.get(manifestPath);
    if (!changed || !manifest) return undefined;
    const old = await this.from.contents(new Set(changed.keys()));
    const index: DeltaIndex = { formatVersion: 1, from: sha256(this.from.manifest), to: sha256(manifest) };
    const files = [{ path: deltaPath, read: (): Uint8Array => Buffer.from(`${JSON.stringify(index)}\n`) }];
    for (const [name, bytes] of changed) {
      const base = old.get(name);
      const patch = base && createDelta(base, bytes);
      if (patch && patch.length < bytes.length) files.push({ path: patchFolder + name, read: () => patch });
      else files.push({ path: wholeFolder + name, read: () => bytes });
    }
    return gzipSync(Buffer.concat([...(await tarOf(files)), endOfTar]), { level: 6, mtime: 0 });
  }
}

/** Whether a delta is small enough to be worth downloading instead of the bundle's archive. */
export function isWorthIt(delta: Uint8Array, archive_bytes: number): boolean {
  return delta.length < archive_bytes * deltaOfBundle_share;
}
