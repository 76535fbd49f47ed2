/**
 * The files of an index. A query loads the head, the shards of its terms, and what it shows:
 *
 * - `head`: how many there are of everything, where shards begin, filters. JSON.
 * - `t<n>`: terms in order, with the passages that hold them: three texts in turn, below.
 * - `d<n>`: pages and their sections: titles, addresses. JSON.
 * - `p<n>`: the passages of some pages. JSON.
 *
 * A shard's texts are separated by line ends. Its dictionary has a line's worth for each term: letters shared with the one
 * before, the rest and a space, how many passages, letters of their list. Then the lists of passages as differences. Then a
 * letter for each passage: what the term is worth there. Letters, not bytes in base64: what packs a file counts letters, and
 * does it well only when a letter means something by itself.
 */
export interface Head {
  language: string;
  passages_count: number;
  /** By letter of the parts: their versions one after the other, each as long as the next. */
  versions: Record<"t" | "d" | "p", string>;
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

/** Breadcrumbs are numbers, the group is the place of one among them or -1. Of each section: anchor, place of the section around it or -1, heading. */
export type PageRecord = [
  route: string,
  title: string,
  crumbs: number[],
  method: string,
  sections: [anchor: string, around: number, heading: string][],
  group: number,
];

/** Of a page: the passages of each section. */
export type PagePassages = string[][];

/** Pages that share a part `d`, and one `p`. */
export const pagesOfRecords = 32;
export const pagesOfPassages = 4;
/** Enough to tell a part from that of the deployment before. */
export const version_letters = 6;
/** Each holds about 20 KB. */
const pagesOfShard = 24;

export function partCounts(pages_count: number): { t: number; d: number; p: number } {
  const parts = (pages: number) => Math.max(1, Math.ceil(pages_count / pages));
  return { t: parts(pagesOfShard), d: parts(pagesOfRecords), p: parts(pagesOfPassages) };
}

/** The printable letters that JSON leaves as they are, but for the space. */
const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (letter) => letter !== '"' && letter !== "\\",
);

/** A number below 92 as a letter. */
export function letterOf(value: number): string {
  return letters[value]!;
}

/** What a letter's code stands for. */
export const valueOfCode = new Uint8Array(128);
for (const [value, letter] of letters.entries()) valueOfCode[letter.charCodeAt(0)] = value;

/** Half of the letters say that more follow: a number in digits of 46, the lowest first. */
export const digits_count = 46;

export function writeNumber(value: number): string {
  let text = "";
  let rest = value;
  while (rest >= digits_count) {
    text += letters[digits_count + (rest % digits_count)];
    rest = Math.floor(rest / digits_count);
  }
  return text + letters[rest];
}

/** Reads what `writeNumber` wrote, one after the other. */
export class NumberReader {
  at: number;
  private readonly text: string;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const digit = valueOfCode[this.text.charCodeAt(this.at++)]!;
      if (digit < digits_count) return value + digit * scale;
      value += (digit - digits_count) * scale;
      scale *= digits_count;
    }
  }
}

export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The text in a file of an index, for whoever does not run scripts. */
export function payloadOf(script: string): string {
  return (JSON.parse(`[${script.slice(script.indexOf("(") + 1, script.lastIndexOf(")"))}]`) as string[])[2]!;
}
