/** Limits of untrusted archives, and the error for an archive that is refused. */

/** The archive is refused. The message is for the user. */
export class BadArchive extends Error {}

export interface ArchiveCaps {
  /** Maximum number of files, folders and extended headers, including parent folders without an entry in the archive. */
  entries_count: number;
  file_bytes: number;
  /** Maximum unpacked size of all files together. */
  total_bytes: number;
}

/** Which entries of an archive are skipped. Their names and types aren't checked and they aren't counted, but their total size has a separate limit. */
export interface SkippedEntries {
  has(name: string): boolean;
  /** Maximum size of the skipped entries together. */
  total_bytes: number;
}
