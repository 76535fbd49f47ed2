import { escapeText } from "../../base/html-text.ts";
import { type TokenKind, tokenizeCode } from "../openapi/samples/tokenize-code.ts";

/** Maximum number of highlighted lines of an example, so that a page has fewer elements. */
const highlightedLines_count = 60;

/** CSS class by token kind. */
const classes: Record<TokenKind, string> = {
  string: "s",
  number: "n",
  keyword: "k",
  comment: "c",
  property: "p",
};

/** Highlights code as HTML. Only the first `highlightedLines_count` lines are highlighted. */
export function highlightedHtml(language: string, text: string): string {
  const end = endOfLine(text, highlightedLines_count);
  let html = "";
  for (const { kind, text: piece } of tokenizeCode(language, text.slice(0, end))) {
    html += kind ? `<span class=${classes[kind]}>${escapeText(piece)}</span>` : escapeText(piece);
  }
  return html + escapeText(text.slice(end));
}

/**
 * Returns the offset of the end of the first `lines` lines, or the text's length if there are fewer lines.
 */
function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let n = 0; n < lines; n++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}
