/** Finds the sections of the navigation: divisions whose pages share a tree. */

import type { Page } from "./page.ts";
import { isPage, type NavNode, type NavPage, pagesBelow, sectionOf } from "./resolve-navigation.ts";

/**
 * Maximum number of pages and divisions in a section whose pages contain its complete tree. In a larger
 * section, the complete tree is in a file that pages share.
 */
export const navEntries_count = 50;

export interface Section {
  node: NavNode;
  /** Identifies the section in the names of its shared files. */
  id: string;
  /** Number of pages and divisions in the section, including hidden ones. */
  size: number;
  /** Pages of the section in reading order, excluding hidden pages and pages that link to a URL. */
  order: readonly Page[];
  /** Index of each page in `order`. */
  indexOf: ReadonlyMap<Page, number>;
}

/** Whether the section is so large that its pages only contain a part of the tree. */
export function isCut(section: Section): boolean {
  return section.size > navEntries_count;
}

/** Creates the sections of a navigation. Memoized by node. */
export class Sections {
  private readonly known = new Map<NavNode, Section>();

  of(position: NavPage): Section {
    const node = sectionOf(position);
    let section = this.known.get(node);
    if (!section) {
      const id =
        node.chain
          .slice(1)
          .map((step) => step.parent!.children.indexOf(step))
          .join("-") || "all";
      const order = sectionOrder(node);
      section = {
        node,
        id,
        size: sizeOf(node),
        order,
        indexOf: new Map(order.map((page, index) => [page, index])),
      };
      this.known.set(node, section);
    }

    return section;
  }
}

function sizeOf(node: NavNode): number {
  return node.children.reduce((sum, child) => sum + 1 + (isPage(child) ? 0 : sizeOf(child)), 0);
}

function sectionOrder(node: NavNode): Page[] {
  const pages = [...pagesBelow(node)]
    .map((position) => position.page)
    .filter((page) => page.visibility.navigation && !page.frontmatter.url);
  return [...new Set(pages)];
}
