/** Parses a URL as browsers do. Undefined if it is invalid. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/** Decodes percent-encoded text. Unchanged if the encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text starts as an HTTP or HTTPS URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
