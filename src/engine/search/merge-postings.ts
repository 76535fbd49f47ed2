/**
 * Merges the postings of segments. They are kept outside the heap, because the postings of a large site would
 * be millions of small objects.
 */

import { AsciiText } from "./ascii-text.ts";
import { enlarged } from "./enlarged.ts";
import { writeNumber } from "./index-format.ts";
import type { IndexSegment } from "./index-segment.ts";
import type { TermPostings } from "./shards.ts";

/**
 * An entry contains the postings of a term in one segment. It consists of this many numbers: the first and
 * last passage, the start of the list in `texts`, the start of the letters, their end, and the term's next
 * entry.
 */
const entry_numbers = 6;
/** In place of the next entry, if there is none. */
const none = 0xffffffff;

/** Merges the segments of an index, in order. */
export class PostingsMerger {
  private readonly numbers = new Map<string, number>();
  /** Number of passages of each term, by the term's number. */
  private readonly counts: number[] = [];
  /** The first and last entry of each term, by the term's number. */
  private readonly heads: number[] = [];
  private readonly tails: number[] = [];
  private entries = new Uint32Array(entry_numbers * 4_096);
  private entries_count = 0;
  /** The lists and letters of all entries. */
  private readonly texts = new AsciiText();

  /** Adds the next segment. `from`: number of its first passage. */
  add({ terms, firsts, lasts, lists, letters }: IndexSegment, from: number): void {
    const count = this.entries_count + terms.length;
    if (count * entry_numbers > this.entries.length)
      this.entries = enlarged(this.entries, count * entry_numbers);
    const { entries, texts } = this;
    for (let index = 0; index < terms.length; index++) {
      const entry = this.entries_count++;
      const at = entry * entry_numbers;
      entries[at] = from + firsts[index]!;
      entries[at + 1] = from + lasts[index]!;
      entries[at + 2] = texts.length;
      texts.add(lists[index]!);
      entries[at + 3] = texts.length;
      texts.add(letters[index]!);
      entries[at + 4] = texts.length;
      entries[at + 5] = none;
      this.link(terms[index]!, entry, letters[index]!.length);
    }
  }

  /** Adds an entry to the entries of its term. */
  private link(term: string, entry: number, passages_count: number): void {
    const number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, this.counts.push(passages_count) - 1);
      this.heads.push(entry);
      this.tails.push(entry);
      return;
    }
    this.counts[number]! += passages_count;
    this.entries[this.tails[number]! * entry_numbers + 5] = entry;
    this.tails[number] = entry;
  }

  /** Returns the number of passages of each term, in no particular order. */
  get frequencies(): readonly number[] {
    return this.counts;
  }

  /** Returns the terms, sorted by UTF-16 code units. */
  *sorted(): Generator<TermPostings> {
    const { entries, texts } = this;
    const list = new AsciiText();
    const letters = new AsciiText();
    for (const term of [...this.numbers.keys()].sort()) {
      const number = this.numbers.get(term)!;
      list.clear();
      letters.clear();
      let last = 0;
      for (let entry = this.heads[number]!; entry !== none; entry = entries[entry * entry_numbers + 5]!) {
        const at = entry * entry_numbers;
        list.add(writeNumber(entries[at]! - last));
        list.copy(texts, entries[at + 2]!, entries[at + 3]!);
        letters.copy(texts, entries[at + 3]!, entries[at + 4]!);
        last = entries[at + 1]!;
      }
      yield { term, frequency: this.counts[number]!, list: list.toString(), letters: letters.toString() };
    }
  }
}
