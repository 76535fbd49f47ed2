/** Builds the files of a search index. */

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import {
  type Head,
  letterOf,
  type PagePassages,
  type PageRecord,
  pagesOfPassages,
  pagesOfRecords,
  partCounts,
  version_letters,
  writeNumber,
} from "./index-format.ts";
import { passagesOf } from "./passages.ts";
import { plainText } from "./plain-text.ts";
import { type Field, fieldScore, fields, stepOf } from "./scoring.ts";
import { shortLanguage, tokens, wordsIn } from "./terms.ts";

export interface IndexedPage {
  /** Path of the page without a leading slash. */
  route: string;
  title: string;
  /** Divisions and groups of the navigation that contain the page, outermost first. */
  breadcrumbs: readonly string[];
  /** The breadcrumb that is the topic of the page. */
  group?: string;
  /** Search terms that are not shown on the page. */
  keywords: readonly string[];
  /** Factor for the scores of the page. */
  boost: number;
  method?: string;
  version?: string;
  product?: string;
  sections: readonly IndexedSection[];
}

export interface IndexedSection {
  /** Id of the heading. Empty for the beginning of the page. */
  anchor: string;
  /** Headings from the outermost one to that of the section. */
  headings: readonly string[];
  /** Markdown of the section. */
  text: string;
}

/** Names of all files of an index with this number of pages. */
export function partNames(pages_count: number): string[] {
  const { t, d, p } = partCounts(pages_count);
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, number) => `${letter}${number}`);
  return ["head", ...numbered("t", t), ...numbered("d", d), ...numbered("p", p)];
}

/** Creates a part `p`: the passages of some pages. */
export function passagesPart(pages: readonly IndexedPage[]): string {
  return JSON.stringify(pages.map((page): PagePassages => page.sections.map((section) => sectionPassages(section))));
}

/** Version of a part: a hash that both the part and the head contain. If the two differ, they are from different deployments. */
export function versionOf(payload: string): string {
  return createHash("sha256").update(payload).digest("hex").slice(0, version_letters);
}

export function pagesOfPart(number: number, pages_count: number): { from: number; before: number } {
  return { from: number * pagesOfPassages, before: Math.min(pages_count, (number + 1) * pagesOfPassages) };
}

/** Creates all parts except the parts `p`, which `passagesPart` creates. Returns them by name. */
export function buildIndex(
  pages: Iterable<IndexedPage>,
  { language, pages_count }: { language: string; pages_count: number },
): Map<string, string> {
  const builder = new IndexBuilder(language);
  for (const page of pages) builder.add(page);
  return builder.finish(pages_count);
}

/** Splits a section into passages. A section without text has one empty passage, so that its heading is found. */
function sectionPassages({ text }: IndexedSection): string[] {
  const passages = passagesOf(text);
  return passages.length ? passages : [""];
}

/** Names in code at the start of table rows or bulleted list items. The passage describes them, so they count like headings. */
function definedNames(passage: string): string[] {
  const starts = passage.matchAll(/^\s*(?:\||[-*+]\s)\s*(?:\*\*)?(`[^`|]+`(?:,\s*`[^`|]+`)*)/gm);
  return [...starts].map(([, names]) => names!.replaceAll("`", " "));
}

/** Frequencies of terms in a passage, by number of the term. A value contains one byte per field. */
type Frequencies = Map<number, number>;

/** The numbers of a word's terms, and how many words it counts as. In some scripts, text between two spaces consists of many words. */
interface IndexedWord {
  terms: number[];
  length: number;
}

class IndexBuilder {
  private readonly language: string;
  private readonly numbers = new Map<string, number>();
  /** Memoized words: one map for titles and headings, and one for other text, in which stop words have no terms. */
  private readonly words = new Map<string, IndexedWord>();
  private readonly contentWords = new Map<string, IndexedWord>();
  private readonly termNames: string[] = [];
  /** The number and the frequencies of each term of each passage, alternating. */
  private readonly found = new NumberList();
  /** End of each passage's terms in `found`. */
  private readonly ends = new NumberList();
  private readonly lengths = Object.fromEntries(fields.map((field) => [field, new NumberList()])) as Record<Field, NumberList>;
  private readonly starts: number[] = [];
  private readonly records: PageRecord[] = [];
  private readonly firstSections: number[] = [];
  private readonly crumbs = new Map<string, number>();
  private readonly filters: Head["filters"] = { version: {}, product: {} };
  private readonly boosts: Head["boosts"] = [];
  /** Passages of the current part `p`. */
  private passages: PagePassages[] = [];
  private passagesVersions = "";

  constructor(language: string) {
    this.language = shortLanguage(language);
  }

