/** Links of an answer lead to pages of this site, and nowhere else. */
import { isReserved } from "../../layout/site-layout.ts";
import { siteBase } from "../site-address.ts";

/** The address of what an answer names; undefined for everything that is not a page of the site. */
export function ownLink(address: string): string | undefined {
  const base = siteBase();
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol) || url.origin !== location.origin || url.username || url.password) return undefined;
  // A path from the root of the documentation, wherever that lies.
  if (!url.pathname.startsWith(base.pathname)) url.pathname = base.pathname + url.pathname.slice(1);
  const path = url.pathname.slice(base.pathname.length);
  if (isReserved(path) || path.startsWith("/")) return undefined;
  const { linkSuffix = "" } = document.documentElement.dataset;
  if (linkSuffix && !/\.\w+$/.test(path)) url.pathname = `${base.pathname}${path || "index"}${linkSuffix}`;
  // What an answer would tell somebody else by an address, it tells nobody.
  url.search = "";
  return url.href;
}
