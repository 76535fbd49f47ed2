/**
 * Parses the manifest of a bundle: `manifest.json` at the bundle's root, with the sizes and hashes of all
 * files.
 */

import { limits } from "../base/limits.ts";
import { megabytes } from "../base/megabytes.ts";
import { unsafeName } from "../base/safe-name.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";

/** Thrown if a bundle is invalid or isn't the pinned one. The message is for the operator. */
export class BadBundle extends Error {}

export interface BundleFile {
  path: string;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  bytes: number;
}

/** What a bundle was built from. */
export interface BundleSource {
  /** SHA of the commit. Null if it's unknown. */
  commit: string | null;
  /** Whether the folder had changes that weren't committed. */
  isChanged?: true;
  /** Path of the documentation folder in the repository. Absent for the root. */
  directory?: string;
  /** Number of files in the documentation folder, and hash of the list of their hashes and paths. */
  inputs: { files: number; sha256: string };
  /** Settings of the export. */
  target: ExportTarget;
}

export interface BundleManifest {
  formatVersion: 1;
  /** Label of the export. By default, a hash of its list of files. */
  version: string;
  /** Name and version of the product that built the bundle. Absent in old bundles, as is `source`. */
  generator?: string;
  source?: BundleSource;
  /** All files except the manifest, its signature and the operator's file. */
  files: readonly BundleFile[];
}

export const manifestPath = "manifest.json";
/** File with an Ed25519 signature of the manifest in Base64. */
export const signaturePath = "manifest.sig";

/** Maximum size of the manifest. About 200 bytes for each of the entries that a bundle can have. */
const manifest_bytes = 100_000_000;
/**
 * Maximum number of commas and opening brackets in the manifest, which limits its number of values. A file
 * has four, and its path can contain more.
 */
const manifestMarks_count = 8 * limits.bundle.entries_count;

/** Throws `BadBundle` if the manifest or its signature is larger than it can be. */
export function requireManifestSize(name: string, bytes: number): void {
  if (bytes > manifest_bytes)
    throw new BadBundle(`The bundle's ${name} is larger than ${megabytes(manifest_bytes)}`);
}

/** Parses and validates a manifest. Throws `BadBundle`. */
export function readBundleManifest(bytes: Uint8Array): BundleManifest {
  const { formatVersion, version, generator, source, files } = parse(bytes);
  if (formatVersion !== 1)
    throw new BadBundle(
      `The bundle has format ${JSON.stringify(formatVersion)}, but this server only supports format 1`,
    );

  if (typeof version !== "string" || version === "" || !Array.isArray(files) || files.length === 0)
    throw damaged();
  const seen = new Set<string>();
  for (const file of files as unknown[]) {
    if (
      !isFile(file) ||
      unsafeName(file.path) !== undefined ||
      seen.has(file.path) ||
      file.path === manifestPath
    )
      throw damaged();
    seen.add(file.path);
  }

  return {
    formatVersion,
    version,
    files: files as BundleFile[],
    ...(typeof generator === "string" ? { generator } : {}),
    ...(isSource(source) ? { source } : {}),
  };
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  requireManifestSize(manifestPath, bytes.length);
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks++;
  if (marks > manifestMarks_count) throw damaged();

  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw damaged();
}

function isFile(value: unknown): value is BundleFile {
  if (typeof value !== "object" || value === null) return false;
  const { path, sha256, bytes } = value as Record<string, unknown>;
  return (
    typeof path === "string" &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0
  );
}

/** Whether the source has the parts that `octavo verify` reads. Bundle servers don't use it. */
function isSource(value: unknown): value is BundleSource {
  const { commit, directory = "", inputs, target } = (value ?? {}) as Partial<BundleSource>;
  const isPlace = (commit === null || typeof commit === "string") && typeof directory === "string";
  return isPlace && typeof inputs?.sha256 === "string" && target?.links === "html";
}

function damaged(): BadBundle {
  return new BadBundle(`The bundle's ${manifestPath} is damaged`);
}

/** Values for the manifest of an archive. */
export interface ArchiveLabel {
  /** Version in the manifest. Default: a hash of the list of files. */
  version: string | undefined;
  /** ID of the exported deployment. */
  deployment: string;
  /** SHA of the deployment's commit. Absent if it's unknown. */
  commit?: string;
}
