/** Resolves root-relative links, and finds the broken links of a site. */

import { type Problem, problem } from "../../base/problem.ts";
import { nearest } from "../../base/text.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";
import { decodePath, isPageFile, routeOfEntry } from "../paths.ts";
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
export function findTarget(address: string, book: LinkTargets): Target {
  const [, raw, suffix] = /^([^?#]*)(.*)$/s.exec(address)!;
  const path = decodePath(raw!).replace(/^\/+/, "");
  const direct = lookUp(path, suffix!, book);
  if (direct) return direct;
  const redirected = followRedirect(`/${path}`, book.redirects);
  if (redirected !== undefined) {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(redirected)) return { kind: "external", href: redirected };
    const [, target, own] = /^([^?#]*)(.*)$/s.exec(redirected)!;
    const found = lookUp(decodePath(target!).replace(/^\/+/, ""), own || suffix!, book);
    if (found) return found;
  }
  return { kind: "missing", path, suffix: suffix! };
}

function lookUp(path: string, suffix: string, book: LinkTargets): Target | undefined {
  const page = book.pages.get(path) ?? book.pages.get(routeOfEntry(path)) ?? book.pages.get(routeOfEntry(path.replace(/\.html$/, "")));
  if (page && !(isPageFile(path) && book.generated.has(path))) return { kind: "page", page, suffix };
  if (book.served.has(path) || book.generated.has(path)) return { kind: "file", path, suffix };
  return undefined;
}

export function checkLinks(book: LinkTargets): Problem[] {
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
      if (target.kind === "missing") {
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

/** Reports a missing logo or favicon. */
export function checkPictures({ logo, favicon }: DocsJson, book: LinkTargets, placeOf: PositionOf): Problem[] {
  return Object.entries({ logo, favicon }).flatMap(([key, value]) => {
    const addresses = typeof value === "object" ? [value.light, value.dark] : [value];
    const gone = addresses.find((address) => address && !isPicture(address, book));
    return gone ? [problem("missing-image", placeOf([key]), `There is no file ${gone}, which docs.json names as ${key}`)] : [];
  });
}

/** Whether a URL is that of a served file. Also true for external URLs, which are not checked. */
export function isPicture(address: string, book: LinkTargets): boolean {
  return /^(?:https?:)?\/\//.test(address) || book.served.has(decodePath(address.replace(/[?#].*$/s, "")).replace(/^\.?\/+/, ""));
}

/** Paths of pages that are similar to a missing path, for suggestions. At most 400, since comparing all pages of a large site would be slow. */
function candidates(path: string, book: LinkTargets): string[] {
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
