/**
 * Writes an export as an archive, with a delta if one is requested. Copies unchanged files from the last
 * archive.
 */

import { rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import {
  type ArchiveLabel,
  type BundleSource,
  manifestPath,
  signaturePath,
} from "../bundle/bundle-manifest.ts";
import type { ArchiveFile } from "../bundle/tar-blocks.ts";
import { newFile, writeArchive } from "../bundle/write-bundle.ts";
import { DeltaWriter, isWorthIt, openBundle } from "../bundle/write-delta.ts";
import { bytesOf, type PlannedFiles } from "../engine/export/export-site.ts";
import type { Store } from "../engine/incremental/store.ts";
import { sha256 } from "../io/sha256.ts";
import type { DeltaFiles } from "./build-protocol.ts";
import { type FileKeys, LastArchive, rememberArchive } from "./last-archive.ts";
import { addSize, type SiteSizes } from "./site-sizes.ts";

interface ArchiveOutput {
  path: string;
  label?: ArchiveLabel;
  delta?: DeltaFiles;
  signingKey?: string;
}

interface ArchiveOutputOptions {
  /** Identifies the build of the product. */
  generator: string;
  version: string;
  /** Path of the script of the thread that compresses archives. */
  gzipModule: string;
  source: BundleSource;
  /** Remembers the last archive. Undefined if there is no cache. */
  store: Store | undefined;
}

/** Resolves with the uncompressed sizes of the files and the version in the manifest. */
export async function writeOutputArchive(
  { path: file, label, delta, signingKey }: ArchiveOutput,
  exported: PlannedFiles,
  { generator, version, gzipModule, source, store }: ArchiveOutputOptions,
): Promise<{ sizes: SiteSizes; version: string }> {
  const from = delta?.from ?? file;
  const last = from.endsWith(".zip") ? undefined : await LastArchive.open(from, store, generator);
  let created: Promise<Uint8Array | undefined> | undefined;
  try {
    // The archive is usable without the delta.
    const deltaWriter = delta && (await openDelta(from, last).catch(() => undefined));
    const keys: FileKeys = {};
    const sizes: SiteSizes = {};
    const written = await writeArchive(file, archived(exported, { keys, sizes }, last, deltaWriter), {
      generator: `octavo ${version}`,
      gzipModule,
      source,
      ...(signingKey === undefined ? {} : { signingKey }),
      ...(label ? { label } : {}),
      ...(last ? { earlier: (hash) => last.packed(hash) } : {}),
      onManifest: (manifest, signature) => {
        deltaWriter?.add(manifestPath, manifest, sha256(manifest));
        if (signature) deltaWriter?.add(signaturePath, signature, sha256(signature));
        created = deltaWriter?.create().catch(() => undefined);
      },
    });
    const bytes = await created;
    if (delta && bytes && isWorthIt(bytes, statSync(file).size))
      await writeFile(delta.out, bytes).catch(() => rmSync(delta.out, { force: true }));
    if (store) rememberArchive(store, generator, written, keys);
    return { sizes, version: written.version };
  } finally {
    await created;
    last?.close();
  }
}

/**
 * Yields the files: unchanged ones from the last archive, and others generated. Adds the keys and sizes, and
 * other files to the delta.
 */
async function* archived(
  exported: PlannedFiles,
  { keys, sizes }: { keys: FileKeys; sizes: SiteSizes },
  last: LastArchive | undefined,
  deltaWriter: DeltaWriter | undefined,
): AsyncGenerator<ArchiveFile> {
  for await (const [path, planned] of exported) {
    if (planned.ready) await planned.ready();
    const key = planned.key?.();
    if (key !== undefined) keys[path] = key;
    const unchanged = key === undefined ? undefined : last?.unchanged(path, key);
    if (unchanged) {
      addSize(sizes, path, unchanged.bytes);
      yield { ...unchanged, read: () => last!.read(path) };
    } else {
      const bytes = bytesOf(planned);
      const file = newFile(path, bytes);
      addSize(sizes, path, bytes.length);
      deltaWriter?.add(path, bytes, file.sha256);
      yield file;
    }
  }
}

/** Starts a delta from an archive. Rejects if it can't be read. */
async function openDelta(from: string, last: LastArchive | undefined): Promise<DeltaWriter> {
  return new DeltaWriter(last ?? (await openBundle(from)));
}
