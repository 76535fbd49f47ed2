/** Makes texts safe to print in a terminal. */

/** The sequences of `formatProblems`: colors, bold, and faint. */
const ownColor = /^\u001b\[(?:0|1|2|31|33|36)m/;

/**
 * Drops control characters, which texts of servers, files, and readers can contain, so that they can't
 * control the terminal or change the order of characters. Keeps tabs and line breaks, and the commands' own
 * color sequences if `color` is true. In JSON, they are escaped instead, so that values stay the same.
 */
export function terminalText(text: string, color: boolean): string {
  const isJson = /^[[{]["\s]|^\[[[{]/.test(text);
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character, at: number) => {
      if (color && ownColor.test(text.slice(at, at + 5))) return character;
      return isJson ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : "";
    },
  );
}
