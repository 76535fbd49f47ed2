/** Searches the index of the page's language in the browser. */

import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { SearchIndex } from "../../engine/search/search-index.ts";
import { snippet } from "../../engine/search/snippet.ts";
import { indexFiles } from "./index-files.ts";
import { type SearchBackend, type SearchResults, sections_count } from "./search-backend.ts";

/** How long to wait for passages before results without snippets are shown. */
const passages_ms = 30;
/** Length of a snippet in characters, about two lines. */
const snippet_chars = 150;

export class LocalBackend implements SearchBackend {
  private readonly language: string;
  private index: Promise<SearchIndex> | undefined;
  private hasChanged = false;
  private isReloaded = false;

  /** `language` is the folder of the index. */
  constructor(language: string) {
    this.language = language;
    // Starts loading before the first key press.
    this.open().catch(() => undefined);
  }

  async find(
    text: string,
    filter: SearchFilter,
    early: (found: SearchResults) => void,
  ): Promise<SearchResults> {
    const opened = this.open();
    try {
      return await this.search(await opened, text, filter, early);
    } catch (error) {
      if (!this.hasChanged) throw error;
      if (this.index === opened) {
        // Reloads only once: a second mismatch means that the index is broken.
        if (this.isReloaded) throw error;
        this.isReloaded = true;
        this.index = undefined;
      }
      // Concurrent searches fail too. They share the index that the first of them reopens.
      return this.search(await this.open(), text, filter, early);
    }
  }

  private async search(
    index: SearchIndex,
    text: string,
    filter: SearchFilter,
    early: (found: SearchResults) => void,
  ): Promise<SearchResults> {
    const { hits, terms } = await index.search({ text, limit: sections_count, isTyping: true, filter });
    // If the passages take longer, shows results without snippets first.
    const timer = setTimeout(
      () => early({ sections: hits.map((hit) => ({ ...hit, snippet: [] })), terms }),
      passages_ms,
    );
    const passages = await index.passages(hits).finally(() => clearTimeout(timer));
    const sections = hits.map((hit, position) => {
      const best = passages[position]!.find(({ number }) => number === hit.passage) ?? passages[position]![0];
      return { ...hit, snippet: snippet(best?.text ?? "", terms, index.language, snippet_chars) };
    });
    return { sections, terms };
  }

  private open(): Promise<SearchIndex> {
    if (!this.index) {
      const opening = SearchIndex.open(
        indexFiles(this.language, this.isReloaded, () => (this.hasChanged = true)),
      );
      // The next search tries again.
      opening.catch(() => {
        if (this.index === opening) this.index = undefined;
      });
      this.index = opening;
    }
    return this.index;
  }
}
