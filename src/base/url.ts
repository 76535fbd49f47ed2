/** The address, read as browsers do; undefined for what is none. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
