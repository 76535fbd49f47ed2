/**
 * Creates the view model of the navigation of one page: selectors, tabs, anchors, breadcrumbs and the tree.
 */

import { limits } from "../../base/limits.ts";
import type { Division } from "../config/navigation-types.ts";
import type { NavGroup, NavItem, NavLink, NavView, Selector, TabLink } from "../frame/page-view.ts";
import { isCut, navEntries_count, type Section } from "../site/nav-sections.ts";
import type { Page } from "../site/page.ts";
import {
  defaultChild,
  isPage,
  type NavNode,
  type NavPage,
  type NavTreeItem,
  pagesBelow,
} from "../site/resolve-navigation.ts";
import { switchTarget } from "./switch-target.ts";

/** Resolves the navigation's links and icons for one page. */
export interface NavContext {
  hrefOf(page: Page): string;
  /** Returns the path of a page's file without extension. */
  pathOf(page: Page): string;
  /** Resolves a path or URL in docs.json. */
  hrefTo(address: string): { href: string; external: boolean };
  /** Returns the class name of an icon. Undefined if there is no icon or the icon is unknown. */
  iconOf(icon: unknown, type: string | undefined): string | undefined;
  languageName(code: string): string;
  /** Whether the title of a nested group links to the group's first page. */
  drilldown: boolean;
  /** The entries that trees share: those of pages, and of groups whose content isn't shown. */
  entries: Map<Page | NavNode, NavItem>;
}

export function navView(
  position: NavPage | undefined,
  root: NavNode,
  section: Section | undefined,
  context: NavContext,
): NavView {
  const chain = (position?.parent ?? firstLeaf(root)).chain;
  const view: NavView = { selectors: [], tabs: [], anchors: [], tree: [] };
  for (const [index, node] of chain.entries()) {
    addChildren(view, node, chain[index + 1], position, context);
    addGlobal(view, node.division.global, context);
  }

  if (position && section) {
    view.tree = treeView(
      section.node.children,
      position,
      context,
      isCut(section) ? navEntries_count : Number.POSITIVE_INFINITY,
    );
  }

  return view;
}

/** Returns the innermost default division, for a page without a position in the navigation. */
function firstLeaf(node: NavNode): NavNode {
  const child = ["version", "language", "tab", "product", "dropdown", "anchor"].includes(kindOfChildren(node))
    ? defaultChild(node)
    : undefined;
  return child ? firstLeaf(child) : node;
}

function kindOfChildren(node: NavNode): string {
  const child = node.children.find((item) => !isPage(item)) as NavNode | undefined;
  return child?.division.kind ?? "page";
}

function addChildren(
  view: NavView,
  node: NavNode,
  current: NavNode | undefined,
  position: NavPage | undefined,
  context: NavContext,
): void {
  const kind = kindOfChildren(node);
  const nodes = node.children.filter(
    (child): child is NavNode => !isPage(child) && (!child.division.hidden || child === current),
  );
  const link = (child: NavNode): NavLink[] => divisionLink(child, child === current, position, context);

  // A page without a position has a version and a language, but it is in none of the tabs and anchors.
  const placeLink = (child: NavNode): NavLink[] =>
    divisionLink(child, position !== undefined && child === current, position, context);
  switch (kind) {
    case "tab":
      view.tabs.push(
        ...nodes.flatMap((child): TabLink[] =>
          placeLink(child).map((tab) => ({
            ...tab,
            ...(child.division.alignEnd ? { alignEnd: true } : {}),
            ...menuOf(child, current, position, context),
          })),
        ),
      );
      break;
    case "anchor":
      view.anchors.push(...nodes.flatMap(placeLink));
      break;
    case "item": {
      const isInTab = position ? view.tabs.some((tab) => tab.current) : node.division.kind === "tab";
      if (!isInTab) view.anchors.push(...nodes.flatMap(placeLink));
      break;
    }
    case "language":
    case "version":
    case "product":
    case "dropdown": {
      const options = nodes.flatMap(link);
      const chosen = options.find((option) => option.current) ?? options[0];
      if (chosen && options.length > 1) view.selectors.push({ kind, current: chosen, options });
      break;
    }
  }
}

