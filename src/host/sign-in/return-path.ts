/** Where a reader goes after signing in: always a path of this site. */
import { isSignInOrOut } from "../../layout/site-layout.ts";
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes("\\")) return "/";
  const here = "http://site.invalid";
  if (!URL.canParse(wanted, here)) return "/";
  const url = new URL(wanted, here);
  const path = url.pathname.replace(/^\/+/, "/") + url.search;
  // Signing in would start again.
  return url.origin !== here || isSignInOrOut(path.slice(1)) ? "/" : path;
}
