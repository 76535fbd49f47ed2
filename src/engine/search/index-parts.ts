/** Names, sizes and versions of the parts of an index. */

import { createHash } from "node:crypto";
import { pagesOfPassages, pagesOfRecords, partCounts, version_letters } from "./index-format.ts";

/** Returns the names of all parts of an index with `pages_count` pages. */
export function partNames(pages_count: number): string[] {
  const { t, d, p } = partCounts(pages_count);
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, number) => `${letter}${number}`);
  return ["head", ...numbered("t", t), ...numbered("d", d), ...numbered("p", p)];
}

/**
 * Returns the range of pages in a part `d<n>` or `p<n>`: the index of the first page (`from`), and an
 * exclusive end (`before`).
 */
export function pageRangeOfPart(name: string, pages_count: number): { from: number; before: number } {
  const size = name.startsWith("p") ? pagesOfPassages : pagesOfRecords;
  const number = Number(name.slice(1));
  return { from: number * size, before: Math.min(pages_count, (number + 1) * size) };
}

/**
 * Returns the version of a part with this hash. The part's file and the head both contain the version. If the
 * versions differ, the two files are from different deployments.
 */
export function shortVersion(hash: string): string {
  return hash.slice(0, version_letters);
}

export function contentHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the version of a part with this content. */
export function versionOf(content: string): string {
  return shortVersion(contentHash(content));
}

/** Returns the version of a part `p<n>`, computed from the versions of its pages. */
export function passagesVersion(versions: readonly string[]): string {
  return versionOf(versions.join(" "));
}
