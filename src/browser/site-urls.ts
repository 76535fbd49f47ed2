/** Creates URLs of the site's pages, relative to the current page. */

const dataOf = () => document.documentElement.dataset;

/** Returns the relative URL of a site path. External URLs, absolute paths and fragments are unchanged. */
export function hrefOf(path: string): string {
  if (/^(https?:|mailto:|[/#])/i.test(path)) return path;
  const { root = "", linkSuffix = "" } = dataOf();
  const [page = "", hash] = path.split("#");
  const file = page === "index" && !linkSuffix ? "" : page + linkSuffix;
  // Without `./`, a colon in the first segment would end a scheme.
  return (root || "./") + file + (hash === undefined ? "" : `#${hash}`);
}

/**
 * Returns the relative URL of a section. `route` is empty for the home page. `anchor` is the id of the
 * heading.
 */
export function sectionHref(route: string, anchor: string): string {
  return hrefOf(
    `${route.split("/").map(encodeURIComponent).join("/") || "index"}${anchor && `#${encodeURIComponent(anchor)}`}`,
  );
}

/** Returns the absolute URL of the site's root, with a trailing slash. */
export function siteBase(): URL {
  return new URL(dataOf().root || "./", location.href);
}

/** Returns the suffix of the URLs of pages: `.html`, or empty. */
export function linkSuffix(): string {
  return dataOf().linkSuffix ?? "";
}

/** Returns the language of the current page. */
export function pageLanguage(): string {
  return document.documentElement.lang;
}

/** Returns the path of the current page, relative to the site's root. */
export function currentPath(): string {
  const path = location.pathname.slice(siteBase().pathname.length).replace(/\.html$/, "");
  return `/${path === "index" ? "" : path}`;
}
