import { limits } from "../../base/limits.ts";
import { NumberReader, valueOfCode } from "./index-format.ts";

/** A term's passages, rising, and what it is worth in each, as a step of `worths`. */
export interface Postings {
  passages: Uint32Array;
  steps: Uint8Array;
}

/** A part of the dictionary, read from its file. Lists are unpacked when they are asked for. */
export class TermShard {
  /** In the order of their UTF-16 units. */
  readonly terms: string[] = [];
  readonly frequencies: number[] = [];
  private readonly lists: string;
  private readonly letters: string;
  private readonly listStarts: number[] = [];
  private readonly letterStarts: number[] = [];
  /** Whoever types asks for the same words again with every key. */
  private readonly unpacked = new Map<number, Postings>();

  constructor(payload: string) {
    const [dictionary = "", lists = "", letters = ""] = payload.split("\n");
    this.lists = lists;
    this.letters = letters;
    const numbers = new NumberReader(dictionary);
    let term = "";
    let list = 0;
    let letter = 0;
    while (numbers.at < dictionary.length) {
      const shared = numbers.next();
      const end = dictionary.indexOf(" ", numbers.at);
      term = term.slice(0, shared) + dictionary.slice(numbers.at, end);
      numbers.at = end + 1;
      this.terms.push(term);
      this.listStarts.push(list);
      this.letterStarts.push(letter);
      const frequency = numbers.next();
      this.frequencies.push(frequency);
      letter += frequency;
      list += numbers.next();
    }
  }

  /** Place of the term; -1 when it is not here. */
  find(term: string): number {
    const place = this.lowerBound(term);
    return this.terms[place] === term ? place : -1;
  }

  /** Place of the first term that is not before this text. */
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
      if (this.unpacked.size >= limits.unpackedTerms_count) this.unpacked.clear();
      this.unpacked.set(place, (postings = this.unpack(place)));
    }
    return postings;
  }

  private unpack(place: number): Postings {
    const count = this.frequencies[place]!;
    const passages = new Uint32Array(count);
    const steps = new Uint8Array(count);
    const numbers = new NumberReader(this.lists, this.listStarts[place]!);
    const letter = this.letterStarts[place]!;
    let passage = 0;
    for (let index = 0; index < count; index++) {
      passages[index] = passage += numbers.next();
      steps[index] = valueOfCode[this.letters.charCodeAt(letter + index)]!;
    }
    return { passages, steps };
  }
}
