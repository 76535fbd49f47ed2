import { pathBelow } from "../../base/base-path.ts";
import { isSignInOrOut } from "../../layout/site-layout.ts";

/**
 * Returns the path and query that a reader is redirected to after signing in. The site's root if the
 * requested path isn't a valid path below `basePath`, or is for signing in or out.
 */
export function returnPath(requested: unknown, basePath: string): string {
  const root = `${basePath}/`;

  if (
    typeof requested !== "string" ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(requested) ||
    requested.includes("\\")
  )
    return root;

  const here = "http://site.invalid";
  if (!URL.canParse(requested, here)) return root;
  const url = new URL(requested, here);
  const path = url.pathname.replace(/^\/+/, "/");
  const inside = pathBelow(path, basePath);

  // The sign-in and sign-out pages aren't useful after signing in.
  return url.origin !== here || inside === undefined || isSignInOrOut(inside.slice(1))
    ? root
    : path + url.search;
}
