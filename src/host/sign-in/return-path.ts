/** Where a reader goes after signing in: a path of this site, whatever the address says. */

export function returnPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes("\\")) return "/";
  const here = "http://site.invalid";
  if (!URL.canParse(wanted, here)) return "/";
  const url = new URL(wanted, here);
  const path = url.pathname.replace(/^\/+/, "/") + url.search;
  // Back to the door is no way in.
  return url.origin !== here || path.startsWith("/_octavo/sign-") ? "/" : path;
}
