/** Types of the search: query, filter, results and their passages. */

export interface SearchQuery {
  text: string;
  /** Maximum number of sections to find. */
  limit: number;
  /** Whether the last word may be incomplete, because the reader is typing. */
  isTyping?: boolean;
  filter?: SearchFilter;
  /** Passages of the index that are similar to the text. */
  similar?: SimilarPassages | undefined;
}

/** A section that was found, with its best passage. */
export interface Candidate {
  /** Number of the section in the index. */
  section: number;
  /** Number of its best passage in the index. */
  passage: number;
  score: number;
  /** Sum of the inverse document frequencies of the query's terms that the passage contains. */
  covered_idf: number;
}

/** The passages of an index that are similar to a question (`meaning.ts`). */
export interface SimilarPassages {
  /**
   * Adds the similarities to the scores of sections, and adds similar sections that don't contain the words.
   * Returns all, the best first. `factorOf` returns the factor of a passage, which is 0 for excluded
   * passages.
   */
  addTo(
    candidates: readonly Candidate[],
    sectionOf: Uint32Array,
    factorOf: (passage: number) => number,
  ): Candidate[];
}

/**
 * Limits the search to a version and a product, by their labels in the navigation. Pages without a version
 * match every version, and pages without a product match every product.
 */
export interface SearchFilter {
  version?: string;
  product?: string;
}

/** A matching section: the text below one heading of a page, or at the start of the page. */
export interface SearchHit {
  /** Path of the page, without a leading slash. Empty for the home page. */
  route: string;
  /** ID of the section's heading or block. Empty for the beginning of the page. */
  anchor: string;
  /** Title of the page. */
  title: string;
  /** Headings from the outermost one on the page to the section's own heading. */
  headings: readonly string[];
  /**
   * Names of the navigation divisions that contain the page, outermost first. Excludes versions and
   * languages.
   */
  breadcrumbs: readonly string[];
  /** The topic of the page: its outermost group, or else its innermost division. */
  group?: string;
  /** HTTP method of an operation's page, or `WEBHOOK`. Absent for other pages. */
  method?: string;
  /**
   * The version and the product of the page, by their labels in the navigation. Absent if the page has none.
   */
  version?: string;
  product?: string;
  /** Whether the section starts with the description of the page. */
  isDescribed: boolean;
  /** Score of the section after `ranked` has adjusted it. */
  score: number;
  /**
   * Score before `ranked` adjusts it, from 0 to 1, relative to the highest possible score of a passage that
   * matches only in its body. Higher scores count as 1.
   */
  strength: number;
  /** Share of the query's idf that the best passage contains, from 0 to 1. */
  coverage: number;
  /** Number of the section's best passage in the index. */
  passage: number;
}

export interface SearchOutcome {
  /** One hit per section, the best one first. */
  hits: SearchHit[];
  /** Terms of the query, for highlighting words and computing the confidence. */
  terms: QueryTerm[];
}

export interface QueryTerm {
  /** The term as stored in the index, or the start of an incomplete word. */
  term: string;
  /** Inverse document frequency. Unknown terms have the maximum value. */
  idf: number;
  isKnown: boolean;
  /** Additional terms that were searched, such as completions, spelling corrections and synonyms. */
  also: readonly string[];
}

/** A part of a section, the unit of search and quotation, in Markdown. */
export interface Passage {
  number: number;
  text: string;
}

/** A piece of text, and whether it matches the query. */
export interface MarkedText {
  text: string;
  isMatch: boolean;
}
