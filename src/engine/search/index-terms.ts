/** Numbers the terms of an index, and memoizes the terms of its words. */

import { limits } from "../../base/limits.ts";
import { shortLanguage, tokens, wordsIn } from "./terms.ts";

interface IndexedWord {
  /** Numbers of the word's terms. */
  terms: number[];
  /** Number of tokens without stop words. In scripts without spaces, a word consists of many tokens. */
  length: number;
}

/** The numbered terms of an index. All segments of the index use the same instance, so that most words are read only once. */
export class IndexTerms {
  readonly language: string;
  /** The terms by number. */
  readonly terms: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** Memoized words: one map for titles and headings, and one for other text, in which stop words have no terms. */
  private readonly words = new Map<string, IndexedWord>();
  private readonly contentWords = new Map<string, IndexedWord>();

  constructor(language: string) {
    this.language = shortLanguage(language);
  }

  /** The number of a term. Adds the term if it is new. */
  numberOf(term: string): number {
    let number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, (number = this.terms.length));
      this.terms.push(term);
    }
    return number;
  }

  /** The numbers of the terms in a text. Stop words only count in titles and headings. */
  termsIn(text: string, withStops: boolean): { terms: number[]; length: number } {
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
}
