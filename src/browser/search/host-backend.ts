/** Searches on the site's host, which restricts the results to pages that the reader may open. */

import type { MarkedText, SearchFilter } from "../../engine/search/search-hit.ts";
import { termsOf } from "../../engine/search/terms.ts";
import { type SearchBackend, type SearchResults, sections_count } from "./search-backend.ts";

interface Result {
  path: string;
  anchor: string;
  title: string;
  headings: string[];
  breadcrumbs: string[];
  method?: string;
  snippet: MarkedText[];
}

export class HostBackend implements SearchBackend {
  private readonly url: string;
  private current: AbortController | undefined;

  constructor(url: string) {
    this.url = url;
  }

  async find(text: string, filter: SearchFilter): Promise<SearchResults> {
    this.current?.abort();
    const current = (this.current = new AbortController());
    const { lang } = document.documentElement;
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text, pageSize: sections_count, language: lang, ...filter }),
      signal: current.signal,
    });

    if (!response.ok) throw new Error(`${response.status}`);
    const { results } = (await response.json()) as { results: Result[] };
    return {
      sections: results.map(({ path, ...result }) => ({ ...result, route: path.replace(/^\//, "") })),
      terms: termsOf(text, lang).map((term) => ({ term, idf: 1, isKnown: true, also: [] })),
    };
  }
}
