/** Searches an index whose files are loaded on demand. Used in browsers and in Node.js. */

import { limits } from "../../base/limits.ts";
import { isOneEditAway } from "./edit-distance.ts";
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
import { ranked } from "./rank.ts";
import { inverseFrequency, maxBodyScore, stepScores } from "./scoring.ts";
import type { Candidate, Passage, QueryTerm, SearchFilter, SearchHit, SearchOutcome, SearchQuery } from "./search-hit.ts";
import { type SynonymTable, synonymsOf, synonymTable } from "./synonyms.ts";
import { type Postings, TermShard } from "./term-shard.ts";
import { foldedStem, isNameTerm, nameTerm, type Token, tokens } from "./terms.ts";

/** Loads a file of the index by name: `head`, `t3`, `d0`, `p7`. `version`: the file's version in the head; undefined for the head. */
export type LoadPart = (name: string, version?: string) => Promise<Payload>;

/** A word of the query, with the postings of its term, of terms that replace it, and of synonyms. */
interface QueryWord {
  term: QueryTerm;
  lists: TermList[];
}

interface TermList {
  postings: Postings;
  factor: number;
  /** Upper bound of the word's idf for these postings. A frequent synonym of a rare word isn't specific. */
  idf?: number;
}

/** Factors for the scores of terms that differ from the typed word: completions, spelling corrections and synonyms. */
const completedFactor = 0.8;
const correctedFactor = 0.7;
const synonymFactor = 0.7;
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
  private readonly synonyms: SynonymTable;
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
    this.synonyms = synonymTable(head.language, head.aliases);
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
    const wanted = await this.queryWordsOf(text, isTyping);
    const terms = wanted.map(({ term }) => term);
    const total = terms.reduce((sum, { idf }) => sum + idf, 0);
    if (total === 0) return { hits: [], terms };
    // `best` is synchronous, because queries share the arrays.
    const named = await this.pagesNamed(text, wanted);
    const byWords = this.best(wanted, named, Math.max(limit * 2, candidates_count), filter);
    const candidates = similar ? similar.addTo(byWords, this.sectionOf, this.factorOf(filter)) : byWords;
    const numbers = [...new Set(candidates.map(({ section }) => this.recordsOf(section)))];
    const records = new Map(await Promise.all(numbers.map(async (number) => [number, await this.records(number)] as const)));
    const found = candidates.map(({ section, passage, score, covered_idf }) => {
      const number = this.recordsOf(section);
      const { page, ordinal } = this.recordIn(records.get(number)!, number, section);
      const [route, title, , method, sections] = page;
      return { passage, score, covered_idf, page, ordinal, route, title, method, headings: headingsOf(sections, ordinal) };
    });
    const hits = ranked(found, { text, terms, language: this.language, limit });
    const most = new Map(byWords.map(({ passage, score }) => [passage, score]));
    return {
      hits: hits.map(({ page, ordinal, route, title, method, headings, passage, score, covered_idf }): SearchHit => {
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
      }),
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
      part = this.load(name, this.head.versions[name[0] as "t" | "d" | "p"].slice(at, at + version_letters)).then(read);
      // Allows loading the part again after a failure.
      part.catch(() => this.parts.delete(name));
      this.parts.set(name, part);
    }
    return part;
  }

  private shard(number: number): Promise<TermShard> {
    return this.part(`t${number}`, (payload) => new TermShard(payload as string));
  }

  private async queryWordsOf(text: string, isTyping: boolean): Promise<QueryWord[]> {
    const all = [...tokens(text.slice(0, limits.query_chars), this.language)];
    const specific = all.filter(({ isStop }) => !isStop);
    const last = isTyping ? all.at(-1) : undefined;
    const unfinished = last && last.end === text.length && last.terms.length > 0 ? last : undefined;
    const words = specific.length || !all.length ? specific : all;
    const synonyms = synonymsOf(all, this.synonyms);
    const others = (token: Token) => synonyms.get(all.indexOf(token)) ?? [];
    const terms = new Map<string, { isUnfinished: boolean; isWord: boolean; others: readonly (readonly string[])[] }>();
    for (const token of words)
      for (const [place, term] of token.terms.entries())
        if (!terms.has(term))
          terms.set(term, {
            isUnfinished: false,
            isWord: token.terms.length === 1,
            others: place === token.terms.length - 1 ? others(token) : [],
          });
    if (unfinished) {
      const word = unfinished.terms.length === 1 ? text.slice(unfinished.start).toLowerCase() : unfinished.terms.at(-1)!;
      terms.delete(unfinished.terms.at(-1)!);
      terms.set(word, { isUnfinished: true, isWord: true, others: others(unfinished) });
    }
    const chosen = [...terms].slice(0, limits.queryTerms_count);
    const wanted = await Promise.all(
      chosen.map(async ([term, { isUnfinished, isWord, others }]) => {
        const lists = await this.synonymLists(others);
        if (isUnfinished) return this.withSynonyms(await this.completed(term), lists);
        const [exact] = lists.length ? await this.exact(term) : [];
        if (exact) return this.withSynonyms([exact], lists);
        return isWord ? this.findWord(term) : this.exact(term);
      }),
    );
    return wanted.flat();
  }

  /** Finds a word: exactly, or else as two joined words, or else with spelling correction. */
  private async findWord(term: string): Promise<QueryWord[]> {
    const [exact] = await this.exact(term);
    if (exact!.term.isKnown) return [exact!];
    const halves = await this.split(term);
    if (halves.length) return halves;
    const near = await this.near(term);
    if (near.length === 0) {
      // A doubled last letter hides the ending that the stemmer removes: `versionss`.
      const [single] = await this.exact(foldedStem(term.replace(/(.)\1$/, "$1"), this.language));
      return single!.term.isKnown ? [single!] : [exact!];
    }
    const lists = near.map(({ shard, place }) => ({ postings: shard.postings(place), factor: correctedFactor }));
    return [
      this.known(
        term,
        near.map((variant) => variant.term),
        lists,
      ),
    ];
  }

  private async exact(term: string): Promise<QueryWord[]> {
    const shard = await this.shard(this.shardOf(term));
    const place = shard.find(term);
    if (place >= 0) return [this.known(term, [], [{ postings: shard.postings(place), factor: 1 }])];
    return [{ term: { term, idf: inverseFrequency(this.head.passages_count, 0), isKnown: false, also: [] }, lists: [] }];
  }

  private async synonymLists(others: readonly (readonly string[])[]): Promise<(TermList & { name: string })[]> {
    if (others.length === 0) return [];
    const numbers = [...new Set(others.flatMap((terms) => terms.map((term) => this.shardOf(term))))];
    const shards = new Map(await Promise.all(numbers.map(async (number) => [number, await this.shard(number)] as const)));
    return others.flatMap((terms) => {
      const found = terms
        .map((term) => shards.get(this.shardOf(term))!)
        .map((shard, index) => ({ shard, place: shard.find(terms[index]!) }));
      if (found.some(({ place }) => place < 0)) return [];
      const common = found.map(({ shard, place }) => shard.postings(place)).reduce(inBoth);
      const idf = inverseFrequency(this.head.passages_count, common.passages.length);
      return common.passages.length ? [{ postings: common, factor: synonymFactor, idf, name: terms.join(" ") }] : [];
    });
  }

  private withSynonyms(wanted: readonly QueryWord[], synonyms: readonly (TermList & { name: string })[]): QueryWord[] {
    const [first, ...rest] = wanted;
    if (!first || synonyms.length === 0) return [...wanted];
    const { term, lists } = first;
    const idf = term.isKnown ? term.idf : Math.max(...synonyms.map((list) => list.idf!));
    const also = [...term.also, ...synonyms.flatMap(({ name }) => name.split(" "))];
    return [{ term: { ...term, idf, isKnown: true, also }, lists: [...lists, ...synonyms] }, ...rest];
  }

  /** Returns the numbers of the first passages of pages whose title or keyword is the query. A query of one word can be misspelled. */
  private async pagesNamed(text: string, [first]: readonly QueryWord[]): Promise<Set<number>> {
    const term = nameTerm(text, this.language);
    if (term === undefined) return new Set();
    const [exact] = await this.exact(term);
    const corrected = first?.lists[0]?.factor === correctedFactor ? first.term.also[0] : first?.term.term;
    const isMisspelled = !exact!.term.isKnown && term.endsWith("=") && corrected !== undefined;
    const [found] = isMisspelled ? await this.exact(`${corrected}=`) : [exact];
    return new Set(found!.lists[0]?.postings.passages);
  }

  private async split(term: string): Promise<QueryWord[]> {
    const shard = await this.shard(this.shardOf(term));
    for (let length = term.length - 3; length >= 3; length--) {
      if (shard.find(term.slice(0, length)) < 0) continue;
      const [first] = await this.exact(term.slice(0, length));
      const [second] = await this.exact(foldedStem(term.slice(length), this.language));
      if (second!.term.isKnown) return [first!, second!];
    }
    return [];
  }

  /** Finds an incomplete word: its stem, and the terms that start with the word. If there are none, tries `stemOf` and then `findWord`. */
  private async completed(prefix: string): Promise<QueryWord[]> {
    const [whole] = [...tokens(prefix, this.language)].flatMap(({ terms }) => terms);
    const [exact] = whole === undefined ? [] : await this.exact(whole);
    const first = this.shardOf(prefix);
    const variants: { term: string; shard: TermShard; place: number }[] = [];
    for (let number = first; number < Math.min(first + limits.shardsOfWord_count, this.shards_count); number++) {
      const shard = await this.shard(number);
      for (let place = shard.lowerBound(prefix); shard.terms[place]?.startsWith(prefix); place++)
        if (shard.terms[place] !== whole && !isNameTerm(shard.terms[place]!)) variants.push({ term: shard.terms[place]!, shard, place });
    }
    variants.sort((a, b) => b.shard.frequencies[b.place]! - a.shard.frequencies[a.place]!);
    const kept = variants.slice(0, limits.queryVariants_count);
    // If the index contains the word, it may already be complete.
    const share = completedFactor * (exact?.term.isKnown ? 0.5 : 1);
    const lists = kept.map(({ term, shard, place }) => ({
      postings: shard.postings(place),
      factor: share * (0.5 + 0.5 * (prefix.length / term.length)),
    }));
    if (!exact?.term.isKnown && lists.length === 0) return (await this.stemOf(prefix)) ?? this.findWord(whole ?? prefix);
    const own = exact?.term.isKnown ? exact.lists : [];
    return [this.known(prefix, [...(own.length ? [whole!] : []), ...kept.map(({ term }) => term)], [...own, ...lists])];
  }

  /** Finds an incomplete word that is longer than its stem: `waterin` matches `water`. Undefined if nothing matches. */
  private async stemOf(prefix: string): Promise<QueryWord[] | undefined> {
    for (let length = prefix.length - 1; length >= Math.max(3, prefix.length - limits.ending_chars); length--) {
      const term = prefix.slice(0, length);
      const shard = await this.shard(this.shardOf(term));
      const place = shard.find(term);
      if (place >= 0) return [this.known(prefix, [term], [{ postings: shard.postings(place), factor: completedFactor }])];
    }
    return undefined;
  }

  private known(term: string, also: readonly string[], lists: QueryWord["lists"]): QueryWord {
    const passages = lists.reduce((most, { postings }) => Math.max(most, postings.frequency), 0);
    return { term: { term, idf: inverseFrequency(this.head.passages_count, passages), isKnown: true, also }, lists };
  }

  /**
   * Finds up to three terms that are one edit away, the most frequent first. Empty for words with a digit or fewer than four characters. In
   * an index with more than eight shards, reads at most four, starting with the shard for the word's first two letters.
   */
  private async near(term: string): Promise<{ term: string; shard: TermShard; place: number }[]> {
    if (term.length < 4 || /\d/.test(term)) return [];
    const around = this.shardOf(term.slice(0, 2));
    const before = Math.max(this.shardOf(`${term.slice(0, 2)}\uffff`), this.shardOf(term)) + 1;
    const all = this.shards_count <= 8 ? [0, this.shards_count] : [around, Math.min(before, around + 4)];
    const found: { term: string; shard: TermShard; place: number }[] = [];
    for (let number = all[0]!; number < all[1]!; number++) {
      const shard = await this.shard(number);
      for (const [place, other] of shard.terms.entries())
        if (!isNameTerm(other) && isOneEditAway(term, other)) found.push({ term: other, shard, place });
    }
    return found.sort((a, b) => b.shard.frequencies[b.place]! - a.shard.frequencies[a.place]!).slice(0, 3);
  }

  private get shards_count(): number {
    return Math.max(1, this.head.terms.length);
  }

  private shardOf(term: string): number {
    const { terms } = this.head;
    let low = 0;
    let high = terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (terms[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Finds the best passage of each of the best sections, by score, boost and share of matching words. */
  private best(wanted: readonly QueryWord[], named: ReadonlySet<number>, count: number, filter: SearchFilter | undefined) {
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
        if (score > kept.least) kept.offer({ section: this.sectionOf[passage]!, passage, score, covered_idf: covered[passage]! });
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

  /** Returns a function that returns the boost of a passage's page, or 0 for a passage that the filter excludes. */
  private factorOf(filter: SearchFilter | undefined): (passage: number) => number {
    const isExcluded = this.exclusionOf(filter);
    const boosted = this.boostOf();
    return (passage) => (isExcluded(passage) ? 0 : boosted(passage));
  }

  private exclusionOf(filter: SearchFilter | undefined): (passage: number) => boolean {
    const others = (["version", "product"] as const).flatMap((kind) => {
      const name = filter?.[kind];
      if (name === undefined) return [];
      return Object.entries(this.head.filters[kind]).flatMap(([other, ranges]) => (other === name ? [] : [ranges]));
    });
    return (passage) => others.some((ranges) => isWithin(passage, ranges));
  }

  /** Returns the version and the product of a passage's page. */
  private divisionsOf(passage: number): SearchFilter {
    const divisions: SearchFilter = {};
    for (const kind of ["version", "product"] as const)
      for (const [name, ranges] of Object.entries(this.head.filters[kind])) if (isWithin(passage, ranges)) divisions[kind] = name;
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
      if (section < first + page[4].length) return { page, pageNumber: number * pagesOfRecords + index, ordinal: section - first };
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

/** Returns the intersection of two postings, with the lower of the two scores for each passage. */
function inBoth(one: Postings, other: Postings): Postings {
  const passages: number[] = [];
  const steps: number[] = [];
  for (let left = 0, right = 0; left < one.passages.length && right < other.passages.length; ) {
    const difference = one.passages[left]! - other.passages[right]!;
    if (difference === 0) {
      passages.push(one.passages[left]!);
      steps.push(Math.min(one.steps[left]!, other.steps[right]!));
    }
    if (difference <= 0) left++;
    if (difference >= 0) right++;
  }
  return { passages: Uint32Array.from(passages), steps: Uint8Array.from(steps), frequency: passages.length };
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
