/** Finds texts in which the parser takes long for quotation marks, apostrophes, dashes, and ellipses. */

/**
 * Maximum number of marks in a block times its length in characters. The parser writes the text before each
 * mark again, which takes about 0.2 s for this number, and grows with the square of the block.
 */
const copied_chars = 20_000_000;

/**
 * Whether a block between empty lines has too many marks to be typographic. A paragraph of ordinary text
 * would have more than 30,000 characters.
 */
export function hasManyMarks(text: string): boolean {
  let start = 0;
  let marks = 0;
  for (const { 0: found, index } of text.matchAll(/\n[ \t]*\n|["']|--|\.\.\./g)) {
    if (!found.startsWith("\n")) marks++;
    else [start, marks] = [index, 0];
    if (marks * (index - start) > copied_chars) return true;
  }
  return false;
}
