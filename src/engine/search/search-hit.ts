/** What is asked of the search, and what it finds. */

export interface SearchQuery {
  text: string;
  /** Sections at most. */
  limit: number;
  /** The last word may go on: somebody is typing. */
  isTyping?: boolean;
  filter?: SearchFilter;
}

/** Names as the navigation has them. A page that belongs to no version is part of every version, and so on. */
export interface SearchFilter {
  version?: string;
  product?: string;
}

/** A section that was found: what stands below one heading of a page, or at its beginning. */
export interface SearchHit {
  /** Of the page, without a leading slash; empty for the home page. */
  route: string;
  /** Id of the heading; empty at the beginning of the page. */
  anchor: string;
  /** Of the page. */
  title: string;
  /** From the page's outermost heading to the section's own. */
  headings: readonly string[];
  /** Divisions and groups of the navigation that hold the page, outermost first. */
  breadcrumbs: readonly string[];
  /** The theme of the page: the outermost group that holds it, else what holds it most closely. */
  group?: string;
  /** Of an operation's page: `GET`. */
  method?: string;
  /** Comparable between the indexes of one site. */
  score: number;
  /** 0 to 1: of the highest that a passage could score for these words. */
  strength: number;
  /** 0 to 1: how much of what the words tell (their idf) the best passage holds. */
  coverage: number;
  /** The best passage of the section, by its number in the index. */
  passage: number;
}

export interface SearchOutcome {
  /** Best first, one for each section. */
  hits: SearchHit[];
  /** What was looked for, as the index knows it: for marking words and for judging what was found. */
  terms: QueryTerm[];
}

export interface QueryTerm {
  /** As it stands in the index. */
  term: string;
  /** How much the term tells, by how few passages have it. For unknown ones the highest there is. */
  idf: number;
  isKnown: boolean;
  /** What stood in for an unfinished or misspelt word. */
  also: readonly string[];
}

/** A part of a section, as it is looked for and quoted: Markdown of some 600 characters. */
export interface Passage {
  number: number;
  text: string;
}

/** A piece of text, and whether it is what was looked for. */
export interface MarkedText {
  text: string;
  isMatch: boolean;
}
