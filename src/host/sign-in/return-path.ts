import { isSignInOrOut } from "../../layout/site-layout.ts";

/**
 * Returns the path and query that a reader is redirected to after signing in. `/` if the requested path isn't a valid path of this site, or
 * is for signing in or out.
 */
export function returnPath(requested: unknown): string {
  if (typeof requested !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(requested) || requested.includes("\\")) return "/";
  const here = "http://site.invalid";
  if (!URL.canParse(requested, here)) return "/";
  const url = new URL(requested, here);
  const path = url.pathname.replace(/^\/+/, "/") + url.search;
  // The sign-in and sign-out pages aren't useful after signing in.
  return url.origin !== here || isSignInOrOut(path.slice(1)) ? "/" : path;
}
