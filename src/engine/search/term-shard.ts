import { bytesOf } from "./index-format.ts";

/** A term's passages, rising, and what it is worth in each, 1 to 255. */
export interface Postings {
  passages: Uint32Array;
  impacts: Uint8Array;
}

/** A part of the dictionary, read from its file. Lists are unpacked when they are asked for. */
export class TermShard {
  /** In the order of their UTF-16 units. */
  readonly terms: string[] = [];
  readonly frequencies: number[] = [];
  private readonly bytes: Uint8Array;
  private readonly lists: number[] = [];
  private readonly worths: number[] = [];

  constructor(payload: string) {
    const bytes = bytesOf(payload);
    this.bytes = bytes;
    const reader = new Reader(bytes);
    const decoder = new TextDecoder();
    const count = reader.integer();
    const sizes: number[] = [];
    let previous = "";
    for (let index = 0; index < count; index++) {
      const shared = reader.integer();
      const rest = reader.integer();
      previous = previous.slice(0, shared) + decoder.decode(bytes.subarray(reader.at, reader.at + rest));
      reader.at += rest;
      this.terms.push(previous);
      this.frequencies.push(reader.integer());
      sizes.push(reader.integer());
    }
    let list = reader.at;
    let worth = reader.at + sizes.reduce((sum, size) => sum + size, 0);
    for (let index = 0; index < count; index++) {
      this.lists.push(list);
      this.worths.push(worth);
      list += sizes[index]!;
      worth += this.frequencies[index]!;
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
    const count = this.frequencies[place]!;
    const passages = new Uint32Array(count);
    const reader = new Reader(this.bytes, this.lists[place]!);
    let passage = 0;
    for (let index = 0; index < count; index++) passages[index] = passage += reader.integer();
    const worth = this.worths[place]!;
    return { passages, impacts: this.bytes.subarray(worth, worth + count) };
  }
}

class Reader {
  at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  integer(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.bytes[this.at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }
}
