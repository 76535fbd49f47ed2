/** Parses the Markdown of answers. HTML, images and unknown syntax become text. */

export type Inline =
  | string
  | { kind: "strong" | "em" | "del"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; url: string; children: Inline[] }
  /** A citation: `[2]` cites the second source. */
  | { kind: "cite"; number: number }
  /** The mark `[?]` of a sentence that has no source. */
  | { kind: "unsourced" }
  | { kind: "break" };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "list"; start: number | undefined; items: Block[][] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

/** Maximum nesting depth of lists and quotes, and of inline formatting. Deeper levels are text. */
const depth_levels = 6;

export function readMarkdown(text: string): Block[] {
  return blocksOf(text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"), 0);
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])(\s+|$)/;
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length) blocks.push({ kind: "paragraph", children: inlinesOf(paragraph.join("\n"), 0) });
    paragraph = [];
  };

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const fenced = fence.exec(line);
    const titled = heading.exec(line);
    if (line.trim() === "") flush();
    else if (fenced) {
      flush();
      const end = endOfFence(lines, at + 1, fenced[1]!);
      blocks.push({ kind: "code", language: fenced[2]!, text: lines.slice(at + 1, end).join("\n") });
      at = end;
    } else if (titled) {
      flush();
      blocks.push({ kind: "heading", level: titled[1]!.length, children: inlinesOf(titled[2]!, 0) });
    } else if (rule.test(line)) {
      flush();
      blocks.push({ kind: "rule" });
    } else if (depth < depth_levels && quote.test(line)) {
      flush();
      const end = endOfRun(lines, at, (other) => quote.test(other));
      blocks.push({
        kind: "quote",
        children: blocksOf(
          lines.slice(at, end).map((other) => other.replace(quote, "")),
          depth + 1,
        ),
      });
      at = end - 1;
    } else if (depth < depth_levels && item.test(line)) {
      flush();
      const { list, end } = listAt(lines, at, depth);
      blocks.push(list);
      at = end - 1;
    } else if (
      line.includes("|") &&
      tableRule.test(lines[at + 1] ?? "") &&
      lines[at + 1]!.includes("-") &&
      paragraph.length === 0
    ) {
      const end = endOfRun(lines, at + 2, (other) => other.includes("|"));
      const rows = lines.slice(at + 2, end).map(cellsOf);
      blocks.push({ kind: "table", head: cellsOf(line), rows });
      at = end - 1;
    } else paragraph.push(line.replace(/^ +/, ""));
  }

  flush();
  return blocks;
}

function endOfFence(lines: readonly string[], from: number, mark: string): number {
  const close = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
  return endOfRun(lines, from, (line) => !close.test(line));
}

function endOfRun(lines: readonly string[], from: number, matches: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && matches(lines[at]!)) at++;
  return at;
}

/**
 * Parses a list: consecutive items, either all numbered or all bulleted, with the lines that belong to them.
 * `end`: index of the line after the list.
 */
function listAt(lines: readonly string[], from: number, depth: number): { list: Block; end: number } {
  const first = item.exec(lines[from]!)!;
  const isOrdered = first[3] !== undefined;
  const items: Block[][] = [];
  let at = from;
  while (at < lines.length) {
    const found = item.exec(lines[at]!);
    if (!found || (found[3] !== undefined) !== isOrdered || rule.test(lines[at]!)) break;
    const indent = found[1]!.length + found[2]!.length + 1;
    const own = [lines[at]!.slice(found[0].length)];
    for (at++; at < lines.length; at++) {
      const line = lines[at]!;
      const isBlank = line.trim() === "";
      const isIndented = line.startsWith(" ".repeat(Math.min(indent, 2)));
      if (
        isBlank
          ? !nextBelongs(lines, at, indent)
          : !isIndented &&
            (item.test(line) || lines[at - 1]!.trim() === "" || fence.test(line) || heading.test(line))
      )
        break;
      own.push(line.slice(Math.min(indent, line.length - line.trimStart().length)));
    }
    items.push(blocksOf(own, depth + 1));
    // A blank line between items.
    if (lines[at]?.trim() === "" && item.test(lines[at + 1] ?? "")) at++;
  }

  return { list: { kind: "list", start: isOrdered ? Number(first[3]) : undefined, items }, end: at };
}

function nextBelongs(lines: readonly string[], at: number, indent: number): boolean {
  const next = lines.slice(at).find((line) => line.trim() !== "");
  return next?.startsWith(" ".repeat(Math.min(indent, 2))) ?? false;
}

function cellsOf(line: string): Inline[][] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => inlinesOf(cell.trim().replaceAll("\\|", "|"), 0));
}

const kinds = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "del" } as const;

