/** Text as a string of a programming language: one function per language, exact for every text without NUL. */

/**
 * What must not stand raw in source code: controls, other line ends, the byte order mark, and the marks that turn
 * the direction of text, with which code can be made to look like other code.
 */
const hidden = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string, special: RegExp, code: (hex: string) => string, quote = '"'): string {
  const escaped = text
    .replace(special, (character) => `\\${character}`)
    .replace(hidden, (character) => short[character] ?? code(character.charCodeAt(0).toString(16).padStart(4, "0")));
  return `${quote}${escaped}${quote}`;
}

const u4 = (hex: string) => `\\u${hex}`;
const braced = (hex: string) => `\\u{${hex.replace(/^0+(?=.)/, "")}}`;

/** With the quotes that need fewer escapes. */
function lightlyQuoted(text: string): string {
  return text.includes('"') && !text.includes("'") ? quoted(text, /\\/g, u4, "'") : quoted(text, /["\\]/g, u4);
}

export const python = lightlyQuoted;
export const javascript = lightlyQuoted;
export const java = (text: string) => quoted(text, /["\\]/g, u4);
export const go = (text: string) => quoted(text, /["\\]/g, u4);
export const csharp = (text: string) => quoted(text, /["\\]/g, u4);
export const kotlin = (text: string) => quoted(text, /["\\$]/g, u4);
/** `#{`, `#$` and `#@` insert. */
export const ruby = (text: string) => quoted(text, /["\\]|#(?=[{$@])/g, u4);
export const swift = (text: string) => quoted(text, /["\\]/g, braced);
export const rust = (text: string) => quoted(text, /["\\]/g, braced);
export const dart = (text: string) => quoted(text, /['\\$]/g, braced, "'");

/** Octal, as `\u` may not name control characters; `?` could start a trigraph. */
export function c(text: string): string {
  const octal = (hex: string) =>
    [...new TextEncoder().encode(String.fromCharCode(parseInt(hex, 16)))].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return quoted(text, /["\\]|(?<=\?)\?/g, octal);
}

/** Single quotes where they can hold the text: nothing is inserted there. */
export function php(text: string): string {
  return has(text) ? quoted(text, /["\\$]/g, braced) : `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** Line breaks may stand raw between single quotes. */
export function bash(text: string): string {
  if (/^[\w./:@%+=-]+$/.test(text)) return text;
  if (!has(text.replaceAll("\n", "").replaceAll("\t", ""))) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$${quoted(text, /['\\]/g, (hex) => (hex < "0080" ? `\\x${hex.slice(2)}` : u4(hex)), "'")}`;
}

/** Typographic single quotes end a string as well. */
export function powershell(text: string): string {
  if (!has(text.replaceAll("\n", "").replaceAll("\t", ""))) return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
  const escaped = text
    .replace(/["\u201c-\u201e`$]/g, "`$&")
    .replace(hidden, (character) => `$([char]0x${character.charCodeAt(0).toString(16)})`);
  return `"${escaped}"`;
}

function has(text: string): boolean {
  return text.search(hidden) >= 0;
}

/** Several lines of visible text: those read better as a block than with `\n`. */
export function isBlock(text: string): boolean {
  return text.includes("\n") && !has(text.replaceAll("\n", ""));
}
