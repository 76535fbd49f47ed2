/** Finds the page or file that a root-relative link refers to. */

import { percentDecoded } from "../../base/url.ts";
import { paramIdOf } from "../html/anchor-ids.ts";
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

const idsOfPages = new WeakMap<Page, ReadonlySet<string>>();

/** Returns the ids of the elements on a page. */
export function idsOn(page: Page): ReadonlySet<string> {
  let ids = idsOfPages.get(page);
  if (!ids) idsOfPages.set(page, (ids = new Set(page.summary.anchors.split("\n"))));
  return ids;
}

/**
 * Returns the id that an anchor refers to. Undefined if there is none. Links can use the name of a parameter: `user_id` refers to
 * `param-user-id`.
 */
export function idOfAnchor(anchor: string, page: Page): string | undefined {
  const ids = idsOn(page);
  if (ids.has(anchor)) return anchor;
  const id = paramIdOf(anchor);
  return ids.has(id) ? id : undefined;
}

/** Whether a URL refers to a served file of the documentation folder, or to another host. URLs of other hosts aren't checked. */
export function isServedOrExternal(url: string, targets: LinkTargets): boolean {
  return /^(?:https?:)?\/\//.test(url) || targets.served.has(percentDecoded(url.replace(/[?#].*$/s, "")).replace(/^\.?\/+/, ""));
}
