/**
 * Compares a bundle with its manifest, or with the manifest of another build of the same source, and reports
 * every difference.
 */

import { operatorPath } from "../engine/site/features.ts";
import { sha256 } from "../io/sha256.ts";
import {
  BadBundle,
  type BundleFile,
  type BundleManifest,
  manifestPath,
  readBundleManifest,
  signaturePath,
} from "./bundle-manifest.ts";
import { hashArchive } from "./hash-archive.ts";
import { filesOfBundle } from "./read-bundle.ts";

export interface Difference {
  path: string;
  kind: "changed" | "missing" | "added";
}

export interface ReadBundle {
  manifest: BundleManifest;
  manifestBytes: Uint8Array;
  /** Content of the signature file. Undefined if the bundle isn't signed. */
  signature: Uint8Array | undefined;
  /** Files that aren't as the manifest describes them. */
  differences: Difference[];
  /** Files that can't be checked, because operators may change them. */
  unchecked: string[];
}

/**
 * Reads all files of a bundle, and compares them with its manifest. Throws `BadBundle` if there is no valid
 * manifest.
 */
export async function verifyFiles(bundle: string): Promise<ReadBundle> {
  const { files, own } = /\.(?:tar\.gz|tgz)$/.test(bundle)
    ? await hashArchive(bundle)
    : await hashFiles(bundle);
  const manifestBytes = own.get(manifestPath);
  if (!manifestBytes) throw new BadBundle(`The bundle has no ${manifestPath}`);
  const manifest = readBundleManifest(manifestBytes);
  return {
    manifest,
    manifestBytes,
    signature: own.get(signaturePath),
    differences: compareFiles(
      manifest.files,
      files.filter(({ path }) => !ownFiles.includes(path)),
    ),
    unchecked: files.some(({ path }) => path === operatorPath) ? [operatorPath] : [],
  };
}

/** Files that a manifest doesn't list. */
const ownFiles = [manifestPath, signaturePath, operatorPath];

/** Like `hashArchive`, for a folder or a `.zip`. */
async function hashFiles(bundle: string): ReturnType<typeof hashArchive> {
  const files: BundleFile[] = [];
  const own = new Map<string, Uint8Array>();
  for await (const { name, bytes } of filesOfBundle(bundle)) {
    if (name === manifestPath || name === signaturePath) own.set(name, bytes);
    files.push({ path: name, bytes: bytes.length, sha256: sha256(bytes) });
  }
  return { files, own };
}

/** Returns the differences between the expected and the actual files, by path. */
export function compareFiles(expected: readonly BundleFile[], actual: readonly BundleFile[]): Difference[] {
  const found = new Map(actual.map((file) => [file.path, file]));
  const listed = new Set(expected.map(({ path }) => path));
  const differences = expected.flatMap(({ path, sha256 }): Difference[] => {
    const file = found.get(path);
    return file?.sha256 === sha256 ? [] : [{ path, kind: file ? "changed" : "missing" }];
  });
  return [
    ...differences,
    ...actual.flatMap(({ path }): Difference[] => (listed.has(path) ? [] : [{ path, kind: "added" }])),
  ];
}
