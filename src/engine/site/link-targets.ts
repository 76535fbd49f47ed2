/** Finds the page or file that a root-relative link refers to. */

import { percentDecoded } from "../../base/url.ts";
import { indexIds, matchAnchor } from "../html/anchor-ids.ts";
import { isPageFile, routeOfEntry } from "../paths.ts";
import { followRedirect, type Redirects } from "./redirects.ts";
import type { Page } from "./site-page.ts";

export type Target =
  | { kind: "page"; page: Page; suffix: string }
  | { kind: "file"; path: string; suffix: string }
  | { kind: "external"; href: string }
  | { kind: "missing"; path: string; suffix: string };

export interface LinkTargets {
  pages: ReadonlyMap<string, Page>;
  /** Paths of the files in the documentation folder that are served. */
  served: ReadonlySet<string>;
  redirects: Redirects;
  /** Paths of files that the export generates, such as feeds and llms.txt. */
  generated: ReadonlySet<string>;
}

/** Finds the target of a root-relative URL such as `/guides/start?x#y`, following redirects. */
export function findTarget(address: string, targets: LinkTargets): Target {
  const end = address.search(/[?#]/);
  const suffix = end < 0 ? "" : address.slice(end);
  const raw = end < 0 ? address : address.slice(0, end);
  const path = (raw.includes("%") ? percentDecoded(raw) : raw).replace(/^\/+/, "");
  const direct = lookUp(path, suffix, targets);
  if (direct) return direct;
  const redirected = followRedirect(`/${path}`, targets.redirects);
  if (redirected !== undefined) {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(redirected)) return { kind: "external", href: redirected };
    const [, target, own] = /^([^?#]*)(.*)$/s.exec(redirected)!;
    const found = lookUp(percentDecoded(target!).replace(/^\/+/, ""), own || suffix, targets);
    if (found) return found;
  }
  return { kind: "missing", path, suffix };
}

function lookUp(path: string, suffix: string, targets: LinkTargets): Target | undefined {
  const page =
    targets.pages.get(path) ?? targets.pages.get(routeOfEntry(path)) ?? targets.pages.get(routeOfEntry(path.replace(/\.html$/, "")));
  if (page && !(isPageFile(path) && targets.generated.has(path))) return { kind: "page", page, suffix };
  if (targets.served.has(path) || targets.generated.has(path)) return { kind: "file", path, suffix };
  return undefined;
}

const idsOfPages = new WeakMap<Page, { ids: ReadonlySet<string>; compact?: ReadonlyMap<string, string> }>();

function indexOf(page: Page) {
  let index = idsOfPages.get(page);
  if (!index) idsOfPages.set(page, (index = { ids: new Set(page.summary.anchors.split("\n")) }));
  return index;
}

/** Returns the ids of the elements on a page. */
export function idsOn(page: Page): ReadonlySet<string> {
  return indexOf(page).ids;
}

/** Returns the id on a page that an anchor refers to, in any spelling that `matchAnchor` accepts. Undefined if there is none. */
export function idOfAnchor(anchor: string, page: Page): string | undefined {
  const index = indexOf(page);
  return matchAnchor(
    anchor,
    (id) => index.ids.has(id),
    () => (index.compact ??= indexIds(index.ids)),
  );
}

/** Returns the ids for the anchors in a page's links that differ from the id they refer to. They depend on the content of other pages. */
export function respelledAnchors(page: Page, targets: LinkTargets): string[] {
  return page.summary.links.flatMap(({ address }) => {
    const start = address.indexOf("#");
    if (start <= 0) return [];
    const target = findTarget(address, targets);
    if (target.kind !== "page") return [];
    const anchor = percentDecoded(address.slice(start + 1));
    const id = idOfAnchor(anchor, target.page);
    return id === undefined || id === anchor ? [] : [id];
  });
}

/** Whether a URL refers to a served file of the documentation folder, or to another host. URLs of other hosts aren't checked. */
export function isServedOrExternal(url: string, targets: LinkTargets): boolean {
  return /^(?:https?:)?\/\//.test(url) || targets.served.has(percentDecoded(url.replace(/[?#].*$/s, "")).replace(/^\.?\/+/, ""));
}
