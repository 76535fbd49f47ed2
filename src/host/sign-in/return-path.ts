import { isSignInOrOut } from "../../layout/site-layout.ts";

/** The path that a reader is redirected to after signing in: always a path of this site. */
export function returnPath(requested: unknown): string {
  if (typeof requested !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(requested) || requested.includes("\\")) return "/";
  const here = "http://site.invalid";
  if (!URL.canParse(requested, here)) return "/";
  const url = new URL(requested, here);
  const path = url.pathname.replace(/^\/+/, "/") + url.search;
  // Signing in would start again.
  return url.origin !== here || isSignInOrOut(path.slice(1)) ? "/" : path;
}
