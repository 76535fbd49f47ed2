/** Result of the retrieval for a question. */
import type { QueryTerm } from "../search/search-hit.ts";

export interface RetrievedSection {
  /** Of the page, without a leading slash; empty for the home page. */
  route: string;
  /** Id of the heading; empty at the beginning of the page. */
  anchor: string;
  /** "Page: Section", or the page's title alone. */
  title: string;
  /** Divisions and groups of the navigation that contain the page, outermost first. */
  breadcrumbs: readonly string[];
  /** Markdown of the best passage and its neighbors, within the character limit. */
  text: string;
  score: number;
  /** Offsets of the best passage in `text`. */
  best: { start: number; end: number };
}

export interface Retrieved {
  /** Best first. */
  sections: RetrievedSection[];
  /** Terms of the query. */
  terms: readonly QueryTerm[];
  /** Language of the best section. */
  language: string;
  /** Relevance of the sections for the question, 0 to 1. Doesn't detect a missing fact in a covered topic. */
  confidence: number;
  /** Whether the confidence is sufficient for an answer without a model. */
  isCovered: boolean;
  /** The topic of the question: a navigation group; null below its threshold. */
  category: string | null;
}
