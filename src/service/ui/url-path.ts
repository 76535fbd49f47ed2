/** Returns a URL without its scheme and host: path, query and fragment; `/` if they are empty. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
}
