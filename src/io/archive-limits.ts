/** Limits for untrusted archives, and the error for a rejected archive. */

import { megabytes } from "../base/megabytes.ts";

/** Maximum compression ratio. Checked after `archiveRatioFrom_bytes` have been unpacked. */
export const archiveRatio_times = 200;
export const archiveRatioFrom_bytes = 10_000_000;

/** Thrown if an archive is rejected. The message is for the user. */
export class BadArchive extends Error {}

export interface ArchiveCaps {
  /**
   * Maximum number of entries. In a tar archive, extended headers and folders that are created for other
   * entries also count.
   */
  entries_count: number;
  /** Maximum unpacked size of one file. */
  file_bytes: number;
  /** Maximum unpacked size of all files together. */
  total_bytes: number;
}

/** Throws `BadArchive` if so many bytes were unpacked from so few that it can only be on purpose. */
export function requireRatio(unpacked_bytes: number, packed_bytes: number): void {
  if (unpacked_bytes > Math.max(archiveRatioFrom_bytes, packed_bytes * archiveRatio_times))
    throw new BadArchive(`The archive unpacks to more than ${archiveRatio_times} times its size`);
}

/** Returns the error for an archive whose files are larger than `total_bytes`. */
export function tooLarge({ total_bytes }: ArchiveCaps): BadArchive {
  return new BadArchive(`The archive unpacks to more than ${megabytes(total_bytes)}`);
}

/**
 * Determines which entries of an archive are skipped. The names and types of skipped entries aren't checked,
 * and the entries aren't counted, but their total size has a separate limit.
 */
export interface SkippedEntries {
  has(name: string): boolean;
  /** Maximum size of the skipped entries together. */
  total_bytes: number;
}
