/** Parses a URL as browsers do, relative to `base` if it's set. Undefined if the URL is invalid. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/** Decodes percent-encoded text. Returns the text unchanged if its encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text starts with `http://` or `https://`, ignoring case. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Returns the host name of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Yields the origins of all `http` and `https` URLs in a text. An origin can occur several times. */
export function* originsIn(text: string): Generator<string> {
  for (const [address] of text.matchAll(/https?:\/\/[\w.-]+(?::\d+)?/gi)) {
    const origin = parseUrl(address)?.origin;
    if (origin) yield origin;
  }
}
