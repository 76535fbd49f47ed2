/**
 * Checks the citations of a generated answer: compares each sentence with the sections that it cites, by
 * their common words and numbers. The words of short sentences, and of sentences whose language isn't
 * detected as the documentation's, aren't compared.
 */

import { detectLanguage } from "../search/detect-language.ts";
import { shortLanguage, termsOf } from "../search/terms.ts";
import { numbersInSection, numbersInSentence } from "./numbers.ts";
import type { Retrieved, RetrievedSection } from "./retrieved.ts";

/** Minimum share of a sentence's terms that a cited section must contain. */
const citedShare = 0.3;
/**
 * Minimum share of a sentence's terms that some section must contain for the sentence to need no citation.
 */
const uncitedShare = 0.6;
/** Minimum number of terms in a sentence. Shorter sentences aren't compared. */
const sentenceTerms_count = 3;

interface SectionContent {
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

export class CitationSupport {
  private readonly sections: readonly Pick<RetrievedSection, "title" | "text">[];
  private readonly language: string;
  private readonly asked: ReadonlySet<string>;
  private readonly contents = new Map<number, SectionContent>();

  /** `question`: numbers in it aren't compared, because an answer can repeat them. */
  constructor(
    {
      sections,
      language,
    }: { sections: readonly Pick<RetrievedSection, "title" | "text">[] } & Pick<Retrieved, "language">,
    question: string,
  ) {
    this.sections = sections;
    this.language = shortLanguage(language);
    this.asked = numbersInSection(question, this.language);
  }

  /**
   * Whether the section with this number, starting at 1, supports the sentence. Also true if there is nothing
   * to compare. If no section contains a number of the sentence, no section supports the sentence.
   */
  supports(section: number, sentence: string): boolean {
    const numbers = this.numbersOf(sentence);
    if (
      !this.areKnown(numbers) ||
      (numbers.length > 0 && !numbers.some((number) => this.contentOf(section).numbers.has(number)))
    )
      return false;
    const terms = this.comparableTerms(sentence);
    return terms === undefined || this.share(section, terms) >= citedShare;
  }

  /**
   * Whether a sentence without a citation makes a claim that no section supports. False for headings, table
   * rows, questions, sentences that end with a colon, and sentences without anything to compare.
   */
  isUnsourced(sentence: string): boolean {
    if (/^\s*(?:#|\|)|[?:]\W*$/.test(sentence)) return false;
    if (!this.areKnown(this.numbersOf(sentence))) return true;
    const terms = this.comparableTerms(sentence);
    return (
      terms !== undefined && this.sections.every((_, index) => this.share(index + 1, terms) < uncitedShare)
    );
  }

  private numbersOf(sentence: string): string[] {
    return numbersInSentence(sentence, this.language).filter((number) => !this.asked.has(number));
  }

  private areKnown(numbers: readonly string[]): boolean {
    return numbers.every((number) =>
      this.sections.some((_, index) => this.contentOf(index + 1).numbers.has(number)),
    );
  }

  private comparableTerms(sentence: string): string[] | undefined {
    const terms = termsOf(sentence, this.language);
    return terms.length >= sentenceTerms_count && detectLanguage(sentence) === this.language
      ? terms
      : undefined;
  }

  private share(section: number, terms: readonly string[]): number {
    const known = this.contentOf(section).terms;
    return terms.filter((term) => known.has(term)).length / terms.length;
  }

  private contentOf(section: number): SectionContent {
    let content = this.contents.get(section);
    if (!content) {
      const { title, text } = this.sections[section - 1]!;
      const all = `${title}\n${text}`;
      content = {
        terms: new Set(termsOf(all, this.language)),
        numbers: numbersInSection(all, this.language),
      };
      this.contents.set(section, content);
    }
    return content;
  }
}
