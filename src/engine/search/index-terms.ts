/** Numbers the terms of an index, and memoizes the terms of its words. */

import { limits } from "../../base/limits.ts";
import { shortLanguage, tokensOfWord, wordsIn } from "./terms.ts";

export interface TextTerms {
  /** Numbers of the terms in a word or text, in order of occurrence. Excludes terms that are too long. */
  terms: readonly number[];
  /** Number of tokens, excluding stop words. In scripts without spaces, a word consists of many tokens. */
  length: number;
}

export interface PassageTerms {
  body: TextTerms;
  /** Numbers of the terms in names that the passage describes. */
  defined: readonly number[];
}

/**
 * The numbered terms of an index. All segments of the index use the same instance, so that most words are
 * read only once.
 */
export class IndexTerms {
  readonly language: string;
  /** The terms by number. */
  readonly terms: string[] = [];
  private readonly numbers = new Map<string, number>();
  /**
   * Memoized words of titles and headings. `contentWords`: memoized words of other text, in which stop words
   * have no terms.
   */
  private readonly words = new Map<string, TextTerms>();
  private readonly contentWords = new Map<string, TextTerms>();
  /** Memoized terms of passages with fields or code, and of lines that describe fields. */
  readonly passages = new Map<string, PassageTerms>();
  readonly lines = new Map<string, PassageTerms>();

  constructor(language: string) {
    this.language = shortLanguage(language);
  }

  /** Returns the number of a term. Adds the term if it is new. */
  numberOf(term: string): number {
    let number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, (number = this.terms.length));
      this.terms.push(term);
    }
    return number;
  }

  /**
   * Returns the numbers of the terms in a text. `withStops`: whether to include the terms of stop words, as
   * in titles and headings.
   */
  termsIn(text: string, withStops: boolean): TextTerms {
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

  private readWord(name: string, withStops: boolean, known: Map<string, TextTerms>): TextTerms {
    const numbers: number[] = [];
    let length = 0;
    for (const { terms, bare, isStop } of tokensOfWord(name, 0, this.language)) {
      if (isStop && !withStops) continue;
      if (!isStop) length++;
      for (const term of bare === undefined ? terms : [...terms, bare])
        if (term.length <= limits.searchTerm_chars) numbers.push(this.numberOf(term));
    }
    const word = { terms: numbers, length };
    if (known.size >= limits.knownWords_count) known.clear();
    if (name.length <= limits.searchTerm_chars) known.set(name, word);
    return word;
  }
}
