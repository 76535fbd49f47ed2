/**
 * Checks the citations of a generated answer: compares each sentence with the sections that it cites, by their common words. Citations are
 * accepted in short sentences, and in sentences whose language isn't detected as the documentation's, since these can't be compared.
 */

import { detectLanguage } from "../search/detect-language.ts";
import { shortLanguage, termsOf } from "../search/terms.ts";
import type { RetrievedSection } from "./retrieved.ts";

/** Minimum share of a sentence's terms that a cited section must contain. */
const citedShare = 0.3;
/** Minimum share of a sentence's terms that some section must contain for the sentence to need no citation. */
const uncitedShare = 0.6;
/** Minimum number of terms in a sentence. Shorter sentences aren't compared. */
const sentenceTerms_count = 3;

export class CitationSupport {
  private readonly sections: readonly Pick<RetrievedSection, "title" | "text">[];
  private readonly language: string;
  private readonly termsOfSections = new Map<number, ReadonlySet<string>>();

  constructor(sections: readonly Pick<RetrievedSection, "title" | "text">[], language: string) {
    this.sections = sections;
    this.language = shortLanguage(language);
  }

  /**
   * Whether the section with this number supports the sentence. Also true if the sentence can't be compared. Section numbers start at 1.
   */
  supports(number: number, sentence: string): boolean {
    const terms = this.comparableTerms(sentence);
    return terms === undefined || this.share(number, terms) >= citedShare;
  }

  /**
   * Whether a sentence without a citation makes a claim that no section supports. False for headings, table rows, questions, sentences that
   * end with a colon, and sentences that can't be compared.
   */
  isUnsourced(sentence: string): boolean {
    if (/^\s*(?:#|\|)|[?:]\W*$/.test(sentence)) return false;
    const terms = this.comparableTerms(sentence);
    return terms !== undefined && this.sections.every((_, index) => this.share(index + 1, terms) < uncitedShare);
  }

  private comparableTerms(sentence: string): string[] | undefined {
    const terms = termsOf(sentence, this.language);
    return terms.length >= sentenceTerms_count && detectLanguage(sentence) === this.language ? terms : undefined;
  }

  private share(number: number, terms: readonly string[]): number {
    let known = this.termsOfSections.get(number);
    if (!known) {
      const { title, text } = this.sections[number - 1]!;
      known = new Set(termsOf(`${title}\n${text}`, this.language));
      this.termsOfSections.set(number, known);
    }
    return terms.filter((term) => known.has(term)).length / terms.length;
  }
}
