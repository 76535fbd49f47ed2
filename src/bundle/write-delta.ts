/** Writes the delta from one bundle to the next. Deltas between the same two bundles are identical byte for byte. */

import { rmSync, statSync } from "node:fs";
import { createDelta } from "fossil-delta";
import { limits } from "../base/limits.ts";
import { sha256 } from "../io/sha256.ts";
import { entriesOf } from "./archive-entries.ts";
import { type DeltaIndex, deltaPath, patchFolder, wholeFolder } from "./bundle-delta.ts";
import { manifestPath, readBundleManifest } from "./bundle-manifest.ts";
import { openTar } from "./write-bundle.ts";

/** Maximum size of a delta, as a share of the size of the bundle's archive. Larger deltas are deleted. */
const deltaOfBundle_share = 0.5;

/** Collects the files of a new bundle that differ from an earlier one, and writes the delta between the two. */
export class DeltaWriter {
  private readonly from: string;
  /** Hashes of the earlier bundle's manifest and files. */
  private readonly manifestHash: string;
  private readonly hashes: ReadonlyMap<string, string>;
  /** Files of the new bundle that differ, by path. Undefined if too many bytes differ. */
  private changed: Map<string, Uint8Array> | undefined = new Map();
  private changed_bytes = 0;
  /** The earlier content of the changed files, which is read when the last file has been added. */
  private old: Promise<Map<string, Uint8Array>> | undefined;

  private constructor(from: string, manifest: Uint8Array) {
    this.from = from;
    this.manifestHash = sha256(manifest);
    this.hashes = new Map(readBundleManifest(manifest).files.map((file) => [file.path, file.sha256]));
  }

  /**
   * Reads the manifest of the earlier bundle, unless it's given. Rejects if the archive can't be read or the manifest is missing or
   * invalid.
   */
  static async open(from: string, manifest?: string): Promise<DeltaWriter> {
    if (manifest !== undefined) return new DeltaWriter(from, Buffer.from(manifest));
    for await (const entry of entriesOf(from)) if (entry.name === manifestPath) return new DeltaWriter(from, await entry.bytes());
    throw new Error(`${from} has no ${manifestPath}`);
  }

  /** Adds a file of the new bundle, in the order of the bundle. The manifest is the last one. */
  add(path: string, bytes: Uint8Array, hash: string): void {
    // No manifest lists the manifest and the operator's file, so these two are always included.
    if (this.hashes.get(path) === hash) return;
    this.changed_bytes += bytes.length;
    if (this.changed_bytes > limits.deltaChanged_bytes) this.changed = undefined;
    this.changed?.set(path, bytes);
    if (path !== manifestPath || !this.changed) return;
    // Starts here, while the end of the new bundle is being compressed.
    this.old = filesIn(this.from, new Set(this.changed.keys()));
    // Prevents an unhandled rejection: `write` reports the error.
    this.old.catch(() => {});
  }

  /**
   * Writes the delta to `out` when all files have been added. `to`: the archive of the new bundle. Resolves with false, without a file at
   * `out`, if the delta isn't smaller than half of `to` or if too many bytes differ. Rejects if the earlier archive can't be read; `out`
   * may then be incomplete.
   */
  async write(out: string, to: string): Promise<boolean> {
    const { changed } = this;
    const manifest = changed?.get(manifestPath);
    const old = await this.old;
    if (!changed || !manifest || !old) return false;
    const tar = openTar(out);
    const index: DeltaIndex = { formatVersion: 1, from: this.manifestHash, to: sha256(manifest) };
    await tar.add({ path: deltaPath, bytes: Buffer.from(`${JSON.stringify(index)}\n`) });
    for (const [name, bytes] of changed) {
      const base = old.get(name);
      const patch = base && createDelta(base, bytes);
      if (patch && patch.length < bytes.length) await tar.add({ path: patchFolder + name, bytes: patch });
      else await tar.add({ path: wholeFolder + name, bytes });
    }
    await tar.end();
    const isWorthIt = statSync(out).size < statSync(to).size * deltaOfBundle_share;
    if (!isWorthIt) rmSync(out);
    return isWorthIt;
  }
}

/** Reads the named files of an archive. The result leaves out files that exceed the memory limit. */
async function filesIn(archive: string, names: ReadonlySet<string>): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let held_bytes = 0;
  for await (const entry of entriesOf(archive)) {
    const { name, size } = entry;
    if (!names.has(name) || held_bytes + size > limits.deltaChanged_bytes * 2) continue;
    files.set(name, await entry.bytes());
    held_bytes += size;
  }
  return files;
}
