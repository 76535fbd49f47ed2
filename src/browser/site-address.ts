/** Paths of the site and addresses of its pages, as seen from the page that is shown. */
const { root = "", linkSuffix = "" } = document.documentElement.dataset;

/** The address of a site path from this page. */
export function hrefOf(path: string): string {
  if (/^(https?:|mailto:|[/#])/i.test(path)) return path;
  const [page = "", hash] = path.split("#");
  const file = page === "index" ? (linkSuffix ? `index${linkSuffix}` : "") : page + linkSuffix;
  return (root + file || "./") + (hash === undefined ? "" : `#${hash}`);
}

/** Where a section stands: the page's route, which is empty for the home page, and the id of its heading. */
export function sectionHref(route: string, anchor: string): string {
  return hrefOf(`${route.split("/").map(encodeURIComponent).join("/") || "index"}${anchor && `#${encodeURIComponent(anchor)}`}`);
}

/** The folder that holds the site, as a whole address that ends in a slash. */
export function siteBase(): URL {
  return new URL(root || "./", location.href);
}

/** Path of the page that is shown, from the site's root. */
export function currentPath(): string {
  const path = location.pathname.slice(siteBase().pathname.length).replace(/\.html$/, "");
  return `/${path === "index" ? "" : path}`;
}
