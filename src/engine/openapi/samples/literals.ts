/**
 * Writes string literals, with one function per programming language. The value of a literal is the exact
 * text, which must not contain NUL or lone surrogates.
 */

/**
 * Matches invisible characters: control characters, unusual line breaks, the byte order mark and bidi
 * controls.
 */
const hidden = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string, special: RegExp, code: (hex: string) => string, quote = '"'): string {
  const escaped = text
    .replace(special, (character) => `\\${character}`)
    .replace(
      hidden,
      (character) => short[character] ?? code(character.charCodeAt(0).toString(16).padStart(4, "0")),
    );
  return `${quote}${escaped}${quote}`;
}

const u4 = (hex: string) => `\\u${hex}`;
const braced = (hex: string) => `\\u{${hex.replace(/^0+(?=.)/, "")}}`;

/**
 * Writes a literal in double quotes, or in single quotes if the text contains double quotes but no single
 * quotes.
 */
function lightlyQuoted(text: string): string {
  return text.includes('"') && !text.includes("'")
    ? quoted(text, /\\/g, u4, "'")
    : quoted(text, /["\\]/g, u4);
}

export const python = lightlyQuoted;
export const javascript = lightlyQuoted;
export const java = (text: string) => quoted(text, /["\\]/g, u4);
export const go = (text: string) => quoted(text, /["\\]/g, u4);
export const csharp = (text: string) => quoted(text, /["\\]/g, u4);
export const kotlin = (text: string) => quoted(text, /["\\$]/g, u4);
/** Writes a Ruby literal. Escapes `#{`, `#$` and `#@`, which would start an interpolation. */
export const ruby = (text: string) => quoted(text, /["\\]|#(?=[{$@])/g, u4);
export const swift = (text: string) => quoted(text, /["\\]/g, braced);
export const rust = (text: string) => quoted(text, /["\\]/g, braced);
export const dart = (text: string) => quoted(text, /['\\$]/g, braced, "'");

/**
 * Writes a C literal. Uses octal escapes, since C doesn't allow `\u` for control characters. Escapes `??`,
 * which can start a trigraph.
 */
export function c(text: string): string {
  const octal = (hex: string) =>
    [...new TextEncoder().encode(String.fromCharCode(parseInt(hex, 16)))]
      .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
      .join("");
  return quoted(text, /["\\]|(?<=\?)\?/g, octal);
}

/**
 * Writes a PHP literal in single quotes, where PHP doesn't interpolate variables, or in double quotes if the
 * text contains hidden characters.
 */
export function php(text: string): string {
  return hasHidden(text) ? quoted(text, /["\\$]/g, braced) : `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/**
 * Writes a text for a shell: simple text without quotes, and other text in single quotes, which can contain
 * line breaks and tabs. Text with other hidden characters is written as `$'…'`.
 */
export function bash(text: string): string {
  if (/^[\w./:@%+=-]+$/.test(text)) return text;
  if (!hasHidden(text.replaceAll("\n", "").replaceAll("\t", ""))) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$${quoted(text, /['\\]/g, (hex) => (hex < "0080" ? `\\x${hex.slice(2)}` : u4(hex)), "'")}`;
}

/** Writes a PowerShell literal. Escapes typographic quotes, which PowerShell treats like ASCII quotes. */
export function powershell(text: string): string {
  if (!hasHidden(text.replaceAll("\n", "").replaceAll("\t", "")))
    return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
  const escaped = text
    .replace(/["\u201c-\u201e`$]/g, "`$&")
    .replace(hidden, (character) => `$([char]0x${character.charCodeAt(0).toString(16)})`);
  return `"${escaped}"`;
}

function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0;
}

/**
 * Whether a text has line breaks but no other hidden characters, so that it can be written as a multiline
 * literal.
 */
export function isBlock(text: string): boolean {
  return text.includes("\n") && !hasHidden(text.replaceAll("\n", ""));
}
