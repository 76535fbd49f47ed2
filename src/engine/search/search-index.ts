/** Searches an index whose files are loaded on demand. Used in browsers and in Node.js. */

import {
  bytesOf,
  type Head,
  type PageRecord,
  type Payload,
  pagesOfPassages,
  pagesOfRecords,
  readPassages,
  version_letters,
} from "./index-format.ts";
import { type QueryWord, QueryWords } from "./query-words.ts";
import { ranked } from "./rank.ts";
import { maxBodyScore, stepScores } from "./scoring.ts";
import type {
  Candidate,
  Passage,
  SearchFilter,
  SearchHit,
  SearchOutcome,
  SearchQuery,
} from "./search-hit.ts";
import { TermShard } from "./term-shard.ts";

/**
 * Loads a file of the index by name: `head`, `t3`, `d0`, `p7`. `version`: the file's version in the head;
 * undefined for the head.
 */
export type LoadPart = (name: string, version?: string) => Promise<Payload>;

/** Factor for the start of a page if the query is the page's whole title or one of its keywords. */
const nameFactor = 4;
/** Maximum number of candidate sections for `ranked`, unless twice the query's limit is higher. */
const candidates_count = 40;

export class SearchIndex {
  /** Loads the head of an index. Rejects if `load` rejects. */
  static async open(load: LoadPart): Promise<SearchIndex> {
    return new SearchIndex(JSON.parse((await load("head")) as string) as Head, load);
  }

  readonly language: string;
  private readonly head: Head;
  private readonly load: LoadPart;
  private readonly words: QueryWords;
  private readonly parts = new Map<string, Promise<unknown>>();
  private readonly sectionOf: Uint32Array;
  private readonly firstPassages: number[] = [];
  // Reused by all queries. `scores`, `coverage`, `matches` and `highest` contain only zeros between queries.
  private readonly scores: Float32Array;
  private readonly coverage: Float32Array;
  private readonly matches: Uint8Array;
  private readonly touched: Uint32Array;
  private readonly highest: Float32Array;
  private readonly collected: Uint32Array;

  private constructor(head: Head, load: LoadPart) {
    this.head = head;
    this.load = load;
    this.language = head.language;
    this.words = new QueryWords(head, (number) => this.shard(number));
    const starts = bytesOf(head.starts);
    const numbers_count = head.numbers_count ?? head.passages_count;
    this.sectionOf = new Uint32Array(numbers_count);

    for (let number = 0; number < numbers_count; number++) {
      if (starts[number >> 3]! & (1 << (number & 7))) this.firstPassages.push(number);
      this.sectionOf[number] = this.firstPassages.length - 1;
    }

    this.scores = new Float32Array(numbers_count);
    this.coverage = new Float32Array(numbers_count);
    this.matches = new Uint8Array(numbers_count);
    this.touched = new Uint32Array(numbers_count);
    this.highest = new Float32Array(numbers_count);
    this.collected = new Uint32Array(numbers_count);
  }

  /** Finds the sections that match a query. Rejects if a file of the index can't be loaded. */
  async search({ text, limit, isTyping = false, filter, similar }: SearchQuery): Promise<SearchOutcome> {
    const wanted = await this.words.of(text, isTyping);
    const terms = wanted.map(({ term }) => term);
    const total = terms.reduce((sum, { idf }) => sum + idf, 0);
    if (total === 0) return { hits: [], terms };

    // `best` is synchronous, because queries share the arrays.
    const named = await this.words.pagesNamed(text, wanted);
    const byWords = this.best(wanted, named, Math.max(limit * 2, candidates_count), filter);
    const candidates = similar ? similar.addTo(byWords, this.sectionOf, this.factorOf(filter)) : byWords;
    const numbers = [...new Set(candidates.map(({ section }) => this.recordsOf(section)))];
    const records = new Map(
      await Promise.all(numbers.map(async (number) => [number, await this.records(number)] as const)),
    );

    const found = candidates.map(({ section, passage, score, covered_idf }) => {
      const number = this.recordsOf(section);
      const { page, ordinal } = this.recordIn(records.get(number)!, number, section);
      const [route, title, , method, sections] = page;
      return {
        passage,
        score,
        covered_idf,
        page,
        ordinal,
        route,
        title,
        method,
        headings: headingsOf(sections, ordinal),
      };
    });

    const hits = ranked(found, { text, terms, language: this.language, limit });
    const most = new Map(byWords.map(({ passage, score }) => [passage, score]));
    return {
      hits: hits.map(
        ({ page, ordinal, route, title, method, headings, passage, score, covered_idf }): SearchHit => {
          const [, , crumbs, , sections, group, isDescribed] = page;
          return {
            route,
            anchor: sections[ordinal]![0],
            title,
            headings,
            breadcrumbs: crumbs.map((crumb) => this.head.crumbs[crumb]!),
            ...(group < 0 ? {} : { group: this.head.crumbs[crumbs[group]!]! }),
            ...(method ? { method } : {}),
            ...this.divisionsOf(passage),
            isDescribed: ordinal === 0 && isDescribed === 1,
            score,
            strength: Math.min(1, (most.get(passage) ?? 0) / (total * maxBodyScore)),
            coverage: covered_idf / total,
            passage,
          };
        },
      ),
      terms,
    };
  }

