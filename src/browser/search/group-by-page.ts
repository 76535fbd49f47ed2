import { isQuestion } from "../../engine/search/rank.ts";
import type { SearchResult } from "./search-backend.ts";

export interface PageGroup {
  route: string;
  title: string;
  sections: SearchResult[];
}

/** Maximum number of sections shown per page. More would push other pages out of view. */
const sectionsOfPage_count = 3;

/**
 * Groups results by page. `sections` are ordered from best to worst. A page is ranked by its best section.
 * Only the best of a page's questions is shown, so that an FAQ doesn't fill the list.
 */
export function groupByPage(sections: readonly SearchResult[]): PageGroup[] {
  const groups = new Map<string, PageGroup>();
  for (const section of sections) {
    const { route, title } = section;
    const group = groups.get(route) ?? { route, title, sections: [] };
    const repeatsQuestion = isQuestionSection(section) && group.sections.some(isQuestionSection);
    if (group.sections.length < sectionsOfPage_count && !repeatsQuestion) group.sections.push(section);
    groups.set(route, group);
  }
  return [...groups.values()];
}

function isQuestionSection({ headings }: SearchResult): boolean {
  return isQuestion(headings.at(-1) ?? "");
}

/** Returns a key that identifies a section among the results. */
export function sectionKey({ route, anchor }: SearchResult): string {
  return `${route}#${anchor}`;
}
