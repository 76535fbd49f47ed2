/** Resolves URL paths to files: clean URLs, redirects and "page not found". */

import { parseUrl, percentDecoded } from "../base/url.ts";
import { encodePath } from "../engine/paths.ts";
import {
  firstRedirect,
  locationOf,
  openRedirects,
  type Redirects,
} from "../engine/site/navigation/redirects.ts";
import { isInternal, isReserved } from "../layout/site-layout.ts";

/** Checks which files an export contains. */
export interface ExportedFiles {
  has(path: string): boolean;
}

/**
 * The table in an export that hosts use to resolve paths: redirects, file names, downloads and missing pages.
 */
export interface RedirectTable {
  redirects: Redirects;
  /** Response to a request for a missing page: a redirect to the home page, or the "page not found" page. */
  notFound: "home" | "page";
  /**
   * Whether each page has only one URL, without `.html`. Otherwise links contain `.html`, and URLs with and
   * without it are served.
   */
  isClean: boolean;
  /**
   * Base path that the export was built for, such as `/docs`. Clean links start with it. Empty for the root
   * of a host.
   */
  basePath: string;
  /** Whether URLs of pages end with a slash. */
  trailingSlash: boolean;
  /** Routes of the pages that are shown at the paths of folders without a page, by the folder's route. */
  landings: ReadonlyMap<string, string>;
  /** Paths of authors' HTML files. They aren't pages, and are served at their path with `.html`. */
  htmlFiles: ReadonlySet<string>;
  /**
   * Names of files in the export by path. Only for paths that aren't valid and unique file names on every
   * system.
   */
  files: ReadonlyMap<string, string>;
  /** Names of files that browsers should save instead of showing. */
  downloads: ReadonlySet<string>;
  /**
   * Folders with variants of a page's files, by route. A reader sees the last variant with access, or else
   * the files at the page's path.
   */
  variants: ReadonlyMap<string, readonly string[]>;
}

interface ListedTable {
  redirects: { source: string; destination: string; status: number }[];
  notFound: "home" | "page";
  links?: "clean";
  basePath?: string;
  trailingSlash?: boolean;
  landings?: Record<string, string>;
  htmlFiles?: string[];
  files?: Record<string, string>;
  downloads?: string[];
  /** `variants` of `RedirectTable`. */
  versions?: Record<string, string[]>;
}

/** Parses the table. If there is none, the site has clean URLs and no redirects. */
export function readRedirectTable(json: Uint8Array | undefined): RedirectTable {
  const listed: ListedTable = json
    ? (JSON.parse(new TextDecoder().decode(json)) as ListedTable)
    : { redirects: [], notFound: "page", links: "clean" };

  return {
    redirects: openRedirects(
      listed.redirects.map(({ status, ...redirect }) => ({ ...redirect, permanent: status === 308 })),
    ),
    notFound: listed.notFound,
    isClean: listed.links === "clean",
    basePath: listed.basePath ?? "",
    trailingSlash: listed.trailingSlash === true,
    landings: new Map(Object.entries(listed.landings ?? {})),
    htmlFiles: new Set(listed.htmlFiles),
    files: new Map(Object.entries(listed.files ?? {})),
    downloads: new Set(listed.downloads),
    variants: new Map(Object.entries(listed.versions ?? {})),
  };
}

/**
 * Result of `resolvePath`. `at` is the file that a redirect to a canonical URL leads to. Absent for redirects
 * that authors configure.
 */
export type PathResolution =
  | { status: 200; path: string }
  | { status: 404 }
  | { status: 307 | 308; location: string; at?: string };

/** Path of the "page not found" page. Only served with status 404. */
export const notFoundPage = "404.html";

/**
 * Resolves a decoded path with a leading slash. `markdown`: whether the client prefers Markdown or plain text
 * over HTML.
 */