  /** Loads the passages of each hit's section, in order. */
  passages(hits: readonly SearchHit[]): Promise<Passage[][]> {
    return Promise.all(
      hits.map(async ({ passage }) => {
        const section = this.sectionOf[passage]!;
        const { pageNumber, ordinal } = await this.record(section);
        const pages = await this.part(`p${Math.floor(pageNumber / pagesOfPassages)}`, readPassages);
        const texts = pages[pageNumber % pagesOfPassages]![ordinal]!;
        return texts.map((text, index) => ({ number: this.firstPassages[section]! + index, text }));
      }),
    );
  }

  private part<T>(name: string, read: (payload: Payload) => T): Promise<T> {
    let part = this.parts.get(name) as Promise<T> | undefined;
    if (!part) {
      const at = Number(name.slice(1)) * version_letters;
      part = this.load(
        name,
        this.head.versions[name[0] as "t" | "d" | "p"].slice(at, at + version_letters),
      ).then(read);
      // Allows loading the part again after a failure.
      part.catch(() => this.parts.delete(name));
      this.parts.set(name, part);
    }
    return part;
  }

  private shard(number: number): Promise<TermShard> {
    return this.part(`t${number}`, (payload) => new TermShard(payload as string));
  }

  /** Finds the best passage of each of the best sections, by score, boost and share of matching words. */
  private best(
    wanted: readonly QueryWord[],
    named: ReadonlySet<number>,
    count: number,
    filter: SearchFilter | undefined,
  ) {
    const { scores, coverage: covered, matches, touched, highest, collected } = this;
    let touched_count = 0;

    for (const { term, lists } of wanted) {
      // If several terms replace a word, only the best one counts in each passage.
      let collected_count = 0;
      for (const { postings, factor, idf = term.idf } of lists) {
        const { passages, steps } = postings;
        const worth = stepScores.map((step) => step * Math.min(idf, term.idf) * factor);
        for (let index = 0; index < passages.length; index++) {
          const passage = passages[index]!;
          const score = worth[steps[index]!]!;
          if (lists.length === 1) add(passage, score, term.idf);
          else {
            if (highest[passage] === 0) collected[collected_count++] = passage;
            if (score > highest[passage]!) highest[passage] = score;
          }
        }
      }
      for (let index = 0; index < collected_count; index++) {
        const passage = collected[index]!;
        add(passage, highest[passage]!, term.idf);
        highest[passage] = 0;
      }
    }

    const isExcluded = this.exclusionOf(filter);
    const boosted = this.boostOf();
    const kept = new Best(count);
    for (let index = 0; index < touched_count; index++) {
      const passage = touched[index]!;
      if (!isExcluded(passage)) {
        const factor = boosted(passage) * (named.has(passage) ? nameFactor : 1);
        const score = (scores[passage]! * matches[passage]! * factor) / wanted.length;
        if (score > kept.least)
          kept.offer({ section: this.sectionOf[passage]!, passage, score, covered_idf: covered[passage]! });
      }
      scores[passage] = covered[passage] = matches[passage] = 0;
    }

    return kept.all();

    function add(passage: number, score: number, idf: number): void {
      if (matches[passage] === 0) touched[touched_count++] = passage;
      scores[passage]! += score;
      covered[passage]! += idf;
      matches[passage]!++;
    }
  }

