/** Finds links in the text of a file, as the author wrote them. */

import type { TextSpan } from "../../json-positions.ts";
import { codeLinesOf, codeSpansIn } from "../../page/prepare-mdx.ts";

/** What comes before a URL: the start of a link's target or definition, or of an attribute. */
const beforeLink = /\]\(\s*<?$|^\s*(?:[>*+-]\s*)*\[[^\]]+\]:\s*<?$|=\s*(?:\{\s*)?["'`]$/;
const beforeText = new RegExp(`${beforeLink.source}|["'\`]$`);
const afterLink = /^(?:[\s)>"'`]|$)/;
const beforeWord = /(?:^|[\s"'[,:({])$/;
const afterWord = /^(?:[\s"'\],)}#?]|$)/;
/** A text in backticks that is code of an attribute, and not a code span. */
const beforeTemplate = /[={(:,]\s*`$/;

/** Number of characters before a URL that are compared. */
const before_chars = 500;
/** Number of lines of an element in which its URLs are searched. */
const elementLines_count = 100;

export class SourceText {
  readonly text: string;
  readonly lines: readonly string[];
  private codeLines: ReadonlySet<number> | undefined;

  constructor(text: string) {
    this.text = text;
    this.lines = text.split("\n");
  }

  /** Returns the places of a URL in links and attributes in some lines, outside code. */
  linksBetween(first: number, last: number, written: string): TextSpan[] {
    const found: TextSpan[] = [];
    for (let line = first; line <= Math.min(last, first + elementLines_count); line++)
      found.push(...this.inLine(line, written, beforeLink, afterLink));
    return found;
  }

  /** Returns the places of a text in quotes, or of a URL in a link, outside code. */
  links(written: string): TextSpan[] {
    return this.lines.flatMap((text, index) =>
      text.includes(written) ? this.inLine(index + 1, written, beforeText, afterLink) : [],
    );
  }

  /** Returns the places of a path in a line, with any characters around it that aren't part of a path. */
  wordsIn(line: number, written: string): TextSpan[] {
    return this.inLine(line, written, beforeWord, afterWord);
  }

  private inLine(line: number, written: string, before: RegExp, after: RegExp): TextSpan[] {
    const text = this.lines[line - 1] ?? "";
    if (written === "" || !text.includes(written)) return [];
    this.codeLines ??= codeLinesOf(this.lines);
    if (this.codeLines.has(line)) return [];

    const isCode = codeSpansIn(text);
    const found: TextSpan[] = [];
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + written.length)) {
      const lead = text.slice(Math.max(0, at - before_chars), at);
      const isLink = before.test(lead) && after.test(text.slice(at + written.length));
      if (isLink && (!isCode(at) || beforeTemplate.test(lead)))
        found.push({ line, column: at + 1, length: written.length });
    }
    return found;
  }
}
