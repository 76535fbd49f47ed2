/** Finds the words of a query in an index: exactly, completed, corrected, divided, and by their synonyms. */

import { limits } from "../../base/limits.ts";
import { isOneEditAway } from "./edit-distance.ts";
import type { Head } from "./index-format.ts";
import { inverseFrequency } from "./scoring.ts";
import type { QueryTerm } from "./search-hit.ts";
import { type SynonymTable, synonymsOf, synonymTable } from "./synonyms.ts";
import type { Postings, TermShard } from "./term-shard.ts";
import { foldedStem, isNameTerm, nameTerm, type Token, tokens } from "./terms.ts";

/** A word of the query, with the postings of its term, of terms that replace it, and of synonyms. */
export interface QueryWord {
  term: QueryTerm;
  lists: TermList[];
}

interface TermList {
  postings: Postings;
  factor: number;
  /** Upper bound of the word's idf for these postings. A frequent synonym of a rare word isn't specific. */
  idf?: number;
}

/**
 * Factors for the scores of terms that differ from the typed word: completions, spelling corrections and
 * synonyms.
 */
const completedFactor = 0.8;
const correctedFactor = 0.7;
const synonymFactor = 0.7;
export class QueryWords {
  private readonly head: Head;
  private readonly readShard: (number: number) => Promise<TermShard>;
  private readonly synonyms: SynonymTable;

  /** `readShard`: loads a shard of the terms. */
  constructor(head: Head, readShard: (number: number) => Promise<TermShard>) {
    this.head = head;
    this.readShard = readShard;
    this.synonyms = synonymTable(head.language, head.aliases);
  }

  /** Returns the words of a query. `isTyping`: whether its last word may be incomplete. */
  async of(text: string, isTyping: boolean): Promise<QueryWord[]> {
    const all = [...tokens(text.slice(0, limits.query_chars), this.head.language)];
    const specific = all.filter(({ isStop }) => !isStop);
    const last = isTyping ? all.at(-1) : undefined;
    const unfinished = last && last.end === text.length && last.terms.length > 0 ? last : undefined;
    const words = specific.length || !all.length ? specific : all;
    const synonyms = synonymsOf(all, this.synonyms);
    const others = (token: Token) => synonyms.get(all.indexOf(token)) ?? [];
    const terms = new Map<
      string,
      { isUnfinished: boolean; isWord: boolean; others: readonly (readonly string[])[] }
    >();

    for (const token of words)
      for (const [place, term] of token.terms.entries())
        if (!terms.has(term))
          terms.set(term, {
            isUnfinished: false,
            isWord: token.terms.length === 1,
            others: place === token.terms.length - 1 ? others(token) : [],
          });

    if (unfinished) {
      const word =
        unfinished.terms.length === 1 ? text.slice(unfinished.start).toLowerCase() : unfinished.terms.at(-1)!;
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
      // A mistake in the ending hides it from the stemmer.
      for (const word of editsOfEnding(term)) {
        const [edited] = await this.exact(foldedStem(word, this.head.language));
        if (edited!.term.isKnown) return [edited!];
      }
      return [exact!];
    }

    const lists = near.map(({ shard, place }) => ({
      postings: shard.postings(place),
      factor: correctedFactor,
    }));

    return [
      this.known(
        term,
        near.map((variant) => variant.term),
        lists,
      ),
    ];
  }

  /** Finds a term. The result has one word, which is unknown if the index doesn't contain the term. */
  private async exact(term: string): Promise<QueryWord[]> {
    const shard = await this.readShard(this.shardOf(term));
    const place = shard.find(term);
    if (place >= 0) return [this.known(term, [], [{ postings: shard.postings(place), factor: 1 }])];
    return [
      {
        term: { term, idf: inverseFrequency(this.head.passages_count, 0), isKnown: false, also: [] },
        lists: [],
      },
    ];
  }

  private async synonymLists(
    others: readonly (readonly string[])[],
  ): Promise<(TermList & { name: string })[]> {
    if (others.length === 0) return [];
    const numbers = [...new Set(others.flatMap((terms) => terms.map((term) => this.shardOf(term))))];
    const shards = new Map(
      await Promise.all(numbers.map(async (number) => [number, await this.readShard(number)] as const)),
    );

    return others.flatMap((terms) => {
      const found = terms
        .map((term) => shards.get(this.shardOf(term))!)
        .map((shard, index) => ({ shard, place: shard.find(terms[index]!) }));
      if (found.some(({ place }) => place < 0)) return [];
      const common = found.map(({ shard, place }) => shard.postings(place)).reduce(inBoth);
      const idf = inverseFrequency(this.head.passages_count, common.passages.length);
      return common.passages.length
        ? [{ postings: common, factor: synonymFactor, idf, name: terms.join(" ") }]
        : [];
    });
  }

  /** Adds the passages of synonyms to the first word. A synonym makes an unknown word known. */
  private withSynonyms(
    wanted: readonly QueryWord[],
    synonyms: readonly (TermList & { name: string })[],
  ): QueryWord[] {
    const [first, ...rest] = wanted;
    if (!first || synonyms.length === 0) return [...wanted];
    const { term, lists } = first;
    const idf = term.isKnown ? term.idf : Math.max(...synonyms.map((list) => list.idf!));
    const also = [...term.also, ...synonyms.flatMap(({ name }) => name.split(" "))];
    return [{ term: { ...term, idf, isKnown: true, also }, lists: [...lists, ...synonyms] }, ...rest];
  }

