/** Percent-encoding of RFC 3986. URL parsers don't change the output, and no input throws. */

/** Escapes everything except letters, digits and `-._~`. */
export function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, escapeCharacter);
}

/** Encodes a part of a URL that an author wrote: preserves escapes and reserved characters, except `[` and `]`. */
export function encodeWritten(text: string): string {
  return encodeURI(wellFormed(text)).replace(/%25([0-9a-f]{2})/gi, "%$1");
}

/** Characters that are escaped even with `allowReserved`, because they would end or change the value. */
const never_reserved = { path: /[/?#]/g, query: /[#&+']/g, cookie: /[;,]/g };

/** For `allowReserved`: preserves escapes, and reserved characters that don't end the value. */
export function encodeReserved(text: string, place: keyof typeof never_reserved): string {
  return encodeWritten(text).replace(never_reserved[place], escapeCharacter);
}

/**
 * A header value: visible ASCII and inner spaces. Other characters are escaped as UTF-8, because clients encode them
 * differently or reject them. Surrounding spaces are removed.
 */
export function encodeHeader(text: string): string {
  return wellFormed(text)
    .trim()
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

/** Replaces lone surrogates, which have no UTF-8 encoding. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
