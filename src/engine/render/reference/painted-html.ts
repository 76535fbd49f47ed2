import { limits } from "../../../base/limits.ts";
import { escapeText } from "../../../base/text.ts";
import { type TokenKind, tokenizeCode } from "../../openapi/samples/tokenize-code.ts";

/** The same letters as those of highlighted code blocks. */
const classes: Record<TokenKind, string> = { string: "s", number: "n", keyword: "k", comment: "c", property: "p" };

/** Code as HTML: names, texts and numbers have a colour. What lies far below the first lines is one piece of text. */
export function paintedHtml(language: string, text: string): string {
  const end = endOfLine(text, limits.paintedLines_count);
  let html = "";
  for (const { kind, text: piece } of tokenizeCode(language, text.slice(0, end))) {
    html += kind ? `<span class=${classes[kind]}>${escapeText(piece)}</span>` : escapeText(piece);
  }
  return html + escapeText(text.slice(end));
}

/** Where the given number of lines ends. */
function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let n = 0; n < lines; n++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}
