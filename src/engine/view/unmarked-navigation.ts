import type { NavItem, NavView } from "../frame/page-view.ts";

/** Returns a navigation without the marks of the current page and tab. */
export function unmarkedNavigation(nav: NavView): NavView {
  return { ...nav, tabs: nav.tabs.map(({ current: _, ...tab }) => tab), tree: unmarked(nav.tree) };
}

function unmarked(items: readonly NavItem[]): NavItem[] {
  return items.map((item) => {
    const { current: _, ...rest } = item;
    return rest.kind === "group" && rest.items ? { ...rest, items: unmarked(rest.items) } : rest;
  });
}