export function resolvePath(
  pathname: string,
  files: ExportedFiles,
  table: RedirectTable,
  markdown = false,
): PathResolution {
  const unknown: PathResolution = { status: 404 };
  const path = pathname.slice(1);
  if (isReserved(path)) return files.has(path) && !isInternal(path) ? { status: 200, path } : unknown;

  const spelled = path.replace(/\/$/, "");
  const isExact = table.redirects.exact.has(pathname.replace(/(.)\/+$/, "$1"));
  const landing = table.landings.get(spelled);

  // The file at the path of a redirect or landing page only redirects, for hosts without this table.
  const found = isExact || landing !== undefined ? undefined : fileAt(path, spelled, files, table, markdown);
  if (found) return found;
  const redirect = firstRedirect(pathname, table.redirects);
  const location = redirect && locationOf(redirect.destination);
  if (location !== undefined) return { status: redirect!.permanent ? 308 : 307, location };

  const end = table.trailingSlash ? "/" : "";
  const named = (file: string) => table.files.get(file) ?? file;

  if (landing !== undefined)
    return {
      status: 307,
      location: encodePath(`/${landing}${landing && end}`),
      at: named(`${landing || "index"}.html`),
    };

  // Paths of generated API pages are in lower case, but links to them may contain capitals.
  const lower = spelled.toLowerCase();
  const lowerFile = `${lower}.html`;
  if (lower === spelled || !files.has(named(lowerFile)) || table.htmlFiles.has(lowerFile)) return unknown;

  return { status: 308, location: encodePath(`/${lower}${end}`), at: named(lowerFile) };
}

/** Finds the page or file at a path. `spelled`: the path without a slash at the end. */
function fileAt(
  path: string,
  spelled: string,
  files: ExportedFiles,
  table: RedirectTable,
  markdown: boolean,
): PathResolution | undefined {
  const named = (file: string) => table.files.get(file) ?? file;
  const has = (file: string) => files.has(named(file));
  const isFile = has(spelled) && (!spelled.endsWith(".html") || table.htmlFiles.has(spelled));
  const route = isFile || !has(spelled) ? spelled : spelled.slice(0, -".html".length);
  const page = route === "index" ? "" : route;
  const file = `${page || "index"}.html`;
  if (has(file) && file !== notFoundPage && !table.htmlFiles.has(file)) {
    const canonical = `${page}${page && table.trailingSlash ? "/" : ""}`;
    const isAccepted = path === canonical || (!table.isClean && path === file);
    if (!isAccepted) return { status: 308, location: encodePath(`/${canonical}`), at: named(file) };
    const twin = `${page || "index"}.md`;
    return { status: 200, path: named(markdown && has(twin) ? twin : file) };
  }

  if (!isFile) return undefined;
  return path === spelled
    ? { status: 200, path: named(path) }
    : { status: 308, location: `/${encodePath(spelled)}`, at: named(spelled) };
}

/** Maximum number of redirects that `targetOf` follows. A longer chain counts as a loop. */
const hops_count = 10;

/**
 * Returns the file that an author's redirect leads to, after any further redirects. Empty if there is no such
 * file or the redirects form a loop. Undefined if the target is on a different site or isn't a valid URL.
 */
export function targetOf(location: string, files: ExportedFiles, table: RedirectTable): string | undefined {
  const here = "http://site.invalid";
  let next = location;
  for (let hop = 0; hop < hops_count; hop++) {
    const url = parseUrl(next, here);
    if (url?.origin !== here) return undefined;
    const found = resolvePath(percentDecoded(url.pathname), files, table);
    if (!("location" in found)) return found.status === 200 ? found.path : "";
    if (found.at !== undefined) return found.at;
    next = found.location;
  }
  return "";
}

/**
 * Whether requests for a missing page are redirected to the home page, which authors can turn off in
 * docs.json. False for the home page, for paths with a file extension and for paths below `_octavo/`.
 */
export function redirectsHome(pathname: string, { notFound }: RedirectTable): boolean {
  return (
    notFound === "home" && pathname !== "/" && !/\.\w+$/.test(pathname) && !isReserved(pathname.slice(1))
  );
}
