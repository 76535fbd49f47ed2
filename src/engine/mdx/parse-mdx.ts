/** Parses MDX to a syntax tree. Repairs syntax errors, so that usually only the invalid construct is shown as plain text. */

import type { Root } from "mdast";
import { markdownToMdast, mdxToMdast } from "satteri";
import { problem, type Report } from "../../base/problem.ts";

/** Maximum number of repairs to a text. After that, the text is parsed as Markdown without MDX. */
const repairs_count = 60;

const features = { gfm: true, frontmatter: false, smartPunctuation: true } as const;

const voidTags = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;

const quoteEntities: Readonly<Record<string, string>> = { '"': "&quot;", "'": "&#39;" };

export interface Parsed {
  tree: Root;
  /** Converts a line number of the tree to a line number of the source. The numbers can differ, because repairs can add lines. */
  lineOf(line: number): number;
}

/**
 * Parses a text. Reports syntax errors, and returns a tree even for an invalid text. `linesBefore`: number of lines in
 * the file before the text.
 */
export function parseMdx(source: string, options: { file: string; linesBefore: number; math: boolean; report: Report }): Parsed {
  const parserOptions = { features: { ...features, math: options.math } };
  const draft: RepairDraft = { text: source, addedLines: [], escapedTags: new Set() };
  const lineOf = (line: number) => line - draft.addedLines.filter((added) => added < line).length;
  let reportedLine = 0;
  for (let repairs = 0; repairs <= repairs_count; repairs++) {
    try {
      return { tree: mdxToMdast(draft.text, parserOptions) as unknown as Root, lineOf };
    } catch (error) {
      const fault = readFault(error);
      const line = lineOf(fault.line);
      // Escaping an opening tag makes its closing tag unexpected, which isn't another mistake by the author.
      const isEcho = draft.escapedTags.has(/^Unexpected closing tag `<\/([^`>]+)>`/.exec(fault.message)?.[1] ?? "");
      if (line !== reportedLine && !isEcho) {
        reportedLine = line;
        const place = { file: options.file, line: line + options.linesBefore, column: fault.column };
        const quote = draft.text[(escapedQuote(draft.text, fault) ?? Number.NaN) + 1];
        const [message, hint] = quote
          ? [
              `The value of an attribute can't contain \\${quote}`,
              `Use ${quote === '"' ? "single" : "double"} quotes around the value, or write ${quoteEntities[quote]}.`,
            ]
          : [cleanMessage(fault.message), "To show < or { as text, write \\< or \\{, or use backticks."];
        options.report(problem("mdx-syntax", place, message, hint));
      }
      if (!repair(draft, fault)) break;
    }
  }
  return { tree: markdownToMdast(source, parserOptions) as unknown as Root, lineOf: (line) => line };
}

interface ParseFault {
  line: number;
  column: number;
  message: string;
  /** The opening tag that the parser's message mentions. */
  opened?: { line: number; column: number; name: string };
}

interface RepairDraft {
  text: string;
  /** Numbers of the lines that an added line follows. */
  addedLines: number[];
  /** Names of opening tags that were escaped. */
  escapedTags: Set<string>;
}

