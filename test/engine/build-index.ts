/** Builds a small index from pages. */

import { CachedIndex } from "../../src/engine/export/cached-index.ts";
import { MemoryStore } from "../../src/engine/incremental/store.ts";
import { partNames } from "../../src/engine/search/index-parts.ts";
import type { IndexedPage } from "../../src/engine/search/index-segment.ts";

/** Returns the content of each part, by name. */
export function buildIndex(pages: readonly IndexedPage[], language: string): Map<string, string> {
  const planned = pages.map(({ sections, ...header }) => ({
    route: header.route,
    header,
    version: header.route,
    sections: () => sections,
  }));
  const files = new CachedIndex(planned, {
    language,
    name: language,
    generator: "test",
    store: new MemoryStore(),
  });
  const contentOf = (name: string) =>
    name.startsWith("p") ? `[${files.passages(name).map(({ json }) => json)}]` : files.other(name);
  return new Map(partNames(pages.length).map((name) => [name, contentOf(name)]));
}
