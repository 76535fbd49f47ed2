/** Compares texts with the terms of a question. */

import type { QueryTerm } from "../search/search-hit.ts";
import { tokens } from "../search/terms.ts";

export interface TermMatches {
  /** Terms of the question that the text contains, directly or in another form, such as a synonym. */
  terms: ReadonlySet<string>;
  /** Number of words, excluding stop words that aren't in the question. */
  words: number;
  /** Number of words that match. */
  matched: number;
}

export class QuestionTerms {
  readonly language: string;
  /** Terms of the question, by each form that counts as the term, such as a synonym. */
  private readonly forms = new Map<string, string>();
  private readonly idfs = new Map<string, number>();
  private readonly total: number;

  constructor(terms: readonly QueryTerm[], language: string) {
    this.language = language;
    for (const { term, also, idf } of terms) {
      this.idfs.set(term, idf);
      for (const form of [...also, term]) this.forms.set(form, term);
    }
    this.total = terms.reduce((sum, { idf }) => sum + idf, 0) || 1;
  }

  matchesIn(text: string): TermMatches {
    const matches = new Set<string>();
    let words = 0;
    let matched = 0;
    for (const { terms, isStop } of tokens(text, this.language)) {
      const found = terms.flatMap((term) => this.forms.get(term) ?? []);
      if (found.length || !isStop) words++;
      if (found.length) matched++;
      for (const term of found) matches.add(term);
    }
    return { terms: matches, words, matched };
  }

  /** Returns the share of the question's total idf that the given terms have, from 0 to 1. */
  share(terms: ReadonlySet<string>): number {
    return Math.min(1, [...terms].reduce((sum, term) => sum + this.idfs.get(term)!, 0) / this.total);
  }
}
