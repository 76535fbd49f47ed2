/**
 * Builds segments. A segment contains the postings of some consecutive pages of an index. A score depends
 * only on the passage and its page, so segments of unchanged pages can be cached, and an index can be merged
 * from segments.
 */

import { limits } from "../../base/limits.ts";
import { enlarged } from "./enlarged.ts";
import type { PagePassages, PageRecord } from "./index-format.ts";
import { versionOf } from "./index-parts.ts";
import type { IndexTerms, PassageTerms, TextTerms } from "./index-terms.ts";
import { passagesOf } from "./passages.ts";
import { withoutMarkup } from "./plain-text.ts";
import { averageLengths, type Field, fieldScore, fields, stepOf } from "./scoring.ts";
import { type EncodedPostings, SegmentPostings } from "./segment-postings.ts";
import { aliasesIn } from "./site-aliases.ts";
import { nameTerm } from "./terms.ts";

/** Properties of an indexed page, without its text. */
export interface IndexedPageHeader {
  /** Path of the page without a leading slash. */
  route: string;
  title: string;
  /** Names of the navigation divisions that contain the page, outermost first. */
  breadcrumbs: readonly string[];
  /**
   * The topic of the page: its outermost group, or else its innermost division. Always one of `breadcrumbs`.
   */
  group?: string;
  /** Additional search terms, such as the keywords in the frontmatter. */
  keywords: readonly string[];
  /** Whether the text of the first section starts with the page's description. */
  isDescribed?: boolean;
  /** Factor for the scores of the page. */
  boost: number;
  method?: string;
  /**
   * Other names of the page, such as the path of an operation. Only a query that is a whole name finds them.
   */
  names?: readonly string[];
  version?: string;
  product?: string;
}

export interface IndexedPage extends IndexedPageHeader {
  sections: readonly IndexedSection[];
}

export interface IndexedSection {
  /** ID of the section's heading or block. Empty for the beginning of the page. */
  anchor: string;
  /** Headings from the outermost one to the section's own heading. */
  headings: readonly string[];
  /** Markdown of the section. */
  text: string;
}

/** A segment, which can be cached as JSON. */
export interface IndexSegment extends EncodedPostings {
  pages: SegmentPage[];
  /** The terms, in no particular order. */
  terms: string[];
}

/** The passages of a page. */
export interface PageDetails {
  /** Number of passages of each section. */
  counts: number[];
  /** Hash of the passages. */
  version: string;
  /** Names for the same thing that the page defines. */
  aliases?: string[];
}

export interface SegmentPage extends PageDetails {
  sections: PageRecord[4];
}

/** The passages of a page as JSON, and a hash of them. */
export interface WrittenPassages {
  json: string;
  version: string;
}

/** The index of a run of pages. */
export interface IndexedRun {
  /** The segment as JSON. */
  segment: string;
  /** The passages of each page. */
  passages: WrittenPassages[];
}

/** Indexes a run of pages. The result depends only on the pages, not on the terms that are already known. */
export function indexRun(terms: IndexTerms, pages: readonly IndexedPage[]): IndexedRun {
  const builder = new SegmentBuilder(terms);
  const passages = pages.map((page) => builder.add(page));
  return { segment: JSON.stringify(builder.finish()), passages };
}

export function writtenPassages(page: IndexedPage): WrittenPassages {
  return writePassages(passagesOfPage(page));
}

function writePassages(passages: PagePassages): WrittenPassages {
  const json = JSON.stringify(passages);
  return { json, version: versionOf(json) };
}

/** Maximum length of the keywords of a page, in words, as a heading. */
const mostKeywords_words = 3;

/** Returns the passages of each section of a page. Each section has at least one passage. */
function passagesOfPage(page: IndexedPage): PagePassages {
  return page.sections.map(({ text }) => {
    const passages = passagesOf(text);
    // A section without text has one empty passage, so that its heading is found.
    return passages.length ? passages : [""];
  });
}

/**
 * Returns the names in inline code at the start of table rows or bulleted list items. A passage usually
 * describes these names, so they count like headings.
 */
function definedNames(passage: string): string[] {
  const starts = passage.matchAll(/^\s*(?:\||[-*+]\s)\s*(?:\*\*)?(`[^`|]+`(?:,\s*`[^`|]+`)*)/gm);
  return [...starts].map(([, names]) => names!.replaceAll("`", " "));
}

/** Builds a segment from consecutive pages of one language. */
class SegmentBuilder {
  private readonly indexTerms: IndexTerms;
  private readonly averages: Record<Field, number>;
  private readonly pages: SegmentPage[] = [];
  private readonly terms: string[] = [];
  private readonly postings = new SegmentPostings();
  /**
   * For each term number, the term's position in the segment plus one, or 0 if the segment doesn't contain
   * the term.
   */
  private positions = new Uint32Array(1_024);
  /**
   * For each term number, the term's frequencies in the current passage, packed into one number with one byte
   * per field.
   */
  private frequencies = new Uint32Array(1_024);
  private passages_count = 0;

