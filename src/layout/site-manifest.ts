/** The files of one deployment by path: what a host needs to serve a site. Immutable once written. */

import type { Access } from "../base/access.ts";

export type ContentEncoding = "br" | "gzip";

export interface ManifestEntry {
  /** SHA-256 of the bytes, in hex: key in the object store, and source of the ETag. */
  hash: string;
  bytes: number;
  /** Sizes of the compressed versions. */
  encodings: Partial<Record<ContentEncoding, number>>;
  access: Access;
}

export interface SiteManifest {
  formatVersion: 1;
  /** Whether the site was built with sign-in. */
  hasSignIn: boolean;
  files: Record<string, ManifestEntry>;
}

/** Key of a file in the object store. */
export function fileKey(hash: string, encoding?: ContentEncoding): string {
  return `files/${hash.slice(0, 2)}/${hash}${encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz"}`;
}
