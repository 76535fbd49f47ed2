/** Finds the page or file that a root-relative link refers to. */

import { percentDecoded } from "../../../base/url.ts";
import { indexIds, matchAnchor } from "../../html/anchor-ids.ts";
import { texts } from "../../openapi/nodes/refs.ts";
import { encodePath, folderOf, isPageFile, normalizePath, routeOfEntry } from "../../paths.ts";
import { isExternalPage, type Page } from "../page.ts";
import { followRedirect, type Redirects } from "./redirects.ts";
import { type Navigation, pagesBelow } from "./resolve-navigation.ts";

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
  /**
   * The page that is shown at the path of a folder without a page, by the folder's route. Includes the home
   * page of a site without one.
   */
  landings: ReadonlyMap<string, Page>;
  /** Routes of authors' pages for operations, by the route that the operation's generated page would have. */
  replaced: ReadonlyMap<string, string>;
  /** Route of the page with the changes of the API. */
  changesRoute?: string | undefined;
  /** Path of the site's URL, such as `product/docs`. Empty if the site is at the root of its host. */
  basePath: string;
}

const operationPrefix = "/~operation/";

/** Returns the path that stands for the page of an operation until the pages are exported. */
export function operationPath(file: string, pointer: string): string {
  return `${operationPrefix}${encodeURIComponent(file)}${encodeURI(pointer)}`;
}

const operationPages = new WeakMap<LinkTargets, Map<string, Page>>();

/** Returns the name of a tag in lowercase, with hyphens. */
function slugOfTag(tag: string): string {
  return tag.toLowerCase().replace(/[ _]/g, "-");
}

/**
 * Returns the pages of operations by `operationPath`, and by the path of the document with an operation's ID,
 * tag or slug of a tag.
 */
function pagesOfOperations(targets: LinkTargets): Map<string, Page> {
  const known = operationPages.get(targets);
  if (known) return known;
  const found = new Map<string, Page>();
  for (const page of targets.pages.values()) {
    if (page.reference?.kind !== "operation") continue;
    const { document, entry } = page.reference;
    const { operationId, tags } = entry.node.value as { operationId?: unknown; tags?: unknown };
    const names = [
      `operation/${String(operationId)}`,
      ...texts(tags).flatMap((tag) => [`tag/${tag}`, `slug/${slugOfTag(tag)}`]),
    ];
    for (const key of [
      operationPath(document.file, entry.node.pointer),
      ...names.map((name) => `${document.file} ${name}`),
    ])
      if (!found.has(key)) found.set(key, page);
  }

  operationPages.set(targets, found);
  return found;
}

/**
 * Finds the page for a link in a document's description: `#operation/getUser`, `#tag/Users` or
 * `#tag/Users/operation/getUser`. `file`: the document. Undefined if there is none.
 */
export function findDescribed(
  fragment: string,
  file: string | undefined,
  targets: LinkTargets,
): Page | undefined {
  const [, tag, id] = /^#(?:tag\/([^/]+)\/?)?(?:operation\/(.+))?$/.exec(percentDecoded(fragment)) ?? [];
  if (file === undefined || (tag === undefined && id === undefined)) return undefined;
  const pages = pagesOfOperations(targets);
  if (id !== undefined) return pages.get(`${file} operation/${id}`);
  return pages.get(`${file} tag/${tag}`) ?? pages.get(`${file} slug/${slugOfTag(tag!)}`);
}

/**
 * Finds the target of a root-relative URL such as `/guides/start?x#y`: a page or file, or else the target of
 * a redirect, or else the landing page of a folder. If there is none, removes the base path or converts the
 * path to lowercase.
 */
