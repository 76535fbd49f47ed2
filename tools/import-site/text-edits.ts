/** Replaces parts of a Markdown text, and finds its code and comments. */

/** Maximum length of inline code, in characters. Longer code is treated as text. */
const inlineCode_chars = 300;

/** Collects replacements for a text. Offsets refer to the original text, so line numbers stay correct. */
export class TextEdits {
  private readonly edits: { start: number; end: number; by: string }[] = [];

  constructor(readonly text: string) {}

  replace(start: number, end: number, by: string): void {
    this.edits.push({ start, end, by });
  }

  /** Returns the text with all edits applied. If edits overlap, only the one that starts first is applied. */
  apply(): string {
    let out = "";
    let at = 0;
    for (const { start, end, by } of this.edits.sort((a, b) => a.start - b.start)) {
      if (start < at) continue;
      out += this.text.slice(at, start) + by;
      at = end;
    }
    return out + this.text.slice(at);
  }
}

const blank = (part: string) => part.replace(/[^\n]/g, " ");

/** Replaces the code in a Markdown text with spaces. Line breaks and offsets stay the same. */
export function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const mark = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence && mark.startsWith(fence) && line.replace(/^[\s>]+/, "").trim() === mark)
      fence = undefined;
    return isCode ? blank(line) : line;
  });
  const inline = new RegExp(
    `(?<!\`)(\`+)(?!\`)(?:(?!\\n[ \\t]{0,20}\\n)[\\s\\S]){1,${inlineCode_chars}}?(?<!\`)\\1(?!\`)`,
    "g",
  );
  return lines.join("\n").replace(inline, blank);
}

/** Replaces the HTML comments in a text with spaces. Offsets stay the same. */
export function withoutComments(text: string): string {
  let out = "";
  let at = 0;
  for (const [start, end] of commentsIn(text)) {
    out += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return out + text.slice(at);
}

/** Returns the start and end offsets of the HTML comments. Leaves out unclosed comments. */
export function commentsIn(text: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (let start = text.indexOf("<!--"); start >= 0; ) {
    const end = text.indexOf("-->", start + 4);
    if (end < 0) break;
    found.push([start, end + 3]);
    start = text.indexOf("<!--", end + 3);
  }
  return found;
}

/**
 * Returns a function that converts an offset of a text to a line number of its file. `linesBefore`: number of
 * lines before the text.
 */
export function lineCounter(text: string, linesBefore: number): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1 + linesBefore;
  };
}
