/**
 * Finds other names of terms that a page defines: abbreviations with their long form, and terms that are
 * "also called" something else.
 */

/** Matches a capitalized abbreviation in parentheses, and the words before it that it can abbreviate. */
const abbreviation = / \(([A-Z][A-Za-z\d]{1,6}?)s?\)/g;
const wordsAtEnd = /(?<![\p{L}\d])(?:[\p{L}\d]{1,40}[ -]){1,6}[\p{L}\d]{1,40}$/u;
/** Maximum length of what `wordsAtEnd` matches and of the letter before it, in UTF-16 code units. */
const words_chars = 2 * (7 * 40 + 1) + 6;
/** Matches an abbreviation, and then words in parentheses. */
const abbreviationBefore = /\b([A-Z][A-Za-z\d]{1,6}) \(((?:[\p{L}\d]{1,40}[ -]){1,6}[\p{L}\d]{1,40})\)/gu;
const emphasized = String.raw`(?:\*\*([^*\n]{2,40})\*\*|_([^_\n]{2,40})_)`;
/** Matches an emphasized term, and then its other name, which is also emphasized or ends with the clause. */
const alsoCalled = new RegExp(
  String.raw`${emphasized},? \(?(?:also|sometimes|formerly) (?:called|known as) (?:an? |the )?(?:${emphasized}|([\p{L}\d -]{2,30})[,.;)])`,
  "giu",
);

/** Maximum length of a text that can define names, in characters. Longer passages are tables and code. */
const text_chars = 2_000;

/** Returns groups of names for the same thing, such as `SSO, single sign-on`. `text`: Markdown. */
export function aliasesIn(text: string): string[] {
  const found: string[] = [];
  if (text.length > text_chars) return found;

  if (text.includes(" (")) {
    for (const { 1: short, index } of text.matchAll(abbreviation)) {
      const words = wordsAtEnd.exec(text.slice(Math.max(0, index - words_chars), index));
      if (words) addAbbreviation(short!, words[0]);
    }
    for (const [, short, words] of text.matchAll(abbreviationBefore)) addAbbreviation(short!, words!);
  }

  if (/ (?:called|known as) /i.test(text))
    for (const [, bold, italic, otherBold, otherItalic, plain] of text.matchAll(alsoCalled))
      addPair((bold ?? italic)!.trim(), (otherBold ?? otherItalic ?? plain)!.trim());
  return found;

  function addPair(name: string, other: string): void {
    // A comma separates the names of a group.
    if (!name.includes(",") && !other.includes(",")) found.push(`${name}, ${other}`);
  }

  function addAbbreviation(short: string, words: string): void {
    const parts = words.split(/[ -]/);
    const from = parts.length - short.length;
    const initials = parts.slice(Math.max(0, from)).map(([initial]) => initial!);
    if (from < 0 || initials.join("").toLowerCase() !== short.toLowerCase()) return;
    // Keeps the spaces and hyphens between the words.
    const start = parts.slice(0, from).reduce((length, part) => length + part.length + 1, 0);
    found.push(`${short}, ${words.slice(start)}`);
  }
}
