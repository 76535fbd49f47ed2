import { limits } from "../../../base/limits.ts";
import { escapeHtml } from "../../../base/text.ts";
import type { Page } from "./page.ts";

/**
 * Code as HTML: names, texts and numbers have a colour. A page paints what a reader sees first and no more
 * than it has room for; the rest is one piece of text.
 */
export function paintedHtml(page: Page, language: string | undefined, text: string): string {
  if (language !== "json" || page.left.pieces <= 0) return escapeHtml(text);
  const end = endOfLine(text, limits.paintedLines_count);
  let html = "";
  for (const { kind, text: piece } of paintCode(language, text.slice(0, end))) {
    if (kind) page.left.pieces--;
    html += kind ? `<span class=${kind}>${escapeHtml(piece)}</span>` : escapeHtml(piece);
  }
  return html + escapeHtml(text.slice(end));
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

interface Piece {
  /** Class of its colour. */
  kind?: "p" | "s" | "n" | "k";
  text: string;
}

const pieces = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|(-?\b\d[\d.eE+-]*)|\b(?:true|false|null)\b/g;

function paintCode(_language: string, text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [whole, quoted, colon, number] = match;
    found.push({ text: text.slice(end, match.index) }, { kind: quoted ? (colon ? "p" : "s") : number ? "n" : "k", text: whole });
    end = match.index + whole.length;
  }
  found.push({ text: text.slice(end) });
  return found;
}