function menuOf(
  tab: NavNode,
  current: NavNode | undefined,
  position: NavPage | undefined,
  context: NavContext,
): Pick<TabLink, "menu"> {
  if (kindOfChildren(tab) !== "item") return {};
  const open =
    tab === current && position ? position.parent.chain.find((node) => node.parent === tab) : undefined;
  return {
    menu: tab.children.flatMap((item) =>
      isPage(item) || item.division.hidden ? [] : divisionLink(item, item === open, position, context),
    ),
  };
}

/**
 * Returns the link to a division: its `href`, or else the current page if the division contains it, or else
 * the page that `switchTarget` finds. An empty list if there is no page.
 */
function divisionLink(
  node: NavNode,
  current: boolean,
  position: NavPage | undefined,
  context: NavContext,
): NavLink[] {
  const { division } = node;
  const label = labelOf(division, context);

  if (division.href !== undefined)
    return [
      {
        ...decorations(division, context),
        label,
        ...context.hrefTo(division.href),
        ...(current ? { current } : {}),
      },
    ];

  const target = current && position ? position : switchTarget(node, position);
  if (!target) return [];

  return [
    {
      ...decorations(division, context),
      label,
      href: context.hrefOf(target.page),
      ...(current ? { current } : {}),
    },
  ];
}

function labelOf(division: Division, context: NavContext): string {
  if (division.kind === "language") return context.languageName(division.label);
  return division.kind === "product" ? (division.name ?? division.label) : division.label;
}

function decorations(division: Division, context: NavContext): Partial<NavLink> {
  const icon = context.iconOf(division.icon, division.iconType);
  return {
    ...(icon ? { icon } : {}),
    ...(division.description ? { description: division.description } : {}),
    ...(division.tag ? { tag: division.tag } : {}),
  };
}

/** Adds the global links of a division, except hidden ones and those without a URL. */
function addGlobal(view: NavView, global: readonly Division[], context: NavContext): void {
  for (const division of global) {
    if (division.hidden || division.href === undefined) continue;
    const link: NavLink = {
      ...decorations(division, context),
      label: labelOf(division, context),
      ...context.hrefTo(division.href),
    };
    if (division.kind === "anchor") view.anchors.push(link);
    else if (division.kind === "tab") view.tabs.push(link);
    else {
      const kind = division.kind as Selector["kind"];
      const selector = view.selectors.find((candidate) => candidate.kind === kind);
      if (selector) selector.options.push(link);
      else view.selectors.push({ kind, current: { ...link, current: true }, options: [link] });
    }
  }
}

/**
 * Returns the tree as shown on one page. If `budget` is finite, each level shows a limited number of entries
 * around the page's branch, and other groups only show their titles. This keeps pages from growing with the
 * site.
 */
function treeView(
  items: readonly NavTreeItem[],
  position: NavPage,
  context: NavContext,
  budget: number,
): NavItem[] {
  const path = new Set<NavNode>(position.parent.chain);
  const whole = budget === Number.POSITIVE_INFINITY;
  const perLevel = whole ? budget : Math.floor(budget / 2);
  const level = (children: readonly NavTreeItem[], depth: number): NavItem[] => {
    const shown = children.filter((child) => isVisible(child) || isOnPath(child));
    return windowAround(shown, shown.findIndex(isOnPath), depth === 0 ? perLevel / 2 : perLevel).flatMap(
      (child) => itemView(child, depth),
    );
  };

  const isOnPath = (item: NavTreeItem) => (isPage(item) ? item.page === position.page : path.has(item));

  const itemView = (item: NavTreeItem, depth: number): NavItem[] => {
    if (isPage(item)) return [marked(pageEntry(item.page, context), item.page)];
    if (isNameless(item)) return level(item.children, depth);
    const isOpen = path.has(item);
    if (!whole && !isOpen) return [marked(closedGroupEntry(item, depth, context), item.rootPage)];
    const group = groupEntry(item, depth, context.drilldown && depth > 0, context);
    const children = level(item.children, depth + 1);
    if (children.length === 0 && !group.href) return [];
    return [marked({ ...group, open: group.open || isOpen, items: children }, item.rootPage)];
  };

  const marked = (entry: NavItem, page: Page | undefined): NavItem =>
    page === position.page ? { ...entry, current: true } : entry;
  return level(items, 0);
}

