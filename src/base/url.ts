/** Parses a URL as browsers do. Undefined if it is invalid. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
