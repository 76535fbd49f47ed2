/** Collects the postings of a segment in the order of its passages, and then encodes them by term. */

import { AsciiText } from "./ascii-text.ts";
import { enlarged } from "./enlarged.ts";
import { letterOf, writeNumber } from "./index-format.ts";

/** Number of bits of a posting that contain the score's step. The other ones contain the passage. */
const step_bits = 5;

/**
 * The postings of a segment's terms. Each list has one entry for each term. Passages are numbered from the
 * first one of the segment.
 */
export interface EncodedPostings {
  /** First and last passage with the term. */
  firsts: number[];
  lasts: number[];
  /**
   * Encoded numbers of the passages after the first one, each as the difference from the previous one, as in
   * shards.
   */
  lists: string[];
  /** Scores of the passages, one letter per passage. */
  letters: string[];
}

export class SegmentPostings {
  /** Two numbers per posting: the position of its term in the segment, and its passage and step. */
  private numbers = new Uint32Array(8_192);
  private length = 0;

  /** Adds a posting. Passages must be added in ascending order. */
  add(position: number, passage: number, step: number): void {
    if (this.length === this.numbers.length) this.numbers = enlarged(this.numbers, this.length);
    this.numbers[this.length++] = position;
    this.numbers[this.length++] = (passage << step_bits) | step;
  }

  /** Encodes the postings of a segment with this number of terms, each of which has a posting. */
  encoded(terms_count: number): EncodedPostings {
    const { ends, sorted } = this.byTerm(terms_count);
    const lists = new AsciiText();
    const letters = new AsciiText();
    const firsts: number[] = [];
    const lasts: number[] = [];
    const listEnds: number[] = [];
    for (let position = 0, at = 0; position < terms_count; position++) {
      const first = sorted[at]! >>> step_bits;
      let last = first;
      for (; at < ends[position]!; at++) {
        const posting = sorted[at]!;
        const passage = posting >>> step_bits;
        letters.add(letterOf(posting & ((1 << step_bits) - 1)));
        if (passage > last) lists.add(writeNumber(passage - last));
        last = passage;
      }
      firsts.push(first);
      lasts.push(last);
      listEnds.push(lists.length);
    }

    return { firsts, lasts, lists: cut(lists.toString(), listEnds), letters: cut(letters.toString(), ends) };
  }

  /** Returns the postings sorted by term, and for each term the end of its postings. */
  private byTerm(terms_count: number): { ends: Uint32Array; sorted: Uint32Array } {
    const { numbers, length } = this;
    const ends = new Uint32Array(terms_count);
    for (let index = 0; index < length; index += 2) ends[numbers[index]!]!++;
    // The starts of the terms' postings, which become their ends when the postings are copied.
    for (let position = 0, start = 0; position < terms_count; position++) {
      const count = ends[position]!;
      ends[position] = start;
      start += count;
    }
    const sorted = new Uint32Array(length / 2);
    for (let index = 0; index < length; index += 2) sorted[ends[numbers[index]!]!++] = numbers[index + 1]!;
    return { ends, sorted };
  }
}

/** Cuts a text into the parts that end at these positions. */
function cut(text: string, ends: ArrayLike<number>): string[] {
  return Array.from(ends, (end, index) => text.slice(index && ends[index - 1]!, end));
}
