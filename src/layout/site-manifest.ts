/**
 * Types of a site manifest: the files of a deployment by path, with the data that a host needs to serve them.
 */

import type { Access } from "../base/access.ts";

export type ContentEncoding = "br" | "gzip";

export interface ManifestEntry {
  /** SHA-256 of the file in hex. Determines the key in the object store and the ETag. */
  hash: string;
  /** Size of the uncompressed file. */
  bytes: number;
  /** Sizes of the compressed versions in bytes. */
  encodings: Partial<Record<ContentEncoding, number>>;
  access: Access;
}

export interface SiteManifest {
  formatVersion: 1;
  /** Whether the site was built with sign-in. */
  hasSignIn: boolean;
  files: Record<string, ManifestEntry>;
}

/** Returns the key of a file in the object store, or of its compressed version if `encoding` is set. */
export function fileKey(hash: string, encoding?: ContentEncoding): string {
  return `files/${hash.slice(0, 2)}/${hash}${encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz"}`;
}
