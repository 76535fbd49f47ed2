/** Merges the postings of segments. */

import { writeNumber } from "./index-format.ts";
import type { IndexSegment } from "./index-segment.ts";
import type { TermPostings } from "./shards.ts";

/** Number of texts of a term that are kept before they are joined. Bounds the memory for the terms of large indexes. */
const texts_count = 64;

/** Merges the segments of an index, in order. */
export class PostingsMerger {
  private readonly numbers = new Map<string, number>();
  // One entry per term, by its number.
  private readonly counts: number[] = [];
  private readonly lasts: number[] = [];
  private readonly lists: string[][] = [];
  private readonly letters: string[][] = [];

  /** Adds the next segment. `from`: number of its first passage. */
  add({ terms, firsts, lasts, lists, letters }: IndexSegment, from: number): void {
    for (let index = 0; index < terms.length; index++) {
      const number = this.numberOf(terms[index]!);
      const list = this.lists[number]!;
      list.push(writeNumber(from + firsts[index]! - this.lasts[number]!), lists[index]!);
      this.letters[number]!.push(letters[index]!);
      if (list.length >= texts_count) {
        this.lists[number] = [list.join("")];
        this.letters[number] = [this.letters[number]!.join("")];
      }
      this.counts[number]! += letters[index]!.length;
      this.lasts[number] = from + lasts[index]!;
    }
  }

  private numberOf(term: string): number {
    let number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, (number = this.counts.push(0) - 1));
      this.lasts.push(0);
      this.lists.push([]);
      this.letters.push([]);
    }
    return number;
  }

  /** Returns the number of passages of each term, in no particular order. */
  get frequencies(): readonly number[] {
    return this.counts;
  }

  /** Returns the terms, sorted by UTF-16 code units. */
  *sorted(): Generator<TermPostings> {
    for (const term of [...this.numbers.keys()].sort()) {
      const number = this.numbers.get(term)!;
      const list = this.lists[number]!.join("");
      yield { term, frequency: this.counts[number]!, list, letters: this.letters[number]!.join("") };
    }
  }
}
