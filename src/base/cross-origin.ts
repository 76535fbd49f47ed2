import type { IncomingHttpHeaders } from "node:http";
import { parseUrl } from "./url.ts";

/**
 * Whether a page from another origin sent the request. Browsers send `Origin` or `Sec-Fetch-Site`. Other
 * programs usually send neither, and have no cookies that another site could abuse. `isOwn` returns whether
 * an origin belongs to this server.
 */
export function isCrossOrigin(
  { origin, "sec-fetch-site": site }: IncomingHttpHeaders,
  isOwn: (origin: URL) => boolean,
): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (origin === undefined) return false;
  const url = parseUrl(origin);
  return url === undefined || !isOwn(url);
}
