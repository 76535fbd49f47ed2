/** Sections of one page stand together, at the place of the best of them. */
import type { FoundSection } from "./search-backend.ts";

export interface PageGroup {
  route: string;
  title: string;
  sections: FoundSection[];
}

/** Of one page; more would hide the others. */
const sectionsOfPage_count = 3;

export function groupByPage(sections: readonly FoundSection[]): PageGroup[] {
  const groups = new Map<string, PageGroup>();
  for (const section of sections) {
    const { route, title } = section;
    const group = groups.get(route) ?? { route, title, sections: [] };
    if (group.sections.length < sectionsOfPage_count) group.sections.push(section);
    groups.set(route, group);
  }
  return [...groups.values()];
}
