/** Addresses of a site's pages, as they are counted: one for each page, decoded, whatever it was asked by. */

import { mayRead, type Reader } from "../base/access.ts";
import { isReserved } from "../layout/site-layout.ts";
import type { HostedSite } from "./hosted-site.ts";
import { accessOf, fileAt } from "./manifest-files.ts";
import type { SiteTables } from "./site-tables.ts";
import { answer, notFoundPage } from "./static-site.ts";

type Pages = Pick<HostedSite, "manifest">;

/** The page that an address shows, and the file of it; undefined for whatever is no page. */
export function pageAt(address: string, { manifest }: Pages, { redirects }: SiteTables): { path: string; file: string } | undefined {
  let pathname: string;
  try {
    pathname = decodeURIComponent(`/${address.replace(/[?#].*$/s, "").replace(/^\/+/, "")}`);
  } catch {
    return undefined;
  }
  const found = answer(pathname, { has: (name) => fileAt(manifest, name) !== undefined }, redirects);
  const file = found.status === 200 ? found.path : "at" in found ? found.at : undefined;
  const path = file === undefined ? undefined : pageOfFile(file, { manifest }, { redirects });
  return path === undefined ? undefined : { path, file: file! };
}

/** The page that a file holds. */
function pageOfFile(file: string, { manifest }: Pages, { redirects }: Pick<SiteTables, "redirects">): string | undefined {
  const isPage = file.endsWith(".html") && !isReserved(file) && file !== notFoundPage && !redirects.htmlFiles.has(file);
  if (!isPage || !fileAt(manifest, file)) return undefined;
  const route = file.slice(0, -".html".length);
  return route === "index" ? "/" : `/${route}`;
}

/** What a program reads of a page: the page, its Markdown, or the files that list all of them. */
export function readOfFile(file: string, site: Pages, tables: SiteTables): string | undefined {
  const listed = /^(?:\.well-known\/)?(llms(?:-full)?\.txt)$/.exec(file);
  return listed ? `/${listed[1]}` : pageOfFile(file.replace(/\.md$/, ".html"), site, tables);
}

/** Whether a path is one of the site's that this reader may read. */
export function isOwnPath(site: HostedSite, { redirects }: SiteTables, reader: Reader | undefined, path: string): boolean {
  let name: string;
  try {
    name = decodeURIComponent(path).replace(/^\/+|\/+$/g, "");
  } catch {
    return false;
  }
  if (isReserved(name)) return false;
  const page = `${name || "index"}.html`;
  return [page, name].some(
    (file) => fileAt(site.manifest, file) && !redirects.htmlFiles.has(file) && mayRead(accessOf(site, file), reader),
  );
}
