/** What answers a search: the index in the browser, or the host, where not everything is for everybody. */

import type { MarkedText, QueryTerm, SearchFilter } from "../../engine/search/search-hit.ts";

export interface FoundSection {
  route: string;
  anchor: string;
  title: string;
  headings: readonly string[];
  breadcrumbs: readonly string[];
  method?: string;
  snippet: readonly MarkedText[];
}

export interface Found {
  /** Best first. */
  sections: readonly FoundSection[];
  /** What is marked in titles. */
  terms: readonly QueryTerm[];
}

export interface SearchBackend {
  /**
   * Rejects when it cannot be asked; what was asked before need not be answered any more. Whoever wants to show what there
   * is before all of it has come is told by `early`.
   */
  find(text: string, filter: SearchFilter, early: (found: Found) => void): Promise<Found>;
}

/** Sections that are asked for. */
export const sections_count = 14;
