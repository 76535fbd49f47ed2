/**
 * Percent-encodes text for URLs (RFC 3986), header values and cookies. Never throws, because lone surrogates
 * become U+FFFD.
 */

/** Escapes everything except the unreserved characters: `-._~`, ASCII letters and digits (RFC 3986, 2.3). */
export function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, escapeCharacter);
}

/** Encodes a part of a URL from a document. Preserves escapes and reserved characters, except `[` and `]`. */
export function encodeWritten(text: string): string {
  return encodeURI(wellFormed(text)).replace(/%25([0-9a-f]{2})/gi, "%$1");
}

/** Characters that are escaped even with `allowReserved`, because they would end or change the value. */
const alwaysEscaped = { path: /[/?#]/g, query: /[#&+']/g, cookie: /[;,]/g };

/**
 * Encodes a value with `allowReserved`. Preserves escapes and reserved characters, except `[`, `]` and
 * `alwaysEscaped`.
 */
export function encodeReserved(text: string, place: keyof typeof alwaysEscaped): string {
  return encodeWritten(text).replace(alwaysEscaped[place], escapeCharacter);
}

/**
 * Encodes a header value. Visible ASCII characters and inner spaces are preserved, and surrounding whitespace
 * is removed. Other characters are percent-encoded as UTF-8, since clients encode them differently or reject
 * them (RFC 9110, section 5.5).
 */
export function encodeHeader(text: string): string {
  return wellFormed(text)
    .trim()
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

/**
 * Encodes a cookie value like a header value. Also escapes characters that are invalid in cookies (RFC 6265,
 * section 4.1.1).
 */
export function encodeCookie(text: string): string {
  return encodeHeader(text).replace(/[ ";,\\]/g, encodeURIComponent);
}

/** Replaces lone surrogates, which have no UTF-8 encoding, with U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
