/** Creates the complete navigation tree of a section in a compact format, for the page's script. */

import { withoutMethod } from "../../base/without-method.ts";
import { isPage, type NavNode, type NavTreeItem, pagesBelow } from "../site/navigation/resolve-navigation.ts";
import type { Page } from "../site/page.ts";
import { isNameless, isVisible, type NavContext, pageLink } from "./nav-view.ts";

export type CompactItem = CompactPage | (CompactGroup & { c: CompactItem[] });

/**
 * A page. Absent values are empty strings, and are omitted at the end. `path`: path of the page, or a URL if
 * the link opens in a new tab. `icon`: CSS class. `method`: HTTP method, or `WEBHOOK`. `flags`: `d` for
 * deprecated, `x` for a link that opens in a new tab.
 */
export type CompactPage = [
  label: string,
  path: string,
  icon?: string,
  tag?: string,
  method?: string,
  flags?: string,
];

export interface CompactGroup {
  /** Label. */
  g: string;
  /** Path of the page that the title links to. */
  p?: string;
  /** CSS class of the icon. */
  i?: string;
  /** Text of the badge. */
  t?: string;
  /** Set if the group is initially expanded. */
  x?: 1;
}

export function compactTree(items: readonly NavTreeItem[], context: NavContext, depth = 0): CompactItem[] {
  return items.filter(isVisible).flatMap((item): CompactItem[] => {
    if (isPage(item)) return [compactPage(item.page, context)];
    if (isNameless(item)) return compactTree(item.children, context, depth);
    return [{ ...compactGroup(item, context, depth), c: compactTree(item.children, context, depth + 1) }];
  });
}

export function compactGroup(node: NavNode, context: NavContext, depth: number): CompactGroup {
  const { division } = node;
  const icon = context.iconOf(division.icon, division.iconType);
  const landing =
    node.rootPage ?? (context.drilldown && depth > 0 ? pagesBelow(node).next().value?.page : undefined);
  return {
    g: division.label,
    ...(landing ? { p: context.pathOf(landing) } : {}),
    ...(icon ? { i: icon } : {}),
    ...(division.tag ? { t: division.tag } : {}),
    ...(division.expanded ? { x: 1 as const } : {}),
  };
}

export function compactPage(page: Page, context: NavContext): CompactPage {
  const link = pageLink(page, context);
  const parts = [
    withoutMethod(link.label, link.method),
    link.external ? link.href : context.pathOf(page),
    link.icon ?? "",
    link.tag ?? "",
    link.method ?? "",
    `${link.deprecated ? "d" : ""}${link.external ? "x" : ""}`,
  ];
  while (parts.length > 2 && parts.at(-1) === "") parts.pop();
  return parts as unknown as CompactPage;
}
