/** Query and results of the search. */

export interface SearchQuery {
  text: string;
  /** Maximum number of sections. */
  limit: number;
  /** The last word may be incomplete, because the reader is typing. */
  isTyping?: boolean;
  filter?: SearchFilter;
}

/** Labels of the navigation. Pages without a version match every version; the same for products. */
export interface SearchFilter {
  version?: string;
  product?: string;
}

/** A matching section: the text below one heading of a page, or at its start. */
export interface SearchHit {
  /** Of the page, without a leading slash; empty for the home page. */
  route: string;
  /** Id of the heading; empty at the beginning of the page. */
  anchor: string;
  /** Of the page. */
  title: string;
  /** From the page's outermost heading to the section's own. */
  headings: readonly string[];
  /** Divisions and groups of the navigation that contain the page, outermost first. */
  breadcrumbs: readonly string[];
  /** The topic of the page: its outermost group, else its innermost division. */
  group?: string;
  /** Of an operation's page: `GET`. */
  method?: string;
  /** Comparable between the indexes of one site. */
  score: number;
  /** 0 to 1: share of the maximum score of a passage for this query. */
  strength: number;
  /** 0 to 1: share of the query's idf that the best passage contains. */
  coverage: number;
  /** The best passage of the section, by its number in the index. */
  passage: number;
}

export interface SearchOutcome {
  /** Best first, one for each section. */
  hits: SearchHit[];
  /** Terms of the query, for marking words and for the confidence. */
  terms: QueryTerm[];
}

export interface QueryTerm {
  /** The form in the index. */
  term: string;
  /** Inverse document frequency; the maximum for unknown terms. */
  idf: number;
  isKnown: boolean;
  /** Terms that were searched instead, for an incomplete or misspelled word or as synonyms. */
  also: readonly string[];
}

/** A part of a section, the unit of search and quotation: Markdown of about 600 characters. */
export interface Passage {
  number: number;
  text: string;
}

/** A piece of text, and whether it matches the query. */
export interface MarkedText {
  text: string;
  isMatch: boolean;
}
