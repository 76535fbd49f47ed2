/** Restricts links in answers to this site. */

import { isReserved } from "../../layout/site-layout.ts";
import { linkSuffix, siteBase } from "../site-urls.ts";

/**
 * Returns the URL on this site for a link in an answer, without a query and with the scheme of the site.
 * Undefined if the link is invalid or points to a different host or to a path below `_octavo/`.
 */
export function siteLink(href: string): string | undefined {
  const base = siteBase();
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }

  if (!/^https?:$/.test(url.protocol) || url.host !== base.host || url.username || url.password)
    return undefined;

  // Paths in answers are relative to the root of the documentation, which may be a subfolder.
  if (!url.pathname.startsWith(base.pathname)) url.pathname = base.pathname + url.pathname.slice(1);
  const path = url.pathname.slice(base.pathname.length);
  if (isReserved(path) || path.startsWith("/")) return undefined;

  const suffix = linkSuffix();
  if (suffix && !/\.\w+$/.test(path)) url.pathname = `${base.pathname}${path || "index"}${suffix}`;

  url.protocol = base.protocol;
  // A query could leak data from the conversation.
  url.search = "";
  return url.href;
}
