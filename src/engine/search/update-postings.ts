/** Changes the postings of an index after the segments of some pages have changed. */

import { NumberReader, writeNumber } from "./index-format.ts";
import type { IndexSegment } from "./index-segment.ts";
import type { TermPostings } from "./shards.ts";
import type { Slot } from "./slots.ts";

/**
 * The new passages of a term in a slot, numbered from the start of the slot. Without `postings`, there are
 * none.
 */
interface Change {
  slot: Slot;
  postings?: { first: number; last: number; list: string; letters: string };
}

/** Changes by term. A term has at most one change for each slot. */
export type Changes = Map<string, Change[]>;

/** Adds the differences between two segments for the same slot to `changes`. */
export function addChanges(before: IndexSegment, after: IndexSegment, slot: Slot, changes: Changes): void {
  const add = (term: string, change: Change) => {
    const known = changes.get(term);
    if (known) known.push(change);
    else changes.set(term, [change]);
  };

  const old = new Map(before.terms.map((term, index) => [term, index]));
  for (const [index, term] of after.terms.entries()) {
    const postings = postingsAt(after, index);
    const known = old.get(term);
    old.delete(term);
    if (known !== undefined && isSame(postingsAt(before, known), postings)) continue;
    add(term, { slot, postings });
  }

  for (const term of old.keys()) add(term, { slot });
}

function postingsAt(
  { firsts, lasts, lists, letters }: IndexSegment,
  index: number,
): NonNullable<Change["postings"]> {
  return { first: firsts[index]!, last: lasts[index]!, list: lists[index]!, letters: letters[index]! };
}

function isSame(one: NonNullable<Change["postings"]>, other: NonNullable<Change["postings"]>): boolean {
  return one.first === other.first && one.list === other.list && one.letters === other.letters;
}

/**
 * Returns the terms of a shard after the changes. `changed`: the terms with changes in the range of the
 * shard, sorted.
 */
export function* updatedTerms(
  terms: Iterable<TermPostings>,
  changed: readonly string[],
  changes: Changes,
): Generator<TermPostings> {
  let next = 0;
  for (const postings of terms) {
    while (next < changed.length && changed[next]! < postings.term)
      yield* updated(newTerm(changed[next]!), changes.get(changed[next++]!)!);
    if (changed[next] === postings.term) yield* updated(postings, changes.get(changed[next++]!)!);
    else yield postings;
  }
  for (; next < changed.length; next++) yield* updated(newTerm(changed[next]!), changes.get(changed[next]!)!);
}

function newTerm(term: string): TermPostings {
  return { term, frequency: 0, list: "", letters: "" };
}

/** Yields the term after the changes, or nothing if it no longer has passages. */
function* updated(postings: TermPostings, changes: readonly Change[]): Generator<TermPostings> {
  const result = changes.reduce(replaceSlot, postings);
  if (result.letters) yield result;
}

/** Replaces the passages of a term in a slot. `list` must contain all passages of the term. */
function replaceSlot(
  { term, list, letters }: TermPostings,
  { slot: { from, before }, postings }: Change,
): TermPostings {
  const numbers = new NumberReader(list);
  let place = 0;
  let passage = 0;

  /** The end of the passages before the slot in `list`, and the last one. */
  let end = 0;
  let last = 0;
  for (; place < letters.length; place++) {
    passage += numbers.next();
    if (passage >= from) break;
    end = numbers.at;
    last = passage;
  }

  const kept_count = place;
  while (place < letters.length && passage < before) if (++place < letters.length) passage += numbers.next();
  const parts = [list.slice(0, end)];

  if (postings) {
    parts.push(writeNumber(from + postings.first - last), postings.list);
    last = from + postings.last;
  }

  if (place < letters.length) parts.push(writeNumber(passage - last), list.slice(numbers.at));
  const newLetters = letters.slice(0, kept_count) + (postings?.letters ?? "") + letters.slice(place);
  return { term, frequency: newLetters.length, list: parts.join(""), letters: newLetters };
}
