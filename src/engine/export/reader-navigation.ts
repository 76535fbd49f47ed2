/**
 * What a page leaves out of its sidebar because not everyone who reads the page may read it. Pages stay the same for all
 * readers: a table for each section holds the whole tree with who may see each entry, the host hands to signed-in readers
 * what is theirs, and the page's script fills it in.
 */
import type { Access } from "../../base/access.ts";
import { type CompactGroup, type CompactPage, compactGroup, compactPage, type NavContext, type Section } from "../site/nav-view.ts";
import { isPage, type NavItem } from "../site/resolve-navigation.ts";
import { type Audiences, nobody } from "./audiences.ts";
import { navContext, readerNavigationPath, type ViewContext } from "./build-page-view.ts";
import type { Add } from "./export-target.ts";
import { Addresses } from "./page-urls.ts";

/** An entry with who may see it. A group is seen by those who see something in it. */
export type GuardedItem =
  | { access: Access; page: CompactPage }
  | { group: CompactGroup /** Who may open the page of its title. */; landing?: Access; items: GuardedItem[] };

export function addReaderNavigation(contexts: Iterable<ViewContext>, audiences: Audiences, add: Add): void {
  const sections = new Map<Section, ViewContext>();
  for (const context of contexts)
    for (const page of context.site.pages.values()) {
      const section = audiences.restrictedSection(page, context.site);
      if (section) sections.set(section, context);
    }
  for (const [section, context] of sections) {
    const exported = { ...context, site: audiences.exported };
    const nav = navContext(new Addresses(audiences.exported, context.target, ""), exported);
    add(readerNavigationPath(section), () => `${JSON.stringify(guardedTree(section.node.children, audiences, nav, 0))}\n`, nobody);
  }
}

function guardedTree(items: readonly NavItem[], audiences: Audiences, context: NavContext, depth: number): GuardedItem[] {
  return items.flatMap((item): GuardedItem[] => {
    if (isPage(item))
      return item.page.visibility.navigation ? [{ access: audiences.of(item.page), page: compactPage(item.page, context) }] : [];
    if (item.division.hidden) return [];
    // A title leads to the group's own page only: which page comes first depends on the reader.
    const group = compactGroup(item, { ...context, drilldown: false }, depth);
    const landing = item.rootPage && audiences.of(item.rootPage);
    return [
      {
        // Top groups are open on every page.
        group: depth === 0 ? { ...group, x: 1 } : group,
        ...(landing ? { landing } : {}),
        items: guardedTree(item.children, audiences, context, depth + 1),
      },
    ];
  });
}
