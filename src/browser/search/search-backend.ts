/**
 * Interface of the two search implementations: in the browser, or on the host of a site that restricts pages
 * to some readers.
 */

import type { MarkedText, QueryTerm, SearchFilter } from "../../engine/search/search-hit.ts";

export interface SearchResult {
  route: string;
  anchor: string;
  title: string;
  headings: readonly string[];
  breadcrumbs: readonly string[];
  method?: string;
  snippet: readonly MarkedText[];
}

export interface SearchResults {
  /** The matching sections, the best one first. */
  sections: readonly SearchResult[];
  /** Terms to highlight in titles. */
  terms: readonly QueryTerm[];
}

export interface SearchBackend {
  /**
   * Searches for a text. Rejects if the search fails, and may reject if a newer search replaces this one.
   * `early` may be called with results whose snippets haven't been loaded yet.
   */
  find(text: string, filter: SearchFilter, early: (found: SearchResults) => void): Promise<SearchResults>;
}

/** Maximum number of sections per search. */
export const sections_count = 14;
