/** Finds the words of a query in an index: exactly, completed, corrected, divided, and by their synonyms. */

import {
  correctedWords_count,
  ending_chars,
  query_chars,
  queryTerms_count,
  queryVariants_count,
  shardsOfWord_count,
} from "../../base/search-limits.ts";
import { Dictionary, type FoundTerm } from "./dictionary.ts";
import type { Head } from "./index-format.ts";
import { inverseFrequency } from "./scoring.ts";
import type { QueryTerm } from "./search-hit.ts";
import { correctionsOf } from "./spelling.ts";
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

/** Whether a word is corrected, and whether the correction can start with another letter. */
type Reach = "none" | "near" | "far";

/** A word as typed, by its term. */
interface TypedWord {
  word: string;
  isUnfinished: boolean;
  /** Whether the word has no other terms. */
  isWord: boolean;
  isStop: boolean;
  /** Its synonyms, each as its terms. */
  others: readonly (readonly string[])[];
}

export class QueryWords {
  private readonly head: Head;
  private readonly dictionary: Dictionary;
  private readonly synonyms: SynonymTable;

  /** `readShard`: loads a shard of the terms. */
  constructor(head: Head, readShard: (number: number) => Promise<TermShard>) {
    this.head = head;
    this.dictionary = new Dictionary(head.terms, readShard);
    this.synonyms = synonymTable(head.language, head.aliases);
  }

  /** Returns the words of a query. `isTyping`: whether its last word may be incomplete. */
  async of(text: string, isTyping: boolean): Promise<QueryWord[]> {
    const all = [...tokens(text.slice(0, query_chars), this.head.language)];
    const specific = all.filter(({ isStop }) => !isStop);
    const last = isTyping ? all.at(-1) : undefined;
    const unfinished = last && last.end === text.length && last.terms.length > 0 ? last : undefined;
    const words = specific.length || !all.length ? specific : all;
    const synonyms = synonymsOf(all, this.synonyms);
    const others = (token: Token) => synonyms.get(all.indexOf(token)) ?? [];
    const terms = new Map<string, TypedWord>();

    for (const token of words)
      for (const [place, term] of token.terms.entries())
        if (!terms.has(term))
          terms.set(term, {
            word: text.slice(token.start, token.end).toLowerCase(),
            isUnfinished: false,
            isWord: token.terms.length === 1,
            isStop: token.isStop,
            others: place === token.terms.length - 1 ? others(token) : [],
          });

    if (unfinished) {
      const word =
        unfinished.terms.length === 1 ? text.slice(unfinished.start).toLowerCase() : unfinished.terms.at(-1)!;
      terms.delete(unfinished.terms.at(-1)!);
      const { isStop } = unfinished;
      terms.set(word, { word, isUnfinished: true, isWord: true, isStop, others: others(unfinished) });
    }

    const chosen = [...terms].slice(0, queryTerms_count);
    const wanted = await Promise.all(
      chosen.map(async ([term, typed], index) => {
        const { word, isUnfinished, isWord, others } = typed;
        const lists = await this.synonymLists(others);
        const reach = reachOf(typed, index);
        if (isUnfinished) return this.withSynonyms(await this.completed(term, reach), lists);
        const [exact] = lists.length ? await this.exact(term) : [];
        if (exact) return this.withSynonyms([exact], lists);
        return isWord ? this.findWord(term, word, reach) : this.exact(term);
      }),
    );

    return wanted.flat();
  }

  /** Finds a word: exactly, or else as two joined words, or else with spelling correction. */
  private async findWord(term: string, word: string, reach: Reach): Promise<QueryWord[]> {
    const [exact] = await this.exact(term);
    if (exact!.term.isKnown) return [exact!];
    const halves = await this.split(term);
    if (halves.length) return halves;

    const near = await this.corrected(word, reach);
    if (near.length === 0) return [exact!];

    const lists = near.map((found) => ({ postings: postingsOf(found), factor: correctedFactor }));
    const names = near.map(({ term }) => term);
    return [this.known(term, names, lists)];
  }

  /** Finds a term. The result has one word, which is unknown if the index doesn't contain the term. */
  private async exact(term: string): Promise<QueryWord[]> {
    const found = await this.dictionary.find(term);
    if (found) return [this.known(term, [], [{ postings: postingsOf(found), factor: 1 }])];
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
    const found = await this.dictionary.findAll(new Set(others.flat()));
    const byTerm = new Map(found.map((one) => [one.term, one]));

    return others.flatMap((terms) => {
      const parts = terms.map((term) => byTerm.get(term));
      if (parts.includes(undefined)) return [];
      const common = parts.map((part) => postingsOf(part!)).reduce(inBoth);
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
    const shard = await this.dictionary.shard(this.dictionary.shardOf(term));
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
  private async completed(prefix: string, reach: Reach): Promise<QueryWord[]> {
    const [whole] = [...tokens(prefix, this.head.language)].flatMap(({ terms }) => terms);
    const [exact] = whole === undefined ? [] : await this.exact(whole);
    const first = this.dictionary.shardOf(prefix);
    const end = Math.min(first + shardsOfWord_count, this.dictionary.shards_count);
    const variants: FoundTerm[] = [];
    for (let number = first; number < end; number++) {
      const shard = await this.dictionary.shard(number);
      for (let place = shard.lowerBound(prefix); shard.terms[place]?.startsWith(prefix); place++)
        if (shard.terms[place] !== whole && !isNameTerm(shard.terms[place]!))
          variants.push({ term: shard.terms[place]!, shard, place });
    }

    variants.sort((a, b) => b.shard.frequencies[b.place]! - a.shard.frequencies[a.place]!);
    const kept = variants.slice(0, queryVariants_count);

    // If the index contains the word, it may already be complete.
    const share = completedFactor * (exact?.term.isKnown ? 0.5 : 1);
    const lists = kept.map((found) => ({
      postings: postingsOf(found),
      factor: share * (0.5 + 0.5 * (prefix.length / found.term.length)),
    }));

    if (!exact?.term.isKnown && lists.length === 0) {
      const found = await this.stemOf(prefix);
      const near = found ? await this.corrected(prefix, reach === "far" ? "near" : reach) : [];
      const isStem = near.length === 0 || near.some(({ term }) => term === found?.term.also[0]);
      return found && isStem ? [found] : this.findWord(whole ?? prefix, prefix, reach);
    }
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
  private async stemOf(prefix: string): Promise<QueryWord | undefined> {
    const least = Math.max(3, prefix.length - ending_chars);
    for (let length = prefix.length - 1; length >= least; length--) {
      const term = prefix.slice(0, length);
      const found = await this.dictionary.find(term);
      if (found)
        return this.known(prefix, [term], [{ postings: postingsOf(found), factor: completedFactor }]);
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

  private corrected(word: string, reach: Reach): Promise<FoundTerm[]> | FoundTerm[] {
    return reach === "none" ? [] : correctionsOf(word, this.dictionary, this.head.language, reach === "far");
  }
}

/** `index`: number of words before the word. */
function reachOf({ isStop, isUnfinished }: TypedWord, index: number): Reach {
  if (isStop || index >= correctedWords_count) return "none";
  // A word that the reader is still typing isn't worth loading many shards if there are other words.
  return isUnfinished && index > 0 ? "near" : "far";
}

function postingsOf({ shard, place }: FoundTerm): Postings {
  return shard.postings(place);
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
