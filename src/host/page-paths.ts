/** Finds the canonical, decoded paths of a site's pages, and checks whether a site has a path. */

import { mayRead, type Reader } from "../base/access.ts";
import { isReserved } from "../layout/site-layout.ts";
import type { HostedSite } from "./hosted-site.ts";
import { accessOf, fileAt } from "./manifest-files.ts";
import { notFoundPage, resolvePath } from "./resolve-path.ts";
import type { SiteTables } from "./site-tables.ts";

type Pages = Pick<HostedSite, "manifest">;

/**
 * Returns the canonical path and the file of the page at a URL path, with or without a query and fragment.
 * Undefined if there is no page.
 */
export function pageAt(
  url: string,
  { manifest }: Pages,
  { redirects }: SiteTables,
): { path: string; file: string } | undefined {
  let pathname: string;
  try {
    pathname = decodeURIComponent(`/${url.replace(/[?#].*$/s, "").replace(/^\/+/, "")}`);
  } catch {
    return undefined;
  }
  const found = resolvePath(pathname, { has: (name) => fileAt(manifest, name) !== undefined }, redirects);
  const file = found.status === 200 ? found.path : "at" in found ? found.at : undefined;
  const path = file === undefined ? undefined : pageOfFile(file, { manifest }, { redirects });
  return path === undefined ? undefined : { path, file: file! };
}

/**
 * Returns the variant of a page's HTML, Markdown or feed that this reader sees. Undefined for a file that is
 * the same for all of its readers. `file`: the file at the page's path.
 */
export function variantFor(
  file: string,
  site: HostedSite,
  { redirects }: Pick<SiteTables, "redirects">,
  reader: Reader | undefined,
): string | undefined {
  if (redirects.variants.size === 0) return undefined;
  const route = file.replace(/(?:\.html|\.md|(?:^|\/)rss\.xml)$/, "");
  const folders = redirects.variants.get(route === "index" ? "" : route);
  if (!folders) return undefined;
  const own = [...folders].reverse().map((folder) => folder + file);
  return own.find((path) => fileAt(site.manifest, path) && mayRead(accessOf(site, path), reader)) ?? file;
}

/** Returns the path of the page that a file contains. Undefined if the file isn't a page. */
function pageOfFile(
  file: string,
  { manifest }: Pages,
  { redirects }: Pick<SiteTables, "redirects">,
): string | undefined {
  const isPage =
    file.endsWith(".html") && !isReserved(file) && file !== notFoundPage && !redirects.htmlFiles.has(file);
  if (!isPage || !fileAt(manifest, file)) return undefined;
  const route = file.slice(0, -".html".length);
  return route === "index" ? "/" : `/${route}`;
}

/**
 * Returns the path under which a program's request for a file is counted: the page's path for a page or its
 * Markdown, or the path of llms.txt or llms-full.txt. Undefined for other files, which aren't counted.
 */
export function countedPathOf(file: string, site: Pages, tables: SiteTables): string | undefined {
  const listed = /^(?:\.well-known\/)?(llms(?:-full)?\.txt)$/.exec(file);
  return listed ? `/${listed[1]}` : pageOfFile(file.replace(/\.md$/, ".html"), site, tables);
}

/**
 * Whether a percent-encoded path belongs to a page or file of the site that this reader may read. False for
 * HTML files of authors and for paths below `_octavo/`.
 */
export function isOwnPath(
  site: HostedSite,
  { redirects }: SiteTables,
  reader: Reader | undefined,
  path: string,
): boolean {
  let name: string;
  try {
    name = decodeURIComponent(path).replace(/^\/+|\/+$/g, "");
  } catch {
    return false;
  }
  if (isReserved(name)) return false;
  const page = `${name || "index"}.html`;
  return [page, name].some(
    (file) =>
      fileAt(site.manifest, file) && !redirects.htmlFiles.has(file) && mayRead(accessOf(site, file), reader),
  );
}
