/** Percent-encoding of RFC 3986. What comes out survives every URL parser unchanged, and no input makes it throw. */

/** Everything but letters, digits and `-._~`. */
export function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, escapeCharacter);
}

/** What an author wrote as a part of a URL: reserved characters and escapes stay, but `[` and `]`, which belong to hosts alone. */
export function encodeWritten(text: string): string {
  return encodeURI(wellFormed(text)).replace(/%25([0-9a-f]{2})/gi, "%$1");
}

/** Characters that would end the value, or be read as something else, in spite of `allowReserved`. */
const never_reserved = { path: /[/?#]/g, query: /[#&+']/g, cookie: /[;,]/g };

/** For `allowReserved`: reserved characters and escapes pass, as far as the value stays one value. */
export function encodeReserved(text: string, place: keyof typeof never_reserved): string {
  return encodeWritten(text).replace(never_reserved[place], escapeCharacter);
}

/**
 * A header's value: visible ASCII, spaces inside. Everything else is escaped as UTF-8, because clients disagree
 * on how they write it or refuse to; space around it is dropped, as on the wire.
 */
export function encodeHeader(text: string): string {
  return wellFormed(text)
    .trim()
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

/** Half of a surrogate pair has no bytes. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