  constructor(indexTerms: IndexTerms) {
    this.indexTerms = indexTerms;
    this.averages = averageLengths(indexTerms.language);
  }

  /** Adds the next page and returns its passages. */
  add(page: IndexedPage): WrittenPassages {
    const { indexTerms } = this;
    const title = indexTerms.termsIn(page.title, true);

    // Words in the route count like breadcrumbs.
    const breadcrumbs = indexTerms.termsIn([...page.breadcrumbs, ...page.route.split("/")].join("\n"), false);
    const places: string[] = [];
    const sections: PageRecord[4] = [];
    const passages = passagesOfPage(page);
    this.addNames(page);

    for (const [index, section] of page.sections.entries()) {
      const above = section.headings.slice(0, -1).join("\n");
      sections.push([section.anchor, above ? places.lastIndexOf(above) : -1, section.headings.at(-1) ?? ""]);
      places.push(section.headings.join("\n"));
      const words = index === 0 ? [...section.headings, ...page.keywords] : section.headings;
      const heading = indexTerms.termsIn(words.join("\n"), true);
      // A long list of keywords doesn't lower the weight of each of them.
      const length = index === 0 ? Math.min(heading.length, mostKeywords_words) : heading.length;
      for (const passage of passages[index]!) {
        const { body, defined } = this.passageTerms(passage);
        this.addPassage({
          body,
          heading: { terms: heading.terms.concat(defined), length },
          title,
          breadcrumbs,
        });
      }
    }

    const written = writePassages(passages);
    const aliases = passages.flat().flatMap(aliasesIn);
    const counts = passages.map(({ length }) => length);
    this.pages.push({ sections, counts, version: written.version, ...(aliases.length ? { aliases } : {}) });

    return written;
  }

  /**
   * Returns the terms of a passage. Passages with fields or code are memoized, since many reference pages
   * repeat them.
   */
  private passageTerms(passage: string): PassageTerms {
    const hasFields = passage.includes("- `");
    if (!hasFields && !passage.includes("```")) return this.readTerms(passage);
    const { passages } = this.indexTerms;
    let known = passages.get(passage);
    if (!known) {
      known = hasFields ? this.fieldTerms(passage) : this.readTerms(passage);
      if (passages.size >= limits.knownPassages_count) passages.clear();
      passages.set(passage, known);
    }
    return known;
  }

  /**
   * Returns the terms of a passage that describes fields. Its lines are memoized, since other passages
   * contain them.
   */
  private fieldTerms(passage: string): PassageTerms {
    const { lines } = this.indexTerms;
    const parts: PassageTerms[] = [];
    let others: string[] = [];
    for (const line of passage.split("\n")) {
      if (!/^ *- `/.test(line)) {
        others.push(line);
        continue;
      }
      if (others.length) parts.push(this.readTerms(others.join("\n")));
      others = [];
      let known = lines.get(line);
      if (!known) {
        known = this.readTerms(line);
        if (lines.size >= limits.knownLines_count) lines.clear();
        lines.set(line, known);
      }
      parts.push(known);
    }

    if (others.length) parts.push(this.readTerms(others.join("\n")));
    const length = parts.reduce((sum, { body }) => sum + body.length, 0);
    return {
      body: { terms: parts.flatMap(({ body }) => body.terms), length },
      defined: parts.flatMap(({ defined }) => defined),
    };
  }

  private readTerms(text: string): PassageTerms {
    const { indexTerms } = this;
    const names = definedNames(text);
    return {
      body: indexTerms.termsIn(withoutMarkup(text), false),
      defined: names.length ? indexTerms.termsIn(names.join("\n"), false).terms : [],
    };
  }

  /**
   * Adds the title, keywords and other names of a page to its first passage, each as a single term
   * (`nameTerm`).
   */
  private addNames({ title, keywords, names: others = [] }: IndexedPage): void {
    const { indexTerms } = this;
    const names = new Set([title, ...keywords, ...others].map((name) => nameTerm(name, indexTerms.language)));
    const terms = [...names].flatMap((term) => (term === undefined ? [] : indexTerms.numberOf(term)));
    this.makeRoom();
    for (const term of terms) this.addPosting(term, 0);
  }

  finish(): IndexSegment {
    const { pages, terms } = this;
    return { pages, terms, ...this.postings.encoded(terms.length) };
  }

  private addPassage(texts: Record<Field, TextTerms>): void {
    this.makeRoom();
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
      this.addPosting(term, stepOf(score));
    }

    this.passages_count++;
  }

  /** Adds the current passage to the postings of the term with this number. `step`: the step of its score. */
  private addPosting(term: number, step: number): void {
    let position = this.positions[term]! - 1;
    if (position < 0) {
      position = this.terms.push(this.indexTerms.terms[term]!) - 1;
      this.positions[term] = position + 1;
    }
    this.postings.add(position, this.passages_count, step);
  }

  /** Enlarges the arrays if new terms have been numbered. */
  private makeRoom(): void {
    const count = this.indexTerms.terms.length;
    if (count <= this.positions.length) return;
    this.positions = enlarged(this.positions, count);
    this.frequencies = enlarged(this.frequencies, count);
  }
}