function inlinesOf(text: string, depth: number): Inline[] {
  const inlines: Inline[] = [];
  let plain = "";

  /** Opening marks, such as `**`, that have no closing mark in the rest of the text. */
  const unclosed = new Set<string>();

  const push = (inline: Inline) => {
    if (plain) inlines.push(plain);
    plain = "";
    inlines.push(inline);
  };

  let at = 0;
  while (at < text.length) {
    const found = depth < depth_levels ? inlineAt(text, at, depth, unclosed) : undefined;
    if (found) {
      if (typeof found.inline === "string") plain += found.inline;
      else push(found.inline);
      at = found.end;
    } else plain += text[at++];
  }

  if (plain) inlines.push(plain);
  return inlines;
}

interface FoundInline {
  inline: Inline;
  end: number;
}

function inlineAt(text: string, at: number, depth: number, unclosed: Set<string>): FoundInline | undefined {
  const letter = text[at]!;
  switch (letter) {
    case "\\":
      return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "") ? { inline: text[at + 1]!, end: at + 2 } : undefined;
    case "\n":
      return { inline: text.slice(0, at).endsWith("  ") ? { kind: "break" } : "\n", end: at + 1 };
    case "`":
      return codeAt(text, at, unclosed);
    case "!":
      // An image is replaced by its alternative text.
      return text[at + 1] === "[" ? textOfLink(linkAt(text, at + 1, depth)) : undefined;
    case "[":
      return citationAt(text, at) ?? linkAt(text, at, depth);
    case "<": {
      const url = /^<(https?:\/\/[^\s<>]+)>/.exec(text.slice(at, at + 2_000));
      return url
        ? { inline: { kind: "link", url: url[1]!, children: [url[1]!] }, end: at + url[0].length }
        : undefined;
    }
    case "*":
    case "_":
    case "~":
      return emphasisAt(text, at, depth, unclosed);
  }

  return undefined;
}

function codeAt(text: string, at: number, unclosed: Set<string>): FoundInline | undefined {
  const mark = /^`+/.exec(text.slice(at, at + 20))![0];
  if (unclosed.has(mark)) return { inline: mark, end: at + mark.length };
  for (let end = text.indexOf(mark, at + mark.length); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (text[end + mark.length] === "`" || text[end - 1] === "`") continue;
    const code = text.slice(at + mark.length, end).replaceAll("\n", " ");
    return {
      inline: { kind: "code", text: /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code },
      end: end + mark.length,
    };
  }
  unclosed.add(mark);
  return { inline: mark, end: at + mark.length };
}

function citationAt(text: string, at: number): FoundInline | undefined {
  const found = /^\[(\d{1,2}|\?)\](?!\()/.exec(text.slice(at, at + 5));
  if (found?.[1] === "?") return { inline: { kind: "unsourced" }, end: at + found[0].length };
  return found
    ? { inline: { kind: "cite", number: Number(found[1]) }, end: at + found[0].length }
    : undefined;
}

/** Parses a link: `[text](url "title")`. */
function linkAt(text: string, at: number, depth: number): FoundInline | undefined {
  const found =
    /^\[((?:[^[\]\\\n]|\\.|\[[^[\]\n]*\])*)\]\(\s*<?((?:[^\s()<>\\]|\\.|\([^\s()]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/.exec(
      text.slice(at, at + 4_000),
    );
  if (!found) return undefined;
  const url = found[2]!.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return {
    inline: { kind: "link", url, children: inlinesOf(found[1]!, depth + 1) },
    end: at + found[0].length,
  };
}

function textOfLink(found: FoundInline | undefined): FoundInline | undefined {
  if (!found || typeof found.inline === "string" || found.inline.kind !== "link") return undefined;
  return { inline: plainText(found.inline.children), end: found.end };
}

function emphasisAt(text: string, at: number, depth: number, unclosed: Set<string>): FoundInline | undefined {
  const letter = text[at]!;
  const mark = (text[at + 1] === letter ? letter + letter : letter) as keyof typeof kinds;
  const kind = kinds[mark];
  const start = at + mark.length;
  const isWord = (index: number) => /[\p{L}\p{N}]/u.test(text[index] ?? "");
  if (!kind || /\s|^$/.test(text[start] ?? "") || (letter === "_" && isWord(at - 1)) || unclosed.has(mark))
    return { inline: mark, end: start };

  for (let end = text.indexOf(mark, start + 1); end >= 0; end = text.indexOf(mark, end + mark.length)) {
    // A closing mark follows a non-space character and isn't part of a longer mark.
    const isLonger = mark.length === 1 && (text[end + 1] === letter || text[end - 1] === letter);
    if (
      /\s/.test(text[end - 1]!) ||
      text[end - 1] === "\\" ||
      isLonger ||
      (letter === "_" && isWord(end + mark.length))
    )
      continue;
    return {
      inline: { kind, children: inlinesOf(text.slice(start, end), depth + 1) },
      end: end + mark.length,
    };
  }

  unclosed.add(mark);
  return { inline: mark, end: start };
}

/** Returns the text of inline content, without formatting. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (typeof inline === "string") return inline;
      if (inline.kind === "code") return inline.text;
      return inline.kind === "cite" || inline.kind === "unsourced" || inline.kind === "break"
        ? " "
        : plainText(inline.children);
    })
    .join("");
}
