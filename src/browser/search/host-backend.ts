/** Asks the site's host, which knows what its reader may see. */
import type { MarkedText, SearchFilter } from "../../engine/search/search-hit.ts";
import { termsOf } from "../../engine/search/terms.ts";
import { type Found, type SearchBackend, sections_count } from "./search-backend.ts";

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
  private readonly address: string;
  private asked: AbortController | undefined;

  constructor(address: string) {
    this.address = address;
  }

  async find(text: string, filter: SearchFilter): Promise<Found> {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const { lang } = document.documentElement;
    const response = await fetch(this.address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text, pageSize: sections_count, language: lang, ...filter }),
      signal: asked.signal,
    });
    if (!response.ok) throw new Error(`${response.status}`);
    const { results } = (await response.json()) as { results: Result[] };
    return {
      sections: results.map(({ path, ...result }) => ({ ...result, route: path.replace(/^\//, "") })),
      terms: termsOf(text, lang).map((term) => ({ term, idf: 1, isKnown: true, also: [] })),
    };
  }
}