  /**
   * Returns a function that returns the boost of a passage's page, or 0 for a passage that the filter
   * excludes.
   */
  private factorOf(filter: SearchFilter | undefined): (passage: number) => number {
    const isExcluded = this.exclusionOf(filter);
    const boosted = this.boostOf();
    return (passage) => (isExcluded(passage) ? 0 : boosted(passage));
  }

  private exclusionOf(filter: SearchFilter | undefined): (passage: number) => boolean {
    const others = (["version", "product"] as const).flatMap((kind) => {
      const name = filter?.[kind];
      if (name === undefined) return [];
      return Object.entries(this.head.filters[kind]).flatMap(([other, ranges]) =>
        other === name ? [] : [ranges],
      );
    });
    return (passage) => others.some((ranges) => isWithin(passage, ranges));
  }

  /** Returns the version and the product of a passage's page. */
  private divisionsOf(passage: number): SearchFilter {
    const divisions: SearchFilter = {};
    for (const kind of ["version", "product"] as const)
      for (const [name, ranges] of Object.entries(this.head.filters[kind]))
        if (isWithin(passage, ranges)) divisions[kind] = name;
    return divisions;
  }

  private boostOf(): (passage: number) => number {
    const { boosts } = this.head;
    if (boosts.length === 0) return () => 1;
    return (passage) => {
      let low = 0;
      let high = boosts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (boosts[middle]![0] <= passage) low = middle + 1;
        else high = middle;
      }
      const range = boosts[low - 1];
      return range && passage < range[1] ? range[2] : 1;
    };
  }

  private async record(section: number): Promise<FoundRecord> {
    const number = this.recordsOf(section);
    return this.recordIn(await this.records(number), number, section);
  }

  /** Returns the number of the part `d<n>` with the page of a section. */
  private recordsOf(section: number): number {
    const { sections } = this.head;
    let number = sections.length - 1;
    while (sections[number]! > section) number--;
    return number;
  }

  private records(number: number): Promise<PageRecord[]> {
    return this.part(`d${number}`, (payload) => JSON.parse(payload as string) as PageRecord[]);
  }

  private recordIn(pages: readonly PageRecord[], number: number, section: number): FoundRecord {
    let first = this.head.sections[number]!;
    for (const [index, page] of pages.entries()) {
      if (section < first + page[4].length)
        return { page, pageNumber: number * pagesOfRecords + index, ordinal: section - first };
      first += page[4].length;
    }
    throw new Error("The search index is incomplete");
  }
}

interface FoundRecord {
  page: PageRecord;
  pageNumber: number;
  /** Index of the section on its page. */
  ordinal: number;
}

/** Collects the best candidates, at most one per section. */
class Best {
  least = 0;
  private readonly count: number;
  private readonly kept = new Map<number, Candidate>();

  constructor(count: number) {
    this.count = count;
  }

  offer(candidate: Candidate): void {
    const known = this.kept.get(candidate.section);
    if (known && known.score >= candidate.score) return;
    this.kept.set(candidate.section, candidate);
    if (this.kept.size <= this.count) return;
    const worst = [...this.kept.values()].reduce((low, one) => (one.score < low.score ? one : low));
    this.kept.delete(worst.section);
    this.least = worst.score;
  }

  all(): Candidate[] {
    return [...this.kept.values()].sort((a, b) => b.score - a.score || a.passage - b.passage);
  }
}

/** Returns the headings from the outermost one on the page to the section's own heading. */
export function headingsOf(sections: PageRecord[4], ordinal: number): string[] {
  const headings: string[] = [];
  for (let place = ordinal; place >= 0; place = sections[place]![1]) headings.unshift(sections[place]![2]);
  return headings.filter(Boolean);
}

/** Whether a passage is in one of the ascending ranges `[start, end, start, end, …]`. Ends are exclusive. */
function isWithin(passage: number, ranges: readonly number[]): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]! <= passage) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}
