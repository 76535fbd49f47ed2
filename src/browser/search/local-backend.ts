/** Searches in the index of the page's language, here. */
import { snippet } from "../../engine/search/mark-words.ts";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { SearchIndex } from "../../engine/search/search-index.ts";
import { indexFiles } from "./index-files.ts";
import { type Found, type SearchBackend, sections_count } from "./search-backend.ts";

/** What comes sooner is worth waiting for: the list is drawn once. */
const passages_ms = 30;
/** Some two lines. */
const snippet_chars = 150;

export class LocalBackend implements SearchBackend {
  private readonly language: string;
  private index: Promise<SearchIndex> | undefined;
  private hasChanged = false;
  private isReloaded = false;

  /** `language`: folder of the index. */
  constructor(language: string) {
    this.language = language;
    // Ready when the first key comes.
    this.open().catch(() => undefined);
  }

  async find(text: string, filter: SearchFilter, early: (found: Found) => void): Promise<Found> {
    const opened = this.open();
    try {
      return await this.search(await opened, text, filter, early);
    } catch (error) {
      if (!this.hasChanged) throw error;
      if (this.index === opened) {
        // Once: a site that changes while it is read may be read again, one that is broken stays so.
        if (this.isReloaded) throw error;
        this.isReloaded = true;
        this.index = undefined;
      }
      // Each key that was typed meanwhile met the change too, and finds what the first one opened anew.
      return this.search(await this.open(), text, filter, early);
    }
  }

  private async search(index: SearchIndex, text: string, filter: SearchFilter, early: (found: Found) => void): Promise<Found> {
    const { hits, terms } = await index.search({ text, limit: sections_count, isTyping: true, filter });
    // Where they were found is known before the words around it.
    const timer = setTimeout(() => early({ sections: hits.map((hit) => ({ ...hit, snippet: [] })), terms }), passages_ms);
    const passages = await index.passages(hits).finally(() => clearTimeout(timer));
    const sections = hits.map((hit, place) => {
      const best = passages[place]!.find(({ number }) => number === hit.passage) ?? passages[place]![0];
      return { ...hit, snippet: snippet(best?.text ?? "", terms, index.language, snippet_chars) };
    });
    return { sections, terms };
  }

  private open(): Promise<SearchIndex> {
    if (!this.index) {
      const opening = SearchIndex.open(indexFiles(this.language, this.isReloaded, () => (this.hasChanged = true)));
      // What could not be had now may be had later.
      opening.catch(() => {
        if (this.index === opening) this.index = undefined;
      });
      this.index = opening;
    }
    return this.index;
  }
}