export function findTarget(address: string, targets: LinkTargets): Target {
  const described = address.startsWith(operationPrefix) ? pagesOfOperations(targets).get(address) : undefined;
  if (described) return { kind: "page", page: described, suffix: "" };
  const end = address.search(/[?#]/);
  const suffix = end < 0 ? "" : address.slice(end);
  const raw = end < 0 ? address : address.slice(0, end);
  const path = (raw.includes("%") ? percentDecoded(raw) : raw).normalize("NFC").replace(/^\/+/, "");
  const found = targetAt(path, suffix, targets);
  if (found) return found;

  const inside = withoutBasePath(path, targets.basePath);
  const lower = path.toLowerCase();
  return (
    (inside === path ? undefined : targetAt(inside, suffix, targets)) ??
    // Hosts also redirect capitals to lowercase.
    (lower === path ? undefined : targetAt(lower, suffix, targets)) ?? {
      kind: "missing",
      path: inside,
      suffix,
    }
  );
}

function targetAt(path: string, suffix: string, targets: LinkTargets): Target | undefined {
  const direct = lookUp(path, suffix, targets);
  if (direct) return direct;
  const redirected = followRedirect(`/${path}`, targets.redirects, targets.pages);
  if (redirected !== undefined) {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(redirected)) return { kind: "external", href: redirected };
    const [, target, own] = /^([^?#]*)(.*)$/s.exec(redirected)!;
    const redirectedPath = percentDecoded(target!).replace(/^\/+/, "");
    const landing =
      lookUp(redirectedPath, own || suffix, targets) ?? landingAt(redirectedPath, own || suffix, targets);
    if (landing) return landing;
  }
  return landingAt(path, suffix, targets);
}

function lookUp(path: string, suffix: string, targets: LinkTargets): Target | undefined {
  const page =
    targets.pages.get(path) ??
    targets.pages.get(routeOfEntry(path)) ??
    targets.pages.get(routeOfEntry(path.replace(/\.html$/, "")));
  if (page && !(isPageFile(path) && targets.generated.has(path))) return { kind: "page", page, suffix };
  if (targets.served.has(path) || targets.generated.has(path)) return { kind: "file", path, suffix };
  // Links to Markdown files have no extension at this point.
  return targets.served.has(`${path}.md`) ? { kind: "file", path: `${path}.md`, suffix } : undefined;
}

function landingAt(path: string, suffix: string, { landings }: LinkTargets): Target | undefined {
  const page = landings.get(routeOfEntry(path));
  return page && { kind: "page", page, suffix };
}

/**
 * Returns the pages that are shown at the paths of other pages and folders that aren't in `routes`, the pages
 * of the site. For the key of an entry in `replaced`, it's the page at its value. For a folder with pages,
 * it's the first of `pages` in the navigation, or else the first by route. The empty route is the home page
 * of a site without one.
 */
export function landingPages(
  pages: ReadonlyMap<string, Page>,
  { root }: Navigation,
  routes: ReadonlyMap<string, unknown>,
  replaced: LinkTargets["replaced"],
): Map<string, Page> {
  const landings = new Map<string, Page>();
  const add = (page: Page) => {
    if (isExternalPage(page)) return;
    for (let folder = folderOf(page.route); !landings.has(folder); folder = folderOf(folder)) {
      if (!routes.has(folder)) landings.set(folder, page);
      if (folder === "") break;
    }
  };

  for (const { page } of pagesBelow(root)) if (page.visibility.navigation) add(page);
  for (const page of pages.values()) add(page);

  for (const [route, written] of replaced) {
    const page = pages.get(written);
    if (page && !routes.has(route)) landings.set(route, page);
  }

  return landings;
}

/** Removes the site's base path from the start of a path. */
export function withoutBasePath(path: string, basePath: string): string {
  if (basePath === "" || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  return rest === "" || rest.startsWith("/") ? rest.slice(1) : path;
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

/**
 * Removes the base path from a root-relative URL of this site, unless the site has a page or file with this
 * path. The folder of a redirect's destination with wildcards counts as a path of the site if it has pages.
 */
export function sitePath(address: string, targets: LinkTargets): string {
  const { basePath, pages } = targets;
  if (basePath === "" || !address.startsWith("/")) return address;
  const [, written = "", suffix = ""] = /^([^?#]*)(.*)$/s.exec(address)!;
  const path = percentDecoded(written).replace(/^\/+/, "");
  const inside = withoutBasePath(path, basePath);
  if (inside === path || targetAt(path, "", targets)) return address;
  const isFolder = /[:*]/.test(inside) && [...pages.keys()].some((route) => route.startsWith(`${basePath}/`));
  return isFolder ? address : `/${encodePath(inside)}${suffix}`;
}

/**
 * Returns the id on a page that an anchor refers to, in any spelling that `matchAnchor` accepts. Undefined if
 * there is none.
 */
export function idOfAnchor(anchor: string, page: Page): string | undefined {
  const index = indexOf(page);
  return matchAnchor(
    anchor,
    (id) => index.ids.has(id),
    () => (index.compact ??= indexIds(index.ids)),
  );
}

/**
 * Returns the ids for the anchors in a page's links that differ from the id they refer to. They depend on the
 * content of other pages.
 */
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

/**
 * Returns the root-relative URL for a path in the frontmatter of a page or in a file. A path without a
 * leading slash is relative to the `folder` of the page or file or, if it has no such file, to the root.
 */
export function fileAddress(
  address: string,
  folder: string,
  { served }: Pick<LinkTargets, "served">,
): string {
  if (address.startsWith("/")) return address;
  const path = normalizePath(folder, percentDecoded(address.replace(/[?#].*$/s, "")));
  return path !== undefined && served.has(path) ? `/${encodePath(path)}` : `/${address}`;
}

/**
 * Whether a URL refers to a served file of the documentation folder, or to another host. URLs of other hosts
 * aren't checked.
 */
export function isServedOrExternal(url: string, targets: LinkTargets): boolean {
  if (/^(?:https?:)?\/\//.test(url)) return true;
  const path = percentDecoded(url.replace(/[?#].*$/s, "")).replace(/^\.?\/+/, "");
  return targets.served.has(path) || targets.served.has(withoutBasePath(path, targets.basePath));
}
