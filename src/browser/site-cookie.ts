import { siteBase } from "./site-urls.ts";

/**
 * Reads a cookie that the site has set for its scripts (`SiteCookie`). Over HTTPS, other hosts of the domain
 * can't set a cookie with its name. Below a path or over HTTP, they can, and there are several values then.
 */
export function readSiteCookie(name: string): string[] {
  try {
    const prefix = siteBase().pathname === "/" ? "__Host-" : "__Secure-";
    const start = `${location.protocol === "https:" ? prefix : ""}${name}=`;
    return document.cookie
      .split("; ")
      .flatMap((cookie) => (cookie.startsWith(start) ? cookie.slice(start.length) : []));
  } catch {
    // A page in a sandboxed frame has no cookies.
    return [];
  }
}
