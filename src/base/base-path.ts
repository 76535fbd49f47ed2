/** Base paths: the path of a site's URL, such as `/docs`. Empty for a site at the root of its host. */

import { parseUrl } from "./url.ts";

/** Maximum length of a base path, in characters. */
export const basePath_chars = 100;

/** Returns the base path of a site's URL, percent-encoded. Empty if the URL is unknown or invalid. */
export function basePathOf(url: string | undefined): string {
  return (url === undefined ? "" : (parseUrl(url)?.pathname ?? "")).replace(/\/+$/, "");
}

/**
 * Reads a base path, with or without slashes at its start and end. Its segments consist of letters, digits
 * and `.`, `_`, `~`, `-`. Undefined if it's invalid, too long, or in the reserved folder `_octavo`.
 */
export function readBasePath(text: string): string | undefined {
  const path = `/${text.replace(/^\/|\/$/g, "")}`;
  if (path === "/") return "";
  const isValid =
    path.length <= basePath_chars && /^(?:\/[\w~-][\w.~-]*)+$/.test(path) && !/^\/_octavo(?:\/|$)/.test(path);
  return isValid ? path : undefined;
}

/**
 * Removes the base path from the start of a URL path. Returns `/` for the base path itself, and undefined for
 * a path outside of it.
 */
export function pathBelow(path: string, basePath: string): string | undefined {
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