  add(page: IndexedPage): void {
    if (this.records.length % pagesOfRecords === 0) this.firstSections.push(this.starts.length);
    const from = this.ends.length;
    const title = this.termsIn(page.title, true);
    // Words in the route count like breadcrumbs.
    const breadcrumbs = this.termsIn([...page.breadcrumbs, ...page.route.split("/")].join("\n"), false);
    const places: string[] = [];
    const sections: PageRecord[4] = [];
    const passages: PagePassages = [];
    for (const [index, section] of page.sections.entries()) {
      const above = section.headings.slice(0, -1).join("\n");
      sections.push([section.anchor, above ? places.lastIndexOf(above) : -1, section.headings.at(-1) ?? ""]);
      places.push(section.headings.join("\n"));
      const words = index === 0 ? [...section.headings, ...page.keywords] : section.headings;
      const heading = this.termsIn(words.join("\n"), true);
      this.starts.push(this.ends.length);
      const own = sectionPassages(section);
      passages.push(own);
      for (const passage of own) {
        const defined = this.termsIn(definedNames(passage).join("\n"), false).terms;
        const named = { terms: [...heading.terms, ...defined], length: heading.length };
        this.addPassage({ body: this.termsIn(plainText(passage), false), heading: named, title, breadcrumbs });
      }
    }
    const before = this.ends.length;
    const crumbs = page.breadcrumbs.map((name) => this.crumb(name));
    const group = page.group === undefined ? -1 : page.breadcrumbs.indexOf(page.group);
    this.records.push([page.route, page.title, crumbs, page.method ?? "", sections, group]);
    for (const kind of ["version", "product"] as const) {
      const name = page[kind];
      if (name !== undefined) extend((this.filters[kind][name] ??= []), from, before);
    }
    if (page.boost !== 1) this.boosts.push([from, before, page.boost]);
    this.passages.push(passages);
    if (this.passages.length === pagesOfPassages) this.endPassages();
  }

  private endPassages(): void {
    this.passagesVersions += versionOf(JSON.stringify(this.passages));
    this.passages = [];
  }

  finish(pages_count: number): Map<string, string> {
    const passages_count = this.ends.length;
    const counts = partCounts(pages_count);
    const parts = new Map<string, string>();
    const { shards, first } = this.shards(counts.t);
    const termParts = Array.from({ length: counts.t }, (_, number) => shards[number] ?? "\n\n");
    const recordParts = Array.from({ length: counts.d }, (_, number) =>
      JSON.stringify(this.records.slice(number * pagesOfRecords, (number + 1) * pagesOfRecords)),
    );
    if (this.passages.length || this.passagesVersions === "") this.endPassages();
    const head: Head = {
      language: this.language,
      passages_count,
      versions: { t: termParts.map(versionOf).join(""), d: recordParts.map(versionOf).join(""), p: this.passagesVersions },
      terms: first,
      sections: this.firstSections,
      starts: base64(bits(this.starts, passages_count)),
      crumbs: [...this.crumbs.keys()],
      filters: this.filters,
      boosts: this.boosts,
    };
    parts.set("head", JSON.stringify(head));
    for (const [number, part] of termParts.entries()) parts.set(`t${number}`, part);
    for (const [number, part] of recordParts.entries()) parts.set(`d${number}`, part);
    return parts;
  }

  /** The terms of a text, and its number of words without stop words. `withStops`: whether stop words have terms. */
  private termsIn(text: string, withStops: boolean): { terms: number[]; length: number } {
    const terms: number[] = [];
    let length = 0;
    const known = withStops ? this.words : this.contentWords;
    for (const name of wordsIn(text)) {
      const word = known.get(name) ?? this.readWord(name, withStops, known);
      length += word.length;
      for (const term of word.terms) terms.push(term);
    }
    return { terms, length };
  }

  private readWord(name: string, withStops: boolean, known: Map<string, IndexedWord>): IndexedWord {
    const word: IndexedWord = { terms: [], length: 0 };
    for (const { terms, bare, isStop } of tokens(name, this.language)) {
      if (isStop && !withStops) continue;
      if (!isStop) word.length++;
      for (const term of bare === undefined ? terms : [...terms, bare])
        if (term.length <= limits.searchTerm_chars) word.terms.push(this.numberOf(term));
    }
    if (known.size >= limits.knownWords_count) known.clear();
    if (name.length <= limits.searchTerm_chars) known.set(name, word);
    return word;
  }

