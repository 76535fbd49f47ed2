/**
 * The files of an index. A query loads the head, the shards of its terms, and what it shows:
 *
 * - `head`: how many there are of everything, where shards begin, filters. JSON.
 * - `t<n>`: terms in order, with the passages that hold them. Bytes in base64, below.
 * - `d<n>`: pages and their sections: titles, addresses. JSON.
 * - `p<n>`: the passages of some pages. JSON.
 *
 * A shard: count of terms, then the dictionary (for each term: letters shared with the one before, rest, how many passages,
 * bytes of their list), then the lists of passages as differences, then a byte for each passage: what the term is worth there.
 */
export interface Head {
  language: string;
  passages_count: number;
  /** First term of each shard. */
  terms: string[];
  /** First section of each part `d`. */
  sections: number[];
  /** A bit for each passage: a section begins. Base64. */
  starts: string;
  /** Names of divisions and groups, joined in parts `d` by number. */
  crumbs: string[];
  /** By kind of division and its name: passages from, before, in turns. */
  filters: Record<"version" | "product", Record<string, number[]>>;
  /** Passages from, before, and the factor of their pages. */
  boosts: [number, number, number][];
}

/** Route, title, numbers of breadcrumbs, method or empty; then anchor, place of the section around it or -1, and heading of each section. */
export type PageRecord = [route: string, title: string, crumbs: number[], method: string, sections: [string, number, string][]];

/** Of a page: the passages of each section. */
export type PagePassages = string[][];

/** Pages that share a part `d`, and one `p`. */
export const pagesOfRecords = 64;
export const pagesOfPassages = 4;
/** Each holds about 20 KB. */
const pagesOfShard = 24;

export function partCounts(pages_count: number): { t: number; d: number; p: number } {
  const parts = (pages: number) => Math.max(1, Math.ceil(pages_count / pages));
  return { t: parts(pagesOfShard), d: parts(pagesOfRecords), p: parts(pagesOfPassages) };
}

export class ByteWriter {
  private bytes = new Uint8Array(1024);
  private length = 0;

  get size(): number {
    return this.length;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  integer(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
