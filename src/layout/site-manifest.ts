/** The files of one deployment by path: what a host needs to serve a site. Immutable once written. */
import type { Access } from "../base/access.ts";

export type ContentEncoding = "br" | "gzip";

export interface ManifestEntry {
  /** SHA-256 of the bytes, in hex: where they are stored, and the file's ETag. */
  hash: string;
  bytes: number;
  /** Packed forms that lie beside the file, with their sizes. */
  encodings: Partial<Record<ContentEncoding, number>>;
  access: Access;
}

export interface SiteManifest {
  formatVersion: 1;
  /** Made for a site whose readers sign in: then files say who may read them. */
  hasSignIn: boolean;
  files: Record<string, ManifestEntry>;
}

/** Where a stored file lies in the object store. */
export function fileKey(hash: string, encoding?: ContentEncoding): string {
  return `files/${hash.slice(0, 2)}/${hash}${encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz"}`;
}
