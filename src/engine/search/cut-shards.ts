/**
 * Divides the terms of an index into shards: all terms, or only those that changed since an earlier index.
 */

import type { PostingsMerger } from "./merge-postings.ts";
import { leastSizeOf, type Shard, ShardCutter, sizeOfTerm, type TermPostings, termsOf } from "./shards.ts";
import { type Changes, updatedTerms } from "./update-postings.ts";

export interface ShardOptions {
  /** Maximum number of shards. */
  shards_count: number;
  /** See `groupsOf`. */
  groups_count: number;
}

/** New shards, and the shards of the earlier index that are unchanged. */
export interface CutShards<T> {
  /** Estimated size of all terms. */
  size: number;
  shards: (Shard | T)[];
}

export function cutShards(
  merger: PostingsMerger,
  { shards_count, groups_count }: ShardOptions,
): CutShards<never> {
  const size = merger.frequencies.reduce(
    (sum, frequency) => sum + sizeOfTerm({ frequency }, groups_count),
    0,
  );
  const shards: Shard[] = [];
  const cutter = new ShardCutter(leastSizeOf(size, shards_count), groups_count, (shard) =>
    shards.push(shard),
  );
  for (const postings of merger.sorted()) cutter.add(postings);
  cutter.finish();
  return { size, shards };
}

/**
 * Replaces the changed terms. Returns the same shards as `cutShards`. `read` returns a shard with all
 * passages of its terms. Undefined if `read` returns undefined, or if the minimum size of a shard has
 * changed.
 */
export function updateShards<T extends { first: string }>(
  earlier: { size: number; shards: readonly T[] },
  changes: Changes,
  read: (shard: T) => string | undefined,
  { shards_count, groups_count }: ShardOptions,
): CutShards<T> | undefined {
  const changed = termsByShard([...changes.keys()].sort(), earlier.shards);
  if (!changed) return undefined;

  const termsIn = (shard: T) => {
    const text = read(shard);
    return text === undefined ? undefined : [...termsOf(text)];
  };

  const sizeOf = (terms: readonly TermPostings[]) =>
    terms.reduce((sum, postings) => sum + sizeOfTerm(postings, groups_count), 0);
  const edited = new Map<T, TermPostings[]>();
  let { size } = earlier;
  for (const [shard, terms] of changed) {
    const before = termsIn(shard);
    if (!before) return undefined;
    const after = [...updatedTerms(before, terms, changes)];
    size += sizeOf(after) - sizeOf(before);
    edited.set(shard, after);
  }

  const least = leastSizeOf(size, shards_count);
  if (least !== leastSizeOf(earlier.size, shards_count)) return undefined;
  const shards: CutShards<T>["shards"] = [];
  const cutter = new ShardCutter(least, groups_count, (shard) => shards.push(shard));
  for (const shard of earlier.shards) {
    // If the cutter isn't between shards, the rest of the previous shard belongs to this one.
    if (cutter.isBetweenShards && !edited.has(shard)) {
      shards.push(shard);
      continue;
    }
    const terms = edited.get(shard) ?? termsIn(shard);
    if (!terms) return undefined;
    for (const postings of terms) cutter.add(postings);
  }

  cutter.finish();
  return { size, shards };
}

/** Assigns sorted terms to shards. Undefined if there are terms but no shards. */
function termsByShard<T extends { first: string }>(
  terms: readonly string[],
  shards: readonly T[],
): Map<T, string[]> | undefined {
  const found = new Map<T, string[]>();
  let next = 0;
  for (const [number, shard] of shards.entries()) {
    const end = shards[number + 1]?.first;
    const start = next;
    while (next < terms.length && (end === undefined || terms[next]! < end)) next++;
    if (next > start) found.set(shard, terms.slice(start, next));
  }
  return next === terms.length ? found : undefined;
}
