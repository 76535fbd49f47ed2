/**
 * A segment: the postings of some consecutive pages of an index. A score depends only on the passage and its page, so the segment
 * of unchanged pages can be cached, and an index is merged from its segments.
 */

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import { letterOf, type PagePassages, type PageRecord, version_letters, writeNumber } from "./index-format.ts";
import { passagesOf } from "./passages.ts";
import { plainText } from "./plain-text.ts";
import { averageLengths, type Field, fieldScore, fields, stepOf } from "./scoring.ts";
import { nameTerm, shortLanguage, tokens, wordsIn } from "./terms.ts";

/** Properties of an indexed page, without its text. */
export interface IndexedPageHeader {
  /** Path of the page without a leading slash. */
  route: string;
  title: string;
  /** Divisions and groups of the navigation that contain the page, outermost first. */
  breadcrumbs: readonly string[];
  /** The topic of the page: its outermost group, otherwise its innermost division. Always one of `breadcrumbs`. */
  group?: string;
  /** Search terms that are not shown on the page. */
  keywords: readonly string[];
  /** Factor for the scores of the page. */
  boost: number;
  method?: string;
  version?: string;
  product?: string;
}

export interface IndexedPage extends IndexedPageHeader {
  sections: readonly IndexedSection[];
}

export interface IndexedSection {
  /** ID of the heading. Empty for the beginning of the page. */
  anchor: string;
  /** Headings from the outermost one to that of the section. */
  headings: readonly string[];
  /** Markdown of the section. */
  text: string;
}

/** A segment, which can be cached as JSON. Passages are numbered from the first one of the segment. */
export interface IndexSegment {
  pages: SegmentPage[];
  /** The terms, in no particular order. The following lists have one entry for each term. */
  terms: string[];
  /** Number of passages with the term. */
  counts: number[];
  /** First and last passage with the term. */
  firsts: number[];
  lasts: number[];
  /** Encoded numbers of the passages after the first one, as in shards: each is the difference from the previous one. */
  lists: string[];
  /** One letter per passage: the score. */
  letters: string[];
}

export interface SegmentPage {
  sections: PageRecord[4];
  /** Number of passages of each section. */
  counts: number[];
  /** Hash of the passages. */
  version: string;
}

/**
 * Hash of a part's content. The part's file and the head both contain the hash. If the hashes differ, the two
 * files are from different deployments.
 */
export function versionOf(content: string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, version_letters);
}

/** The passages of each section of a page. Each section has at least one passage. */
export function passagesOfPage(page: IndexedPage): PagePassages {
  return page.sections.map(({ text }) => {
    const passages = passagesOf(text);
    // A section without text has one empty passage, so that its heading is found.
    return passages.length ? passages : [""];
  });
}

/**
 * Names in inline code at the start of table rows or bulleted list items. Such a passage usually describes
 * these names, so they count like headings.
 */
function definedNames(passage: string): string[] {
  const starts = passage.matchAll(/^\s*(?:\||[-*+]\s)\s*(?:\*\*)?(`[^`|]+`(?:,\s*`[^`|]+`)*)/gm);
  return [...starts].map(([, names]) => names!.replaceAll("`", " "));
}

/** A memoized result of `readWord`. */
interface IndexedWord {
  /** Numbers of the word's terms. */
  terms: number[];
  /** Number of tokens without stop words. In scripts without spaces, a word consists of many tokens. */
  length: number;
}

/** Builds a segment from consecutive pages of one language. */
export class SegmentBuilder {
  private readonly language: string;
  private readonly averages: Record<Field, number>;
  private readonly numbers = new Map<string, number>();
  /** Memoized words: one map for titles and headings, and one for other text, in which stop words have no terms. */
  private readonly words = new Map<string, IndexedWord>();
  private readonly contentWords = new Map<string, IndexedWord>();
  private readonly segment: IndexSegment = { pages: [], terms: [], counts: [], firsts: [], lasts: [], lists: [], letters: [] };
  /** Frequencies of the terms in the current passage, packed into one number with one byte per field. */
  private readonly frequencies: number[] = [];
  private passages_count = 0;

  constructor(language: string) {
    this.language = shortLanguage(language);
    this.averages = averageLengths(this.language);
  }

  /** Adds the next page and returns its passages. */
  add(page: IndexedPage): PagePassages {
    const title = this.termsIn(page.title, true);
    // Words in the route count like breadcrumbs.
    const breadcrumbs = this.termsIn([...page.breadcrumbs, ...page.route.split("/")].join("\n"), false);
    const places: string[] = [];
    const sections: PageRecord[4] = [];
    const passages = passagesOfPage(page);
    this.addNames(page);
    for (const [index, section] of page.sections.entries()) {
      const above = section.headings.slice(0, -1).join("\n");
      sections.push([section.anchor, above ? places.lastIndexOf(above) : -1, section.headings.at(-1) ?? ""]);
      places.push(section.headings.join("\n"));
      const words = index === 0 ? [...section.headings, ...page.keywords] : section.headings;
      const heading = this.termsIn(words.join("\n"), true);
      for (const passage of passages[index]!) {
        const defined = this.termsIn(definedNames(passage).join("\n"), false).terms;
        const named = { terms: [...heading.terms, ...defined], length: heading.length };
        this.addPassage({ body: this.termsIn(plainText(passage), false), heading: named, title, breadcrumbs });
      }
    }
    this.segment.pages.push({ sections, counts: passages.map(({ length }) => length), version: versionOf(JSON.stringify(passages)) });
    return passages;
  }

  /** Adds the title and the keywords of a page as whole names to its first passage. */
  private addNames({ title, keywords }: IndexedPage): void {
    for (const term of new Set([title, ...keywords].map((name) => nameTerm(name, this.language))))
      if (term !== undefined) this.addPosting(this.numberOf(term), letterOf(0));
  }

  finish(): IndexSegment {
    return this.segment;
  }

  /** Terms of a text. Stop words only count in titles and headings. */
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
      const { terms, counts, firsts, lasts, lists, letters } = this.segment;
      this.numbers.set(term, (number = terms.length));
      terms.push(term);
      counts.push(0);
      firsts.push(0);
      lasts.push(0);
      lists.push("");
      letters.push("");
      this.frequencies.push(0);
    }
    return number;
  }

  private addPassage(texts: Record<Field, { terms: number[]; length: number }>): void {
    const { frequencies } = this;
    const found: number[] = [];
    for (const [index, field] of fields.entries()) {
      const shift = index * 8;
      for (const term of texts[field].terms) {
        const packed = frequencies[term]!;
        if (packed === 0) found.push(term);
        if (((packed >>> shift) & 255) < 127) frequencies[term] = packed + (1 << shift);
      }
    }
    const lengths = fields.map((field) => texts[field].length / this.averages[field]);
    for (const term of found) {
      const packed = frequencies[term]!;
      frequencies[term] = 0;
      let score = 0;
      for (let index = 0; index < fields.length; index++)
        score += fieldScore(fields[index]!, (packed >>> (index * 8)) & 255, lengths[index]!);
      this.addPosting(term, letterOf(stepOf(score)));
    }
    this.passages_count++;
  }

  /** Adds the current passage to a term. */
  private addPosting(term: number, letter: string): void {
    const { counts, firsts, lasts, lists, letters } = this.segment;
    const passage = this.passages_count;
    if (counts[term]!++ === 0) firsts[term] = passage;
    else lists[term] += writeNumber(passage - lasts[term]!);
    lasts[term] = passage;
    letters[term] += letter;
  }
}
