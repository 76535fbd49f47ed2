/** Restricts links of answers to pages of this site. */
import { isReserved } from "../../layout/site-layout.ts";
import { siteBase } from "../site-urls.ts";

/** The URL of a page for a link of an answer; undefined if the link isn't to a page of the site. */
export function siteLink(href: string): string | undefined {
  const base = siteBase();
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol) || url.origin !== location.origin || url.username || url.password) return undefined;
  // Paths of answers start at the root of the documentation, which may be a subfolder.
  if (!url.pathname.startsWith(base.pathname)) url.pathname = base.pathname + url.pathname.slice(1);
  const path = url.pathname.slice(base.pathname.length);
  if (isReserved(path) || path.startsWith("/")) return undefined;
  const { linkSuffix = "" } = document.documentElement.dataset;
  if (linkSuffix && !/\.\w+$/.test(path)) url.pathname = `${base.pathname}${path || "index"}${linkSuffix}`;
  // A query could send data of the conversation elsewhere.
  url.search = "";
  return url.href;
}