  /**
   * Returns the numbers of the first passages of pages whose title or keyword is the query. A query of one
   * word can be misspelled.
   */
  async pagesNamed(text: string, [first]: readonly QueryWord[]): Promise<Set<number>> {
    const term = nameTerm(text, this.head.language);
    if (term === undefined) return new Set();
    const [exact] = await this.exact(term);
    const corrected = first?.lists[0]?.factor === correctedFactor ? first.term.also[0] : first?.term.term;
    const isMisspelled = !exact!.term.isKnown && term.endsWith("=") && corrected !== undefined;
    const [found] = isMisspelled ? await this.exact(`${corrected}=`) : [exact];
    return new Set(found!.lists[0]?.postings.passages);
  }

  /**
   * Finds two terms that form a word together: `webhook` and `url` for `webhookurl`. Empty if there are none.
   */
  private async split(term: string): Promise<QueryWord[]> {
    const shard = await this.readShard(this.shardOf(term));
    for (let length = term.length - 3; length >= 3; length--) {
      if (shard.find(term.slice(0, length)) < 0) continue;
      const [first] = await this.exact(term.slice(0, length));
      const [second] = await this.exact(foldedStem(term.slice(length), this.head.language));
      if (second!.term.isKnown) return [first!, second!];
    }
    return [];
  }

  /**
   * Finds an incomplete word: its stem, and the terms that start with the word. If there are none, tries
   * `stemOf` and then `findWord`.
   */
  private async completed(prefix: string): Promise<QueryWord[]> {
    const [whole] = [...tokens(prefix, this.head.language)].flatMap(({ terms }) => terms);
    const [exact] = whole === undefined ? [] : await this.exact(whole);
    const first = this.shardOf(prefix);
    const variants: { term: string; shard: TermShard; place: number }[] = [];
    for (
      let number = first;
      number < Math.min(first + limits.shardsOfWord_count, this.shards_count);
      number++
    ) {
      const shard = await this.readShard(number);
      for (let place = shard.lowerBound(prefix); shard.terms[place]?.startsWith(prefix); place++)
        if (shard.terms[place] !== whole && !isNameTerm(shard.terms[place]!))
          variants.push({ term: shard.terms[place]!, shard, place });
    }

    variants.sort((a, b) => b.shard.frequencies[b.place]! - a.shard.frequencies[a.place]!);
    const kept = variants.slice(0, limits.queryVariants_count);

    // If the index contains the word, it may already be complete.
    const share = completedFactor * (exact?.term.isKnown ? 0.5 : 1);
    const lists = kept.map(({ term, shard, place }) => ({
      postings: shard.postings(place),
      factor: share * (0.5 + 0.5 * (prefix.length / term.length)),
    }));

    if (!exact?.term.isKnown && lists.length === 0)
      return (await this.stemOf(prefix)) ?? this.findWord(whole ?? prefix);
    const own = exact?.term.isKnown ? exact.lists : [];
    return [
      this.known(
        prefix,
        [...(own.length ? [whole!] : []), ...kept.map(({ term }) => term)],
        [...own, ...lists],
      ),
    ];
  }

  /**
   * Finds an incomplete word that is longer than its stem: `waterin` matches `water`. Undefined if nothing
   * matches.
   */
  private async stemOf(prefix: string): Promise<QueryWord[] | undefined> {
    for (
      let length = prefix.length - 1;
      length >= Math.max(3, prefix.length - limits.ending_chars);
      length--
    ) {
      const term = prefix.slice(0, length);
      const shard = await this.readShard(this.shardOf(term));
      const place = shard.find(term);
      if (place >= 0)
        return [this.known(prefix, [term], [{ postings: shard.postings(place), factor: completedFactor }])];
    }
    return undefined;
  }

  private known(term: string, also: readonly string[], lists: QueryWord["lists"]): QueryWord {
    const passages = lists.reduce((most, { postings }) => Math.max(most, postings.frequency), 0);
    return {
      term: { term, idf: inverseFrequency(this.head.passages_count, passages), isKnown: true, also },
      lists,
    };
  }

  /**
   * Finds up to three terms that are one edit away, the most frequent first. Empty for words with a digit or
   * fewer than four characters. In an index with more than eight shards, reads at most four, starting with
   * the shard for the word's first two letters.
   */
  private async near(term: string): Promise<{ term: string; shard: TermShard; place: number }[]> {
    if (term.length < 4 || /\d/.test(term)) return [];
    const around = this.shardOf(term.slice(0, 2));
    const before = Math.max(this.shardOf(`${term.slice(0, 2)}\uffff`), this.shardOf(term)) + 1;
    const all = this.shards_count <= 8 ? [0, this.shards_count] : [around, Math.min(before, around + 4)];
    const found: { term: string; shard: TermShard; place: number }[] = [];
    for (let number = all[0]!; number < all[1]!; number++) {
      const shard = await this.readShard(number);
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
}

/**
 * The words from which a long word differs by an added character, or by two swapped ones, after its first
 * four: `versionss`, `navigatoin`.
 */
function editsOfEnding(word: string): string[] {
  if (word.length < 6 || word.length > 24 || /\d/.test(word)) return [];
  // The stemmer may already have removed the added character: `appearancee`.
  const edits = [word];
  for (let at = word.length - 1; at >= 4; at--) {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    edits.push(before + after, before.slice(0, -1) + word[at] + before.at(-1) + after);
  }
  return edits;
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
