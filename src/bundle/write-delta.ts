/** Writes the delta from one bundle to the next. Deltas between the same two bundles are identical byte for byte. */

import { createReadStream, rmSync, statSync } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { createDelta } from "fossil-delta";
import { extract } from "tar-stream";
import { limits } from "../base/limits.ts";
import { operatorPath } from "../engine/site/features.ts";
import { sha256 } from "../io/sha256.ts";
import { type DeltaIndex, deltaPath, patchFolder, wholeFolder } from "./bundle-delta.ts";
import { type BundleManifest, manifestPath, readBundleManifest } from "./bundle-manifest.ts";
import { openTar } from "./write-bundle.ts";

/** A delta is only kept if its archive is smaller than this share of the bundle's archive. */
const deltaOfBundle_share = 0.5;

/**
 * Writes the delta from the bundle at `from` to the bundle at `to`. Resolves with false, without a file at `out`, if the delta
 * isn't smaller than half of the bundle or if too many bytes have changed. Rejects if an archive can't be read; `out` may then be
 * incomplete.
 */
export async function writeDelta({ from, to, out }: { from: string; to: string; out: string }): Promise<boolean> {
  const [before, after] = await Promise.all([manifestOf(from), manifestOf(to)]);
  const hashes = new Map(before.manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const changed = after.manifest.files.filter(({ path, sha256 }) => hashes.get(path) !== sha256);
  if (changed.reduce((sum, { bytes }) => sum + bytes, 0) > limits.deltaChanged_bytes) return false;

  // No manifest lists the operator's file, so it is always included.
  const names = new Set([...changed.map(({ path }) => path), manifestPath, operatorPath]);
  const [old, fresh] = await Promise.all([filesIn(from, names), filesIn(to, names)]);
  const tar = openTar(out);
  const index: DeltaIndex = { formatVersion: 1, from: before.hash, to: after.hash };
  await tar.add({ path: deltaPath, bytes: Buffer.from(`${JSON.stringify(index)}\n`) });
  for (const [name, bytes] of fresh) {
    const base = old.get(name);
    const patch = base && createDelta(base as Uint8Array, bytes as Uint8Array);
    if (patch && patch.length < bytes.length) await tar.add({ path: patchFolder + name, bytes: patch });
    else await tar.add({ path: wholeFolder + name, bytes });
  }
  await tar.end();
  const isWorthIt = statSync(out).size < statSync(to).size * deltaOfBundle_share;
  if (!isWorthIt) rmSync(out);
  return isWorthIt;
}

async function manifestOf(archive: string): Promise<{ manifest: BundleManifest; hash: string }> {
  for await (const entry of entriesOf(archive)) {
    if (entry.header.name !== manifestPath) continue;
    const bytes = await entry.bytes();
    return { manifest: readBundleManifest(bytes), hash: sha256(bytes) };
  }
  throw new Error(`${archive} has no ${manifestPath}`);
}

/** The named files of an archive, by name and in the archive's order. Files that exceed the memory limit are left out. */
async function filesIn(archive: string, names: ReadonlySet<string>): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let held_bytes = 0;
  for await (const entry of entriesOf(archive)) {
    const { name, size = 0 } = entry.header;
    if (!names.has(name) || held_bytes + size > limits.deltaChanged_bytes * 2) continue;
    files.set(name, await entry.bytes());
    held_bytes += size;
  }
  return files;
}

/** The entries of a bundle. Entries that the caller doesn't read are skipped. */
async function* entriesOf(archive: string) {
  const tar = extract();
  // Errors are thrown by the iteration below.
  pipeline(createReadStream(archive), createGunzip(), tar, () => {});
  for await (const entry of tar) {
    yield Object.assign(entry, {
      bytes: async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of entry) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      },
    });
    entry.resume();
  }
}
