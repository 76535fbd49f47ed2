/** Returns the path, query and fragment of a URL; `/` if they are empty. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
}