function readFault(error: unknown): ParseFault {
  const text = error instanceof Error ? error.message : String(error);
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(text);
  if (!match) return { line: 1, column: 1, message: text };
  const opened =
    /`<([^`>]*)>`\s+(?:opened at )?\((?:opened at )?(\d+):(\d+)/.exec(match[3]!) ?? /\(`<([^`>]*)>` opened at (\d+):(\d+)/.exec(match[3]!);
  return {
    line: Number(match[1]),
    column: Number(match[2]),
    message: match[3]!,
    ...(opened ? { opened: { name: opened[1]!, line: Number(opened[2]), column: Number(opened[3]) } } : {}),
  };
}

/** Removes positions and the name of the JavaScript parser from the parser's error message. */
function cleanMessage(message: string): string {
  return message
    .replace(/Could not parse (\w+) with \w+: /, "The $1 isn't valid JavaScript: ")
    .replace(/ \((?:`[^`]*` opened at )?\d+:\d+(?:-\d+:\d+)?\)/g, "")
    .replace(/ \(note:.*\)$/, "");
}

/** Repairs the text at a syntax error. Returns false if it can't be repaired. */
function repair(draft: RepairDraft, fault: ParseFault): boolean {
  const { text } = draft;
  const at = offsetOf(text, fault);
  const opened = fault.opened && offsetOf(text, fault.opened);
  const replace = (start: number, end: number, by: string) => {
    draft.text = text.slice(0, start) + by + text.slice(end);
    return true;
  };

  const quote = escapedQuote(text, fault);
  if (quote !== undefined) return replace(quote, quote + 2, quoteEntities[text[quote + 1]!]!);
  if (opened !== undefined && voidTags.test(text.slice(opened, opened + 12))) {
    const end = tagEnd(text, opened);
    return end < 0 ? escape(draft, opened) : replace(end, end, "/");
  }
  if (/^Expected the closing tag .* either after the end of/.test(fault.message)) {
    const close = text.indexOf("</", at);
    if (close < 0) return escape(draft, opened ?? at);
    draft.addedLines.push(fault.line);
    return replace(close, close, "\n");
  }
  if (/^Unexpected closing tag/.test(fault.message)) {
    const opensItsLine = opened !== undefined && text.slice(text.lastIndexOf("\n", opened - 1) + 1, opened).trim() === "";
    if (opensItsLine) {
      draft.addedLines.push(fault.line);
      return replace(at, at, `</${fault.opened!.name}>\n`);
    }
    return escape(draft, opened ?? at);
  }
  const autolink = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/.exec(text.slice(at, at + 2_000));
  if (autolink) return replace(at, at + autolink[0].length, `[${autolink[1]}](${autolink[1]})`);
  return escape(draft, opened ?? at);
}

/** Escapes the `{` or `<` at an offset, or the nearest one before it. Returns false if there is none nearby. */
function escape(draft: RepairDraft, offset: number): boolean {
  const { text } = draft;
  for (let i = Math.min(offset, text.length - 1); i >= 0 && offset - i < 20_000; i--) {
    if ((text[i] !== "{" && text[i] !== "<") || text[i - 1] === "\\") continue;
    const tag = /^<([\p{ID_Continue}$.]+)/u.exec(text.slice(i, i + 80));
    if (tag) draft.escapedTags.add(tag[1]!);
    draft.text = `${text.slice(0, i)}\\${text.slice(i)}`;
    return true;
  }
  return false;
}

/**
 * Returns the offset of the first backslash before a quotation mark in an attribute of a tag that can't be parsed. Undefined if there is
 * none.
 */
function escapedQuote(text: string, fault: ParseFault): number | undefined {
  const start = offsetOf(text, fault);
  if (!fault.message.startsWith("Unexpected character") || !/^<[\p{ID_Start}$_]/u.test(text.slice(start, start + 3))) return undefined;
  let quote = "";
  for (let i = start + 1; i < text.length && !text.startsWith("\n\n", i); i++) {
    const c = text[i]!;
    if (quote) {
      if (c === "\\" && text[i + 1] === quote) return i;
      if (c === quote) quote = "";
    } else if (c === "<" || c === ">") return undefined;
    else if ((c === '"' || c === "'") && text[i - 1] === "=") quote = c;
  }
  return undefined;
}

/** Returns the offset of a tag's `>`. -1 if there is none. */
function tagEnd(text: string, start: number): number {
  let quote = "";
  let braces = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i]!;
    if (quote) {
      if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "{") braces++;
    else if (c === "}") braces--;
    else if (c === ">" && braces === 0) return i;
  }
  return -1;
}

function offsetOf(text: string, place: { line: number; column: number }): number {
  let offset = 0;
  for (let line = 1; line < place.line; line++) {
    const next = text.indexOf("\n", offset);
    if (next < 0) return text.length - 1;
    offset = next + 1;
  }
  return offset + place.column - 1;
}