  private numberOf(term: string): number {
    let number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, (number = this.termNames.length));
      this.termNames.push(term);
    }
    return number;
  }

  private addPassage(texts: Record<Field, { terms: number[]; length: number }>): void {
    const frequencies: Frequencies = new Map();
    for (const [index, field] of fields.entries()) {
      const shift = index * 8;
      this.lengths[field].push(texts[field].length);
      for (const term of texts[field].terms) {
        const packed = frequencies.get(term) ?? 0;
        if (((packed >>> shift) & 255) < 127) frequencies.set(term, packed + (1 << shift));
      }
    }
    for (const [term, packed] of frequencies) {
      this.found.push(term);
      this.found.push(packed);
    }
    this.ends.push(this.found.length);
  }

  private crumb(name: string): number {
    let number = this.crumbs.get(name);
    if (number === undefined) this.crumbs.set(name, (number = this.crumbs.size));
    return number;
  }

  /** Writes the sorted terms into shards of about the same size. */
  private shards(shards_count: number): { shards: string[]; first: string[] } {
    const { passages, steps, offsets } = this.postings();
    const order = this.termNames.map((_, term) => term).sort((a, b) => (this.termNames[a]! < this.termNames[b]! ? -1 : 1));
    const most = (passages.length * 2.2 + this.termNames.length * 8) / shards_count;
    const shards: string[] = [];
    const first: string[] = [];
    let shard = new ShardWriter();
    for (const term of order) {
      const name = this.termNames[term]!;
      if (shard.size > most && shards.length < shards_count - 1) {
        shards.push(shard.finish());
        shard = new ShardWriter();
      }
      if (shard.isEmpty) first.push(name);
      shard.add(name, passages.subarray(offsets[term]!, offsets[term + 1]!), steps.subarray(offsets[term]!, offsets[term + 1]!));
    }
    if (!shard.isEmpty) shards.push(shard.finish());
    return { shards, first };
  }

  /** The postings of all terms, concatenated. Uses a counting sort, because passages are already in order. */
  private postings(): { passages: Uint32Array; steps: Uint8Array; offsets: Uint32Array } {
    const found = this.found.all();
    const ends = this.ends.all();
    const averages = fields.map((field) => Math.max(1, mean(this.lengths[field].all())));
    const lengths = fields.map((field) => this.lengths[field].all());
    const offsets = new Uint32Array(this.termNames.length + 1);
    for (let at = 0; at < found.length; at += 2) offsets[found[at]! + 1]!++;
    for (let term = 0; term < this.termNames.length; term++) offsets[term + 1]! += offsets[term]!;
    const next = offsets.slice();
    const passages = new Uint32Array(found.length / 2);
    const steps = new Uint8Array(found.length / 2);
    let at = 0;
    for (let passage = 0; passage < ends.length; passage++) {
      for (; at < ends[passage]!; at += 2) {
        const packed = found[at + 1]!;
        let score = 0;
        for (let index = 0; index < fields.length; index++)
          score += fieldScore(fields[index]!, (packed >>> (index * 8)) & 255, lengths[index]![passage]! / averages[index]!);
        const place = next[found[at]!]!++;
        passages[place] = passage;
        steps[place] = stepOf(score);
      }
    }
    return { passages, steps, offsets };
  }
}

class ShardWriter {
  private readonly dictionary: string[] = [];
  private readonly lists: string[] = [];
  private readonly letters: string[] = [];
  private previous = "";
  size = 0;

  get isEmpty(): boolean {
    return this.dictionary.length === 0;
  }

  add(term: string, passages: Uint32Array, steps: Uint8Array): void {
    let shared = 0;
    while (shared < term.length && term[shared] === this.previous[shared]) shared++;
    let list = "";
    let letters = "";
    let last = 0;
    for (let index = 0; index < passages.length; index++) {
      list += writeNumber(passages[index]! - last);
      letters += letterOf(steps[index]!);
      last = passages[index]!;
    }
    const entry = `${writeNumber(shared)}${term.slice(shared)} ${writeNumber(passages.length)}${writeNumber(list.length)}`;
    this.dictionary.push(entry);
    this.lists.push(list);
    this.letters.push(letters);
    this.size += entry.length + list.length + letters.length;
    this.previous = term;
  }

  finish(): string {
    return [this.dictionary, this.lists, this.letters].map((texts) => texts.join("")).join("\n");
  }
}

/** A growing list of 32-bit integers. */
class NumberList {
  private numbers = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = value;
  }

  all(): Int32Array {
    return this.numbers.subarray(0, this.length);
  }
}

function mean(numbers: Int32Array): number {
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
}

/** Adds a range. Joins it with the last range if they are adjacent. */
function extend(ranges: number[], from: number, before: number): void {
  if (ranges.at(-1) === from) ranges[ranges.length - 1] = before;
  else ranges.push(from, before);
}

function bits(set: readonly number[], count: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (const bit of set) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
