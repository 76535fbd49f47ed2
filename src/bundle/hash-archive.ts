/** Reads an untrusted `.tar.gz` like the bundle server, but without writing its files. */

import path from "node:path";
import { limits } from "../base/limits.ts";
import { BadArchive } from "../io/archive-limits.ts";
import { parentOf } from "../io/plain-folder.ts";
import { type ArchiveTarget, readArchive } from "../io/unpack-archive.ts";
import {
  BadBundle,
  type BundleFile,
  manifestPath,
  requireManifestSize,
  signaturePath,
} from "./bundle-manifest.ts";

/**
 * Resolves with the sizes and hashes of all files, and with the content of the manifest and its signature.
 * Throws `BadBundle` if the archive is damaged or exceeds a limit of bundles.
 */
export async function hashArchive(
  archive: string,
): Promise<{ files: BundleFile[]; own: Map<string, Uint8Array> }> {
  const target = new NamesAndManifest();
  const files: BundleFile[] = [];
  try {
    await readArchive(archive, target, limits.bundle, { onFile: (file) => files.push(file) });
  } catch (error) {
    throw error instanceof BadArchive ? new BadBundle(`${path.basename(archive)}: ${error.message}`) : error;
  }
  return { files, own: target.own };
}

/** Keeps only names, and the content of the manifest and its signature. */
class NamesAndManifest implements ArchiveTarget {
  readonly own = new Map<string, Uint8Array>();
  private readonly folders = new Set<string>([""]);
  private readonly files = new Set<string>();

  async makeFolders(name: string, onCreate?: (name: string) => void): Promise<boolean> {
    if (this.folders.has(name)) return true;
    if (this.files.has(name) || !(await this.makeFolders(parentOf(name), onCreate))) return false;
    onCreate?.(name);
    this.folders.add(name);
    return true;
  }

  async write(name: string, parts: AsyncIterable<Uint8Array>): Promise<boolean> {
    if (this.files.has(name) || this.folders.has(name)) return false;
    this.files.add(name);
    const isOwn = name === manifestPath || name === signaturePath;
    const kept: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      if (isOwn) requireManifestSize(name, bytes);
      if (isOwn) kept.push(part);
    }
    if (isOwn) this.own.set(name, Buffer.concat(kept));
    return true;
  }
}
