/**
 * Resolves the entries of the navigation to pages. Creates a tree, and finds the position of each page in the
 * tree.
 */

import { type Problem, problem } from "../../base/problem.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { Division } from "../config/navigation-types.ts";
import type { JsonPath } from "../json-positions.ts";
import type { Page } from "./page.ts";

export interface NavNode {
  division: Division;
  parent?: NavNode;
  /** The node's ancestors, starting at the root, and the node itself. */
  chain: readonly NavNode[];
  /** The page that a group's title links to. */
  rootPage?: Page;
  children: NavTreeItem[];
}

/** A page at one of its positions in the navigation. */
export interface NavPage {
  page: Page;
  parent: NavNode;
}

export type NavTreeItem = NavNode | NavPage;

export function isPage(item: NavTreeItem): item is NavPage {
  return "page" in item;
}

export interface Navigation {
  root: NavNode;
  /**
   * Positions by route. If a page is listed several times, contains its first position in the default version
   * and language, or else its first position.
   */
  positions: ReadonlyMap<string, NavPage>;
  /**
   * Routes of the pages that no one can see, because one of their positions has an access rule that Octavo
   * doesn't know.
   */
  closed: ReadonlySet<string>;
}

export function buildNavigation(
  division: Division,
  pages: ReadonlyMap<string, Page>,
  /** Routes of files with unsafe names or in the reserved folder, which are already reported. */
  rejected: ReadonlySet<string>,
  placeOf: PositionOf,
): { navigation: Navigation; problems: Problem[] } {
  const problems: Problem[] = [];
  const positions = new Map<string, NavPage>();
  const places: NavPage[] = [];
  const closed = new Set<string>();

  /** Routes by their lowercase form. */
  let lowercase: Map<string, string> | undefined;
  const missing = (route: string, path: JsonPath, what: string) => {
    if (rejected.has(route)) return;
    lowercase ??= new Map([...pages.keys()].map((known) => [known.toLowerCase(), known]));
    const near = lowercase.get(route.toLowerCase());
    problems.push(
      problem(
        "nav-page-missing",
        placeOf(path),
        `${what} not found: ${route || "index"}`,
        near === undefined ? `Create ${route || "index"}.mdx, or remove the entry.` : `Did you mean ${near}?`,
      ),
    );
  };

  const place = (position: NavPage, isClosed: boolean) => {
    places.push(position);
    if (isClosed) closed.add(position.page.route);
  };

  const build = (from: Division, parent: NavNode | undefined, isParentClosed: boolean): NavNode => {
    const isClosed = isParentClosed || from.isClosed === true;
    const node = newNode(from, parent);

    if (from.root !== undefined) {
      const page = pages.get(from.root);
      if (!page) missing(from.root, [...from.path, "root"], "Root page");
      else {
        node.rootPage = page;
        place({ page, parent: node }, isClosed);
      }
    }

    for (const child of from.children) {
      // Operations were replaced by their pages.
      if (child.kind === "operation") continue;
      if (child.kind !== "page") node.children.push(build(child, node, isClosed));
      else {
        const page = pages.get(child.route);
        if (!page) missing(child.route, child.path, "Page");
        else {
          const position = { page, parent: node };
          node.children.push(position);
          place(position, isClosed || child.isClosed === true);
        }
      }
    }

    return node;
  };

  const root = build(division, undefined, false);

  // Default positions are known only once the whole tree is built.
  for (const position of places) {
    const known = positions.get(position.page.route);
    if (!known || (!isDefaultPosition(known) && isDefaultPosition(position)))
      positions.set(position.page.route, position);
  }

  return { navigation: { root, positions, closed }, problems };
}

/** Whether all versions and languages that contain a position are defaults. */
function isDefaultPosition(position: NavPage): boolean {
  return position.parent.chain.every(
    (node) =>
      !node.parent ||
      !["version", "language"].includes(node.division.kind) ||
      defaultChild(node.parent) === node,
  );
}

/** Creates a node without children. */
export function newNode(division: Division, parent: NavNode | undefined): NavNode {
  const chain: NavNode[] = [...(parent?.chain ?? [])];
  const node = { division, children: [], chain, ...(parent ? { parent } : {}) };
  chain.push(node);
  return node;
}

/**
 * Returns the child division that is marked as default, or else the first one that isn't hidden, or else the
 * first one. Undefined if there are none.
 */
export function defaultChild(node: NavNode): NavNode | undefined {
  const nodes = node.children.filter((child): child is NavNode => !isPage(child));
  return (
    nodes.find((child) => child.division.isDefault) ??
    nodes.find((child) => !child.division.hidden) ??
    nodes[0]
  );
}

/**
 * Returns the node whose children are shown in a page's sidebar: the nearest ancestor that isn't a group, or
 * else the root.
 */
export function sectionOf(position: NavPage): NavNode {
  let node = position.parent;
  while (node.division.kind === "group" && node.parent) node = node.parent;
  return node;
}

/**
 * Determines whether a position is below a hidden division. If so, `searchable` is whether the nearest hidden
 * division, or a division between it and the position, is searchable.
 */
export function hiddenState(position: NavPage): { hidden: boolean; searchable: boolean } {
  let hidden = false;
  let searchable = false;
  for (const { division } of position.parent.chain) {
    if (division.hidden) {
      hidden = true;
      searchable = division.searchable;
    } else if (hidden && division.searchable) searchable = true;
  }
  return { hidden, searchable };
}

/**
 * Yields the pages below a node in reading order. Skips hidden divisions unless `includeHidden` is set. The
 * default version or language comes first. A group's root page comes first if the group doesn't list it.
 */
export function* pagesBelow(node: NavNode, options: { includeHidden?: boolean } = {}): Generator<NavPage> {
  const listed = node.children.some((child) => isPage(child) && child.page === node.rootPage);
  if (node.rootPage && !listed) yield { page: node.rootPage, parent: node };
  const first = ["version", "language"].includes(firstKind(node)) ? defaultChild(node) : undefined;
  const ordered = first ? [first, ...node.children.filter((child) => child !== first)] : node.children;
  for (const child of ordered) {
    if (isPage(child)) yield child;
    else if (options.includeHidden || !child.division.hidden) yield* pagesBelow(child, options);
  }
}

function firstKind(node: NavNode): string {
  const child = node.children[0];
  return child && !isPage(child) ? child.division.kind : "page";
}
