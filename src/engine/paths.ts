/**
 * Handles paths inside the documentation folder, and routes: paths of pages without a leading slash or
 * extension.
 */

/**
 * Returns the path from the root for a path that is relative to a folder, or to the root if it starts with a
 * slash. Resolves `.` and `..`. Undefined for a path outside the root.
 */
export function normalizePath(folder: string, path: string): string | undefined {
  const parts = path.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.length === 0) return undefined;
      parts.pop();
    } else parts.push(part);
  }
  return parts.join("/").normalize("NFC");
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/**
 * Returns the route of a page's file: `guides/start.mdx` → `guides/start`, `guides/index.mdx` → `guides`.
 * Empty for `index.mdx`.
 */
export function routeOfFile(path: string): string {
  return path.replace(/\.mdx?$/, "").replace(/(^|\/)index$/, "");
}

/**
 * Returns the route of a page entry in any accepted form: `/guides/start`, `guides/start.mdx`, `./guides/`.
 */
export function routeOfEntry(entry: string): string {
  return routeOfFile(
    `${entry
      .normalize("NFC")
      .replace(/^(?:\.?\/)+/, "")
      .replace(/\/+$/, "")}`,
  );
}

/** Whether a page entry or file names the index page of a folder. */
export function isIndexEntry(entry: string): boolean {
  return /(?:^|\/)index(?:\.mdx?)?$/.test(entry);
}

export function isPageFile(path: string): boolean {
  return /\.mdx?$/.test(path);
}

/**
 * Percent-encodes a path like `encodeURIComponent`, but preserves slashes and `@$&+,:;=`. Replaces lone
 * surrogates with U+FFFD.
 */
export function encodePath(path: string): string {
  if (/^[\w./~!*'()@$&+,:;=-]*$/.test(path)) return path;
  return path
    .split("/")
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replace(/%(?:40|24|26|2B|2C|3A|3B|3D)/g, decodeURIComponent),
    )
    .join("/");
}

/**
 * Route of the "page not found" page. If the documentation folder has a page with this route, hosts show it
 * for unknown paths.
 */
export const notFoundRoute = "404";

/**
 * Returns the HTML file of a route: `guides/start` → `guides/start.html`. `index.html` for the empty route.
 */
export function htmlFile(route: string): string {
  return `${route || "index"}.html`;
}

/** Returns the path of the file with the Markdown version of a page. */
export function markdownFile(route: string): string {
  return `${route || "index"}.md`;
}

/** Returns the path of the JSON file with the changes of an API, from the route of their page. */
export function changesFile(route: string): string {
  return `${route}.json`;
}

/** Returns the path of the file with the feed of a page's updates. */
export function feedFile(route: string): string {
  return route ? `${route}/rss.xml` : "rss.xml";
}
