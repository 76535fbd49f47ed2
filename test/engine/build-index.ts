/** Builds a small index from pages. */

import { filesFrom } from "../../src/base/files.ts";
import { CachedIndex } from "../../src/engine/export/cached-index.ts";
import { partNames } from "../../src/engine/search/index-parts.ts";
import type { IndexedPage } from "../../src/engine/search/index-segment.ts";
import { PageCache } from "../../src/engine/site/page-cache.ts";

/** Returns the content of each part, by name. */
export function buildIndex(pages: readonly IndexedPage[], language: string): Map<string, string> {
  const planned = pages.map(({ sections, ...header }) => ({
    route: header.route,
    header,
    version: header.route,
    sections: () => sections,
  }));
  const cache = new PageCache(filesFrom({}), undefined, new Map());
  const files = new CachedIndex(planned, { language, name: language, generator: "test", cache });
  const contentOf = (name: string) => (name.startsWith("p") ? `[${files.passages(name).map(({ json }) => json)}]` : files.other(name));
  return new Map(partNames(pages.length).map((name) => [name, contentOf(name)]));
}
