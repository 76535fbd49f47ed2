/** Finds the same page in another version or language. */

import type { Page } from "../site/page.ts";
import { isPage, type NavNode, type NavPage, pagesBelow } from "../site/resolve-navigation.ts";

/**
 * Returns the page to show when the reader switches to a different version or language. If possible, the same
 * page, or else the page whose path differs only in the folder of the version or language. Otherwise, the
 * first page of the innermost group that both divisions have, in the same version, language or other division
 * if possible, or else the division's first page. For divisions of other kinds, the first page.
 */
export function switchTarget(node: NavNode, position: NavPage | undefined): NavPage | undefined {
  if (!position || (node.division.kind !== "version" && node.division.kind !== "language"))
    return firstPage(node);
  const same = routesBelow(node).get(position.page.route) ?? counterpart(node, position);
  if (same) return same;
  const chain = position.parent.chain;
  const scope = sameDivision(node, chain);
  for (const group of chain.filter((step) => step.division.kind === "group").reverse()) {
    const other = findGroup(scope, group.division.label);
    const page = other && firstPage(other);
    if (page) return page;
  }
  return firstPage(scope) ?? firstPage(node);
}

/**
 * Returns the page in another division whose path differs only in the folder of the division, or else the
 * page with the same operation. Undefined if there is none.
 */
export function counterpart(node: NavNode, position: NavPage): NavPage | undefined {
  const here = position.parent.chain.find((step) => step.parent === node.parent)?.division.label;
  const segments = position.page.route.split("/").filter(Boolean);
  const other = node.division.label;
  const candidates = [
    segments.map((part) => (part === here ? other : part)),
    ...[...segments, ""].map((_, index) => segments.toSpliced(index, 0, other)),
    segments.filter((part) => part !== here),
  ];

  const routes = routesBelow(node);
  const found = candidates
    .map((candidate) => candidate.join("/"))
    .filter((route) => route !== position.page.route)
    .map((route) => routes.get(route))
    .find(Boolean);

  if (found) return found;
  const key = operationKey(position.page);
  const same = key === undefined ? undefined : operationsBelow(node).get(key);
  return same?.page === position.page ? undefined : same;
}

/** Returns the method and path of the operation that a page shows. Undefined for other pages. */
function operationKey({ reference }: Page): string | undefined {
  return reference?.kind === "operation" ? `${reference.entry.method} ${reference.entry.path}` : undefined;
}

function firstPage(node: NavNode): NavPage | undefined {
  return pagesBelow(node).next().value ?? undefined;
}

/**
 * Returns the innermost division below a node that has the same labels as the divisions of a page. `chain`:
 * the page's ancestors.
 */
function sameDivision(node: NavNode, chain: readonly NavNode[]): NavNode {
  const start = chain.findIndex((step) => step.parent === node.parent);
  let scope = node;
  for (const { division } of chain.slice(start + 1)) {
    if (division.kind === "group") break;
    const same = scope.children.find(
      (child) =>
        !isPage(child) && child.division.kind === division.kind && child.division.label === division.label,
    );
    if (same && firstPage(same as NavNode)) scope = same as NavNode;
  }
  return scope;
}

const routesCache = new WeakMap<NavNode, ReadonlyMap<string, NavPage>>();

function routesBelow(node: NavNode): ReadonlyMap<string, NavPage> {
  let routes = routesCache.get(node);
  if (!routes) {
    const positions = new Map<string, NavPage>();
    for (const position of pagesBelow(node))
      if (!positions.has(position.page.route)) positions.set(position.page.route, position);
    routes = positions;
    routesCache.set(node, routes);
  }
  return routes;
}

const operationsCache = new WeakMap<NavNode, ReadonlyMap<string, NavPage>>();

function operationsBelow(node: NavNode): ReadonlyMap<string, NavPage> {
  let operations = operationsCache.get(node);
  if (!operations) {
    const positions = new Map<string, NavPage>();
    for (const position of routesBelow(node).values()) {
      const key = operationKey(position.page);
      if (key !== undefined && !positions.has(key)) positions.set(key, position);
    }
    operations = positions;
    operationsCache.set(node, operations);
  }
  return operations;
}

function findGroup(node: NavNode, label: string): NavNode | undefined {
  for (const child of node.children) {
    if (isPage(child) || child.division.hidden) continue;
    const found =
      child.division.kind === "group" && child.division.label === label ? child : findGroup(child, label);
    if (found) return found;
  }
  return undefined;
}
