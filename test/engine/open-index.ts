/** Opens the search index of a built site. */

import type { PagePassages, PageRecord } from "../../src/engine/search/index-format.ts";
import { payloadOf } from "../../src/engine/search/index-format.ts";
import { SearchIndex } from "../../src/engine/search/search-index.ts";
import { searchFilePath } from "../../src/layout/site-layout.ts";
import type { BuiltSite } from "./build.ts";

export function openIndex(site: BuiltSite, language = "en", suffix = ""): Promise<SearchIndex> {
  return SearchIndex.open(async (name) => payloadOf(site.read(searchFilePath(name, { language, suffix }))));
}

export interface ListedSection {
  route: string;
  anchor: string;
  title: string;
  headings: string[];
  passages: string[];
}

/** Every section of an index, in its order. */
export function sectionsIn(
  site: Pick<BuiltSite, "paths" | "read">,
  language = "en",
  suffix = "",
): ListedSection[] {
  const parts = <T>(letter: string): T[] => {
    const all: T[] = [];
    for (let number = 0; ; number++) {
      const file = searchFilePath(`${letter}${number}`, { language, suffix });
      if (!site.paths.includes(file)) return all;
      const payload = payloadOf(site.read(file));
      all.push(...((typeof payload === "string" ? JSON.parse(payload) : payload) as T[]));
    }
  };
  const passages = parts<PagePassages>("p");
  return parts<PageRecord>("d").flatMap(([route, title, , , sections], page) =>
    sections.map(([anchor], ordinal) => {
      const headings: string[] = [];
      for (let place = ordinal; place >= 0; place = sections[place]![1])
        headings.unshift(sections[place]![2]);
      return {
        route,
        anchor,
        title,
        headings: headings.filter(Boolean),
        passages: passages[page]![ordinal]!,
      };
    }),
  );
}

/** Formats a section as one line, for expected output. */
export function listed({ route, anchor, title, headings, passages }: ListedSection): string {
  const text = passages.join(" ¶ ").replace(/\s+/g, " ");
  return `/${route}${anchor && `#${anchor}`} | ${[title, ...headings].join(" › ")} | ${text.length > 90 ? `${text.slice(0, 90)}…` : text}\n`;
}
