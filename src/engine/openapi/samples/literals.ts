/** String literals: one function per programming language, exact for every text without NUL. */

/** Characters that are escaped in every language: controls, unusual line ends, the byte order mark and bidi controls. */
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

/** Uses single quotes if the text contains double quotes only. */
function lightlyQuoted(text: string): string {
  return text.includes('"') && !text.includes("'") ? quoted(text, /\\/g, u4, "'") : quoted(text, /["\\]/g, u4);
}

export const python = lightlyQuoted;
export const javascript = lightlyQuoted;
export const java = (text: string) => quoted(text, /["\\]/g, u4);
export const go = (text: string) => quoted(text, /["\\]/g, u4);
export const csharp = (text: string) => quoted(text, /["\\]/g, u4);
export const kotlin = (text: string) => quoted(text, /["\\$]/g, u4);
/** `#{`, `#$` and `#@` interpolate. */
export const ruby = (text: string) => quoted(text, /["\\]|#(?=[{$@])/g, u4);
export const swift = (text: string) => quoted(text, /["\\]/g, braced);
export const rust = (text: string) => quoted(text, /["\\]/g, braced);
export const dart = (text: string) => quoted(text, /['\\$]/g, braced, "'");

/** Octal escapes, since `\u` is not allowed for control characters. `??` is escaped, since it can start a trigraph. */
export function c(text: string): string {
  const octal = (hex: string) =>
    [...new TextEncoder().encode(String.fromCharCode(parseInt(hex, 16)))].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return quoted(text, /["\\]|(?<=\?)\?/g, octal);
}

/** Single quotes if possible, which don't interpolate. */
export function php(text: string): string {
  return has(text) ? quoted(text, /["\\$]/g, braced) : `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** Single quotes can contain line breaks and tabs; other hidden characters need `$'…'`. */
export function bash(text: string): string {
  if (/^[\w./:@%+=-]+$/.test(text)) return text;
  if (!has(text.replaceAll("\n", "").replaceAll("\t", ""))) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$${quoted(text, /['\\]/g, (hex) => (hex < "0080" ? `\\x${hex.slice(2)}` : u4(hex)), "'")}`;
}

/** PowerShell treats typographic quotes like ASCII quotes. */
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

/** Whether a text has several lines without hidden characters, so that a multiline literal is more readable than `\n`. */
export function isBlock(text: string): boolean {
  return text.includes("\n") && !has(text.replaceAll("\n", ""));
}