/**
 * Returns the entry of a group, without its content. `linksToFirst`: whether the title of a group without a
 * root page is a link.
 */
function groupEntry(
  node: NavNode,
  depth: number,
  linksToFirst: boolean,
  context: NavContext,
): { kind: "group" } & NavGroup {
  const { division } = node;
  const icon = context.iconOf(division.icon, division.iconType);
  const landing = node.rootPage ?? (linksToFirst ? pagesBelow(node).next().value?.page : undefined);
  return {
    kind: "group",
    label: division.label,
    open: depth === 0 || division.expanded,
    ...(icon ? { icon } : {}),
    ...(division.tag ? { tag: division.tag } : {}),
    ...(landing ? { href: context.hrefOf(landing) } : {}),
  };
}

function pageEntry(page: Page, context: NavContext): NavItem {
  return sharedEntry(page, context, () => ({ kind: "page", ...pageLink(page, context) }));
}

/** Returns the entry of a group whose content isn't shown. */
function closedGroupEntry(node: NavNode, depth: number, context: NavContext): NavItem {
  return sharedEntry(node, context, () => groupEntry(node, depth, true, context));
}

/** Returns the entry that all trees with the same URLs contain. Creates it if there is none. */
function sharedEntry(item: Page | NavNode, { entries }: NavContext, create: () => NavItem): NavItem {
  let entry = entries.get(item);
  if (!entry) {
    entry = create();
    if (entries.size >= limits.sharedNavEntries_count) entries.clear();
    entries.set(item, entry);
  }
  return entry;
}

/** Whether a group has no name. The navigation shows its pages without a row for the group. */
export function isNameless({ division }: NavNode): boolean {
  return division.kind === "group" && division.label.trim() === "";
}

/** Whether a page or division is shown in the navigation. */
export function isVisible(item: NavTreeItem): boolean {
  return isPage(item) ? item.page.visibility.navigation : !item.division.hidden;
}

function windowAround<T>(items: readonly T[], center: number, size: number): readonly T[] {
  if (items.length <= size) return items;
  const start = Math.max(
    0,
    Math.min(Math.floor(Math.max(0, center) - size / 2), items.length - Math.floor(size)),
  );
  return items.slice(start, start + Math.floor(size));
}

export function pageLink(page: Page, context: NavContext): NavLink {
  const { frontmatter } = page;
  const icon = context.iconOf(frontmatter.icon, frontmatter.iconType);
  const method = frontmatter.hideApiMarker ? undefined : methodOf(frontmatter);
  const target = frontmatter.url
    ? context.hrefTo(frontmatter.url)
    : { href: context.hrefOf(page), external: false };

  return {
    label: frontmatter.sidebarTitle ?? page.title,
    href: target.href,
    ...(target.external ? { external: true } : {}),
    ...(icon ? { icon } : {}),
    ...(frontmatter.tag ? { tag: frontmatter.tag } : {}),
    ...(method ? { method } : {}),
    ...(frontmatter.deprecated ? { deprecated: true } : {}),
  };
}

const operationMethod = /(?:^|\s)(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|QUERY|WEBHOOK)\s+\S/i;

function methodOf(frontmatter: Page["frontmatter"]): string | undefined {
  return operationMethod.exec(frontmatter.openapi ?? frontmatter.api ?? "")?.[1]?.toUpperCase();
}

/**
 * Returns the breadcrumbs of a page: the divisions that contain the page, excluding the root, versions,
 * languages and groups without a name.
 */
export function crumbs(position: NavPage, context: NavContext): { label: string; href?: string }[] {
  return position.parent.chain
    .filter((node) => !["root", "version", "language"].includes(node.division.kind) && !isNameless(node))
    .map((node) => {
      const first = node.division.href === undefined ? pagesBelow(node).next().value?.page : undefined;
      return { label: labelOf(node.division, context), ...(first ? { href: context.hrefOf(first) } : {}) };
    });
}
