/** Where an address leads, and which of a site's links lead nowhere. */
import { type Problem, problem } from "../../base/problem.ts";
import { nearest } from "../../base/text.ts";
import type { PlaceOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";
import { decodePath, isPageFile, routeOfEntry } from "../paths.ts";
import { followRedirect, type Redirects } from "./redirects.ts";
import type { Page } from "./site-page.ts";

export type Target =
  | { kind: "page"; page: Page; suffix: string }
  | { kind: "file"; path: string; suffix: string }
  | { kind: "elsewhere"; href: string }
  | { kind: "nowhere"; path: string; suffix: string };

export interface AddressBook {
  pages: ReadonlyMap<string, Page>;
  /** Files that are served as they are. */
  served: ReadonlySet<string>;
  redirects: Redirects;
  /** Addresses that the export adds, such as feeds and llms.txt. */
  generated: ReadonlySet<string>;
}

/** Finds what a root-relative address (`/guides/start?x#y`) means. */
export function findTarget(address: string, book: AddressBook): Target {
  const [, raw, suffix] = /^([^?#]*)(.*)$/s.exec(address)!;
  const path = decodePath(raw!).replace(/^\/+/, "");
  const direct = lookUp(path, suffix!, book);
  if (direct) return direct;
  const redirected = followRedirect(`/${path}`, book.redirects);
  if (redirected !== undefined) {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(redirected)) return { kind: "elsewhere", href: redirected };
    const [, target, own] = /^([^?#]*)(.*)$/s.exec(redirected)!;
    const found = lookUp(decodePath(target!).replace(/^\/+/, ""), own || suffix!, book);
    if (found) return found;
  }
  return { kind: "nowhere", path, suffix: suffix! };
}

function lookUp(path: string, suffix: string, book: AddressBook): Target | undefined {
  const page = book.pages.get(path) ?? book.pages.get(routeOfEntry(path)) ?? book.pages.get(routeOfEntry(path.replace(/\.html$/, "")));
  if (page && !(isPageFile(path) && book.generated.has(path))) return { kind: "page", page, suffix };
  if (book.served.has(path) || book.generated.has(path)) return { kind: "file", path, suffix };
  return undefined;
}

export function checkLinks(book: AddressBook): Problem[] {
  const problems: Problem[] = [];
  const anchors = new Map<Page, Set<string>>();
  const anchorsOf = (page: Page) => {
    let known = anchors.get(page);
    if (!known) anchors.set(page, (known = new Set(page.summary.anchors)));
    return known;
  };
  for (const page of book.pages.values()) {
    const seen = new Set<string>();
    for (const link of page.summary.links) {
      if (seen.has(link.address)) continue;
      seen.add(link.address);
      const place = { file: page.file, ...(link.line ? { line: link.line, column: link.column ?? 1 } : {}) };
      const target: Target = link.address.startsWith("#") ? { kind: "page", page, suffix: link.address } : findTarget(link.address, book);
      if (target.kind === "nowhere") {
        if (link.kind === "image") problems.push(problem("missing-image", place, `There is no file ${link.address}`));
        else {
          const near = nearest(`/${target.path}`, candidates(target.path, book));
          problems.push(problem("dead-link", place, `Nothing stands at ${link.address}`, near && `Did you mean ${near}?`));
        }
      } else if (target.kind === "page") {
        const anchor = decodePath(/#(.*)$/s.exec(target.suffix)?.[1] ?? "");
        if (book.redirects.fragments.get(target.page.route)?.has(anchor)) continue;
        if (anchor && anchor !== "top" && !anchor.startsWith(":~:") && !anchorsOf(target.page).has(anchor)) {
          const near = nearest(anchor, anchorsOf(target.page));
          problems.push(problem("dead-anchor", place, `/${target.page.route} has no #${anchor}`, near && `Did you mean #${near}?`));
        }
      }
    }
  }
  return problems;
}

/** The site's own pictures: a logo that is not there is no logo. */
export function checkPictures({ logo, favicon }: DocsJson, book: AddressBook, placeOf: PlaceOf): Problem[] {
  return Object.entries({ logo, favicon }).flatMap(([key, value]) => {
    const addresses = typeof value === "object" ? [value.light, value.dark] : [value];
    const gone = addresses.find((address) => address && !isPicture(address, book));
    return gone ? [problem("missing-image", placeOf([key]), `There is no file ${gone}, which docs.json names as ${key}`)] : [];
  });
}

/** Whether an address leads to a file of the folder, or elsewhere, where nobody can look. */
export function isPicture(address: string, book: AddressBook): boolean {
  return /^(?:https?:)?\/\//.test(address) || book.served.has(decodePath(address.replace(/[?#].*$/s, "")).replace(/^\.?\/+/, ""));
}

/** Pages that share the last part or the folder of a path: comparing with every page of a large site would cost too much. */
function candidates(path: string, book: AddressBook): string[] {
  const last = path.split("/").at(-1)!.toLowerCase();
  const folder = path.split("/").slice(0, -1).join("/");
  const out: string[] = [];
  for (const route of book.pages.keys()) {
    if (route.toLowerCase().endsWith(last) || (folder !== "" && route.startsWith(`${folder}/`)) || (book.pages.size < 500 && folder === ""))
      out.push(`/${route}`);
    if (out.length >= 400) break;
  }
  return out;
}
