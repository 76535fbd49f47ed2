/**
 * Adds files with the navigation entries that only some readers of a page may see. The HTML of a page is the
 * same for all of its readers, so it omits these entries. A section with such entries has a file with its
 * whole tree and the access of each entry. From this file, the host returns the entries that a signed-in
 * reader may see, and the page's script inserts them.
 */

import { type Audiences, hostOnly } from "../plan/audiences.ts";
import type { AddFile } from "../plan/export-target.ts";
import { PageUrls } from "../plan/page-urls.ts";
import type { Section } from "../site/navigation/nav-sections.ts";
import { isPage, type NavTreeItem } from "../site/navigation/resolve-navigation.ts";
import { navContext, readerNavigationPath, type ViewContext } from "./build-page-view.ts";
import { compactGroup, compactPage } from "./compact-tree.ts";
import { type GuardedItem, navigationLines } from "./guarded-navigation.ts";
import type { NavContext } from "./nav-view.ts";

export function addReaderNavigation(
  contexts: Iterable<ViewContext>,
  audiences: Audiences,
  add: AddFile,
): void {
  const sections = new Map<Section, ViewContext>();
  for (const context of contexts)
    for (const page of context.site.pages.values()) {
      const section = audiences.restrictedSection(page, context.site);
      if (section) sections.set(section, context);
    }

  for (const [section, context] of sections) {
    const exported = { ...context, site: audiences.exported };
    const nav = navContext(new PageUrls(audiences.exported, context.target, ""), exported);
    add(
      readerNavigationPath(section),
      () => `${[...navigationLines(guardedTree(section.node.children, audiences, nav, 0))].join("\n")}\n`,
      hostOnly,
    );
  }
}

function guardedTree(
  items: readonly NavTreeItem[],
  audiences: Audiences,
  context: NavContext,
  depth: number,
): GuardedItem[] {
  return items.flatMap((item): GuardedItem[] => {
    if (isPage(item))
      return item.page.visibility.navigation
        ? [{ access: audiences.of(item.page), page: compactPage(item.page, context) }]
        : [];

    if (item.division.hidden) return [];

    // With `drilldown`, a title would link to the first page, which depends on the reader.
    const group = compactGroup(item, { ...context, drilldown: false }, depth);
    const landing = item.rootPage && audiences.of(item.rootPage);
    return [
      {
        // Top-level groups are always expanded.
        group: depth === 0 ? { ...group, x: 1 } : group,
        ...(landing ? { landing } : {}),
        items: guardedTree(item.children, audiences, context, depth + 1),
      },
    ];
  });
}
