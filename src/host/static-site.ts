/** Which file answers an address: clean addresses, redirects and the page for unknown ones. */

import { mimes } from "mrmime";
import { parseUrl } from "../base/url.ts";
import { encodePath } from "../engine/paths.ts";
import { firstRedirect, locationOf, openRedirects, type Redirects } from "../engine/site/redirects.ts";
import { isInternal, isReserved } from "../layout/site-layout.ts";

export interface SiteSource {
  has(path: string): boolean;
}

/** The redirects of a site and how its URLs are written, from the table that the export wrote. */
export interface RedirectTable {
  redirects: Redirects;
  notFound: "home" | "page";
  /** Pages have one address each, without `.html`; otherwise links name the files, and both spellings hold. */
  isClean: boolean;
  /** Addresses of pages end with a slash. */
  trailingSlash: boolean;
  /** HTML files of the author's, which are no pages: they stand at their own path. */
  htmlFiles: ReadonlySet<string>;
  /** Paths whose files have other names, which every file system takes. */
  files: ReadonlyMap<string, string>;
  /** Files that browsers save instead of showing. */
  downloads: ReadonlySet<string>;
}

interface ListedTable {
  redirects: { source: string; destination: string; status: number }[];
  notFound: "home" | "page";
  links?: "clean";
  trailingSlash?: boolean;
  htmlFiles?: string[];
  files?: Record<string, string>;
  downloads?: string[];
}

/** Without a table, a site of clean addresses that redirects nothing. */
export function readRedirectTable(json: Uint8Array | undefined): RedirectTable {
  const listed: ListedTable = json
    ? (JSON.parse(new TextDecoder().decode(json)) as ListedTable)
    : { redirects: [], notFound: "page", links: "clean" };
  return {
    redirects: openRedirects(listed.redirects.map(({ status, ...redirect }) => ({ ...redirect, permanent: status === 308 }))),
    notFound: listed.notFound,
    isClean: listed.links === "clean",
    trailingSlash: listed.trailingSlash === true,
    htmlFiles: new Set(listed.htmlFiles),
    files: new Map(Object.entries(listed.files ?? {})),
    downloads: new Set(listed.downloads),
  };
}

/** `at`: the file that stands at the place a redirect leads to, when it is one of the site's own spellings. */
export type Answer = { status: 200; path: string } | { status: 404 } | { status: 307 | 308; location: string; at?: string };

/** By extension. Listed here is what `mrmime` lacks, or has under a name that is not registered. */
const types = new Map(
  Object.entries({
    ...mimes,
    eot: "application/vnd.ms-fontobject",
    ico: "image/x-icon",
    xml: "application/xml",
    yaml: "application/yaml",
    yml: "application/yaml",
  }),
);

/** `Content-Type` of a file; hosts send `application/octet-stream` as a download. */
export function typeOf(path: string): string {
  const type = types.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? "application/octet-stream";
  return /^text\/|^application\/(?:json|xml|yaml)$/.test(type) ? `${type}; charset=utf-8` : type;
}

export const notFoundPage = "404.html";

/** `pathname`: decoded, with its slash; `table`: what the export wrote; `markdown`: the reader asked for text rather than HTML. */
export function answer(pathname: string, source: SiteSource, table: RedirectTable, markdown = false): Answer {
  const unknown: Answer = { status: 404 };
  const redirect = firstRedirect(pathname, table.redirects);
  const location = redirect && locationOf(redirect.destination);
  if (location !== undefined) return { status: redirect!.permanent ? 308 : 307, location };

  const path = pathname.slice(1);
  const named = (file: string) => table.files.get(file) ?? file;
  const has = (file: string) => source.has(named(file));
  if (isReserved(path)) return source.has(path) && !isInternal(path) ? { status: 200, path } : unknown;
  const spelled = path.replace(/\/$/, "");
  const isFile = has(spelled) && (!spelled.endsWith(".html") || table.htmlFiles.has(spelled));
  const route = isFile || !has(spelled) ? spelled : spelled.slice(0, -".html".length);
  const page = route === "index" ? "" : route;
  const file = `${page || "index"}.html`;
  if (has(file) && file !== notFoundPage && !table.htmlFiles.has(file)) {
    const canonical = `/${page}${page && table.trailingSlash ? "/" : ""}`;
    const isKept = pathname === canonical || (!table.isClean && pathname === `/${file}`);
    if (!isKept) return { status: 308, location: encodePath(canonical), at: named(file) };
    const twin = `${page || "index"}.md`;
    return { status: 200, path: named(markdown && has(twin) ? twin : file) };
  }
  if (isFile)
    return path === spelled ? { status: 200, path: named(path) } : { status: 308, location: `/${encodePath(spelled)}`, at: named(spelled) };
  // Addresses in OpenAPI documents are lower-cased, and links to them may not be.
  const lower = spelled.toLowerCase();
  const lowerFile = `${lower}.html`;
  if (lower === spelled || !has(lowerFile) || lowerFile === notFoundPage || table.htmlFiles.has(lowerFile)) return unknown;
  return { status: 308, location: encodePath(`/${lower}${table.trailingSlash ? "/" : ""}`), at: named(lowerFile) };
}

/** Redirects that lead from one to the next before it is called a circle. */
const hops_count = 10;

/** The file that a redirect of the author's leads to in the end: empty for a path without a file, undefined for another site. */
export function targetOf(location: string, source: SiteSource, table: RedirectTable): string | undefined {
  const here = "http://site.invalid";
  let next = location;
  for (let hop = 0; hop < hops_count; hop++) {
    const url = parseUrl(next, here);
    if (url?.origin !== here) return undefined;
    const found = answer(decoded(url.pathname), source, table);
    if (!("location" in found)) return found.status === 200 ? found.path : "";
    if (found.at !== undefined) return found.at;
    next = found.location;
  }
  return "";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a reader at an unknown address is sent to the home page: docs.json may say so of pages, not of files. */
export function leadsHome(pathname: string, { notFound }: RedirectTable): boolean {
  return notFound === "home" && pathname !== "/" && !/\.\w+$/.test(pathname) && !isReserved(pathname.slice(1));
}
