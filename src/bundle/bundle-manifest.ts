/** Parses the manifest of a bundle: `manifest.json` at the bundle's root, with the sizes and hashes of all files. */

import { unsafeName } from "../base/safe-name.ts";

/** Thrown if a bundle is invalid or isn't the pinned one. The message is for the operator. */
export class BadBundle extends Error {}

export interface BundleFile {
  path: string;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  bytes: number;
}

export interface BundleManifest {
  formatVersion: 1;
  /** Label of the export. By default, a hash of its list of files. */
  version: string;
  /** All files except the manifest and the operator's file. */
  files: readonly BundleFile[];
}

export const manifestPath = "manifest.json";

/** Parses and validates a manifest. Throws `BadBundle`. */
export function readBundleManifest(bytes: Uint8Array): BundleManifest {
  const { formatVersion, version, files } = parse(bytes);
  if (formatVersion !== 1)
    throw new BadBundle(`The bundle has format ${JSON.stringify(formatVersion)}, but this server only supports format 1`);
  if (typeof version !== "string" || version === "" || !Array.isArray(files) || files.length === 0) throw damaged();
  const seen = new Set<string>();
  for (const file of files as unknown[]) {
    if (!isFile(file) || unsafeName(file.path) !== undefined || seen.has(file.path) || file.path === manifestPath) throw damaged();
    seen.add(file.path);
  }
  return { formatVersion, version, files: files as BundleFile[] };
}

function parse(bytes: Uint8Array): Record<string, unknown> {
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

function damaged(): BadBundle {
  return new BadBundle(`The bundle's ${manifestPath} is damaged`);
}

/** Values for the manifest of an archive. */
export interface ArchiveLabel {
  /** Version in the manifest. Default: a hash of the list of files. */
  version: string | undefined;
  /** ID of the exported deployment. */
  deployment: string;
}
