import { unpackedTerms_count } from "../../base/search-limits.ts";
import { dictionaryEntries, NumberReader, valueOfCode } from "./index-format.ts";

/**
 * The passages of a term in ascending order, and the score of the term in each passage as an index into
 * `stepScores`.
 */
export interface Postings {
  passages: Uint32Array;
  steps: Uint8Array;
  /** Number of passages with the term, including those that the index leaves out. */
  frequency: number;
}

/** A shard of the dictionary. Postings are unpacked on demand. */
export class TermShard {
  /** The terms, sorted by UTF-16 code units. */
  readonly terms: string[] = [];
  readonly frequencies: number[] = [];
  /** Number of passages that the shard lists, by index of the term. */
  private readonly listed: number[] = [];
  private readonly lists: string;
  private readonly letters: string;
  private readonly listStarts: number[] = [];
  private readonly letterStarts: number[] = [];
  /** Cache of unpacked postings, by index of the term. Queries repeat words while the reader types. */
  private readonly unpacked = new Map<number, Postings>();

  constructor(payload: string) {
    const [dictionary = "", lists = "", letters = ""] = payload.split("\n");
    this.lists = lists;
    this.letters = letters;
    let list = 0;
    let letter = 0;
    for (const { term, frequency, listed, list_chars } of dictionaryEntries(dictionary)) {
      this.terms.push(term);
      this.frequencies.push(frequency);
      this.listed.push(listed);
      this.listStarts.push(list);
      this.letterStarts.push(letter);
      list += list_chars;
      letter += listed;
    }
  }

  /** Returns the index of a term, or -1 if this shard doesn't contain the term. */
  find(term: string): number {
    const place = this.lowerBound(term);
    return this.terms[place] === term ? place : -1;
  }

  /**
   * Returns the index of the first term that isn't less than the text, or the number of terms if all are
   * less.
   */
  lowerBound(text: string): number {
    let low = 0;
    let high = this.terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.terms[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  postings(place: number): Postings {
    let postings = this.unpacked.get(place);
    if (!postings) {
      if (this.unpacked.size >= unpackedTerms_count) this.unpacked.clear();
      this.unpacked.set(place, (postings = this.unpack(place)));
    }
    return postings;
  }

  private unpack(place: number): Postings {
    const count = this.listed[place]!;
    const passages = new Uint32Array(count);
    const steps = new Uint8Array(count);
    const numbers = new NumberReader(this.lists, this.listStarts[place]!);
    const letter = this.letterStarts[place]!;
    let passage = 0;
    for (let index = 0; index < count; index++) {
      passages[index] = passage += numbers.next();
      steps[index] = valueOfCode[this.letters.charCodeAt(letter + index)]!;
    }
    return { passages, steps, frequency: this.frequencies[place]! };
  }
}
