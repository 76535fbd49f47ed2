/**
 * Writes an export as a bundle: one archive with a manifest. Exports of the same site are identical byte for
 * byte.
 */

import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Zip, ZipDeflate } from "fflate";
import { operatorPath } from "../engine/site/features.ts";
import { sha256 } from "../io/sha256.ts";
import { type ArchiveLabel, type BundleSource, manifestPath, signaturePath } from "./bundle-manifest.ts";
import { signatureOf } from "./signature.ts";
import { type ArchiveBlock, type ArchiveFile, TarBlocks } from "./tar-blocks.ts";

export interface ArchiveOptions {
  /** Name and version of the product, for the manifest. */
  generator: string;
  label?: ArchiveLabel;
  source: BundleSource;
  /** Private Ed25519 key in PEM format that signs the manifest. */
  signingKey?: string;
  /** Path of the script of the compressor's thread. */
  gzipModule: string;
  /**
   * Returns a function that reads a block of an earlier archive. Undefined if the earlier archive doesn't
   * have the block.
   */
  earlier?(hash: string): (() => Uint8Array) | undefined;
  /**
   * Called with the manifest and its signature, if there is one, when all other files have been added, while
   * the end of the archive is being compressed.
   */
  onManifest?(manifest: Uint8Array, signature: Uint8Array | undefined): void;
}

export interface WrittenArchive {
  /** Size of the site's files, uncompressed. */
  bytes: number;
  /** Version in the manifest. */
  version: string;
  /** Blocks and SHA-256 of a `.tar.gz`. Undefined for a `.zip`. */
  blocks?: ArchiveBlock[];
  sha256?: string;
}

interface Writer {
  add(file: ArchiveFile): Promise<void>;
  /** Completes the archive. */
  end(): Promise<Pick<WrittenArchive, "blocks" | "sha256">>;
  /** Closes the file, also after an error. */
  close(): Promise<void>;
}

/** Writes a `.zip` if the file name ends in `.zip`, otherwise a `.tar.gz`. */
export async function writeArchive(
  file: string,
  files: AsyncIterable<ArchiveFile>,
  options: ArchiveOptions,
): Promise<WrittenArchive> {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const temporary = `${file}.part`;

  // Otherwise, a link with this name would be followed.
  rmSync(temporary, { force: true });
  const { generator, label, source, signingKey, gzipModule, earlier, onManifest } = options;
  const writer = file.endsWith(".zip") ? openZip(temporary) : new TarBlocks(temporary, gzipModule, earlier);
  let written: WrittenArchive;
  try {
    const listed: { path: string; sha256: string; bytes: number }[] = [];
    let total_bytes = 0;
    for await (const entry of files) {
      await writer.add(entry);
      const { path, sha256, bytes } = entry;
      // The operator may replace this file.
      if (path !== operatorPath) listed.push({ path, sha256, bytes });
      total_bytes += bytes;
    }
    const version = label?.version ?? sha256(JSON.stringify(listed)).slice(0, 16);
    const content = {
      formatVersion: 1,
      version,
      generator,
      deployment: label?.deployment ?? null,
      source,
      files: listed,
    };
    const manifest = new TextEncoder().encode(`${JSON.stringify(content, undefined, 1)}\n`);
    await writer.add(newFile(manifestPath, manifest));
    const signature = signingKey === undefined ? undefined : signatureOf(manifest, signingKey);
    if (signature) await writer.add(newFile(signaturePath, signature));
    onManifest?.(manifest, signature);
    written = { bytes: total_bytes, version, ...(await writer.end()) };
  } finally {
    await writer.close();
  }

  renameSync(temporary, file);
  return written;
}

/** Returns a file with content that isn't in an earlier archive. */
export function newFile(path: string, bytes: Uint8Array): ArchiveFile {
  return { path, bytes: bytes.length, sha256: sha256(bytes), read: () => bytes };
}

function openZip(file: string): Writer {
  const handle = openSync(file, "w");
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    writeFileSync(handle, chunk);
  });

  return {
    async add(file) {
      const entry = new ZipDeflate(file.path, { level: 6 });
      entry.mtime = new Date(1980, 0, 1);
      zip.add(entry);
      entry.push(await file.read(), true);
    },
    async end() {
      zip.end();
      return {};
    },
    async close() {
      closeSync(handle);
    },
  };
}
