/**
 * The format of the files of an index. A query loads the head, the shards that can contain its terms or
 * similar terms, and the parts with its results:
 *
 * - `head`: data about the whole index, such as the first term of each shard. JSON.
 * - `t<n>`: a shard of sorted terms, with the passages that contain them, and of names of pages (`nameTerm`)
 *   with the first passages of these pages. Three strings, see below.
 * - `d<n>`: pages and their sections: titles, routes. JSON.
 * - `p<n>`: the passages of some pages. JSON.
 *
 * The strings of a shard are separated by line breaks. The first one is the dictionary. For each term, it
 * contains the length of the prefix shared with the previous term, the rest of the term and a space, the
 * number of passages, the length of their list in characters, and if there are more than
 * `passagesOfTerm_count` passages, the number of passages in the list. The second string contains the lists:
 * the number of each passage as the difference from the previous one. The third string has one letter per
 * passage: the score of the term. Numbers and scores are written as letters instead of base64, because text
 * compresses better if each letter has a meaning.
 */

/** Data about the whole index. */
export interface Head {
  language: string;
  passages_count: number;
  /**
   * Count of the passage numbers, including unused ones (`slotOf`). Absent in exports by earlier versions,
   * which use all numbers.
   */
  numbers_count?: number;
  /**
   * Concatenated versions of the parts, by the letter of their kind. Each version has `version_letters`
   * characters.
   */
  versions: Record<"t" | "d" | "p", string>;
  /** First term of each shard. */
  terms: string[];
  /** Index of the first section in each part `d<n>`. */
  sections: number[];
  /** One bit per passage: set if a section starts at the passage. Base64. */
  starts: string;
  /** Names of navigation divisions. Parts `d<n>` refer to them by index. */
  crumbs: string[];
  /**
   * Ranges of passage numbers that belong to a version or product, by its name. Starts and exclusive ends
   * alternate.
   */
  filters: Record<"version" | "product", Record<string, number[]>>;
  /**
   * Names for the same thing that the pages define, such as `SSO, single sign-on`. Absent in exports by
   * earlier versions.
   */
  aliases?: string[];
  /** Ranges of passages whose page has a boost: start, end (exclusive) and factor. */
  boosts: [number, number, number][];
}

/**
 * A page. Breadcrumbs are indexes into `Head.crumbs`. The group is an index into the page's breadcrumbs, or
 * -1. Each section has its anchor, the index of its parent section or -1, and its heading.
 */
export type PageRecord = [
  route: string,
  title: string,
  crumbs: number[],
  method: string,
  sections: [anchor: string, around: number, heading: string][],
  group: number,
  /**
   * 1 if the first section starts with the page's description, and otherwise 0. Absent in exports by earlier
   * versions.
   */
  isDescribed?: number,
];

/** The passages of each section of a page. */
export type PagePassages = string[][];

/** Number of pages per part `d<n>`. */
export const pagesOfRecords = 8;
/** Number of pages per part `p<n>`. */
export const pagesOfPassages = 4;
/**
 * Maximum number of passages of a term in each version and product. More frequent terms have little influence
 * on the order of results, so the index contains only their best passages. With all passages, the data that a
 * query loads would grow with the site.
 */
export const passagesOfTerm_count = 2_000;
/** Length of a part's version, in characters. Long enough to distinguish parts of different deployments. */
export const version_letters = 6;
/** Number of pages per shard of terms. */
const pagesOfShard = 20;

/** Returns the number of parts of each kind, by letter. */
export function partCounts(pages_count: number): { t: number; d: number; p: number } {
  const parts = (pages: number) => Math.max(1, Math.ceil(pages_count / pages));
  return { t: parts(pagesOfShard), d: parts(pagesOfRecords), p: parts(pagesOfPassages) };
}

/** Printable ASCII characters that JSON doesn't escape, without the space. */
const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (letter) => letter !== '"' && letter !== "\\",
);

/** Encodes a number below 92 as a letter. */
export function letterOf(value: number): string {
  return letters[value]!;
}

/** Value of each letter, by character code. */
export const valueOfCode = new Uint8Array(128);
for (const [value, letter] of letters.entries()) valueOfCode[letter.charCodeAt(0)] = value;

/**
 * Base of the encoded numbers. The least significant digit comes first. A letter from the upper half of the
 * alphabet indicates that more digits follow.
 */
export const numberBase = 46;

/** Encodes a nonnegative integer. */
export function writeNumber(value: number): string {
  let text = "";
  let rest = value;
  while (rest >= numberBase) {
    text += letters[numberBase + (rest % numberBase)];
    rest = Math.floor(rest / numberBase);
  }
  return text + letters[rest];
}

/** Reads consecutive numbers that `writeNumber` encoded. */
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
      if (digit < numberBase) return value + digit * scale;
      value += (digit - numberBase) * scale;
      scale *= numberBase;
    }
  }
}

/** A term in the dictionary of a shard. */
export interface DictionaryEntry {
  term: string;
  /** Number of passages with the term. */
  frequency: number;
  /** Number of passages in the list. */
  listed: number;
  /** Length of the list in characters. */
  list_chars: number;
}

/** Reads the dictionary of a shard. */
export function* dictionaryEntries(dictionary: string): Generator<DictionaryEntry> {
  const numbers = new NumberReader(dictionary);
  let term = "";
  while (numbers.at < dictionary.length) {
    const shared = numbers.next();
    const end = dictionary.indexOf(" ", numbers.at);
    term = term.slice(0, shared) + dictionary.slice(numbers.at, end);
    numbers.at = end + 1;
    const frequency = numbers.next();
    const list_chars = numbers.next();
    yield {
      term,
      frequency,
      list_chars,
      listed: frequency > passagesOfTerm_count ? numbers.next() : frequency,
    };
  }
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/**
 * Content of an index file: passages for `p<n>`, and text for all other files. In exports by earlier
 * versions, passages are also text.
 */
export type Payload = string | PagePassages[];

/** Extracts the payload of an index file without running the script. */
export function payloadOf(script: string): Payload {
  return (
    JSON.parse(`[${script.slice(script.indexOf("(") + 1, script.lastIndexOf(")"))}]`) as [
      string,
      string,
      Payload,
    ]
  )[2];
}

/** Extracts the passages from the payload of a file `p<n>`. */
export function readPassages(payload: Payload): PagePassages[] {
  return typeof payload === "string" ? (JSON.parse(payload) as PagePassages[]) : payload;
}
