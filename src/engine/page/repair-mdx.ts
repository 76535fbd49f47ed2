/**
 * Repairs syntax errors in the text of an MDX page, one at a time. If it's clear what the author wants to be
 * shown, the text is changed to that. Otherwise, the invalid construct is escaped, so that it's shown as
 * text.
 */

import { isComponentName } from "../content.ts";

const voidTags = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;

const quoteEntities: Readonly<Record<string, string>> = { '"': "&quot;", "'": "&#39;" };

export interface ParseFault {
  line: number;
  column: number;
  message: string;
  /** The opening tag that the parser's message mentions. */
  opened?: { line: number; column: number; name: string };
}

export interface RepairDraft {
  text: string;
  /** Line breaks that repairs added (1) or removed (-1), and the number of the line before each one. */
  shifts: { after: number; by: 1 | -1 }[];
  /** Names of opening tags that were escaped. */
  escapedTags: Set<string>;
  /**
   * Whether the text ends at a `<Visibility>` tag that can't be parsed, because it's unclear who can see the
   * rest.
   */
  isCut: boolean;
}

/** A problem with text whose meaning is clear. `isAtTag`: its position is the opening tag. */
interface Intended {
  message: string;
  hint: string;
  isAtTag?: true;
}

/**
 * Repairs a syntax error if it's clear what the author wants to be shown. Returns the problem to report,
 * `true` if there is none because other tools also accept the text, or undefined if nothing was repaired.
 */
export function repairIntended(draft: RepairDraft, fault: ParseFault): Intended | true | undefined {
  const at = offsetOf(draft.text, fault);
  const opened = fault.opened && offsetOf(draft.text, fault.opened);
  return (
    repairTag(draft, fault, at) ??
    repairClosingTag(draft, fault, at, opened) ??
    repairOpeningTag(draft, fault, opened)
  );
}

function replace(draft: RepairDraft, start: number, end: number, by: string): void {
  draft.text = draft.text.slice(0, start) + by + draft.text.slice(end);
}

/** Repairs a tag that can't be read at an offset. */
function repairTag(draft: RepairDraft, fault: ParseFault, at: number): Intended | true | undefined {
  const { text } = draft;
  const quote = escapedQuote(text, fault);
  if (quote !== undefined) {
    const mark = text[quote + 1]!;
    replace(draft, quote, quote + 2, quoteEntities[mark]!);
    return {
      message: `The value of an attribute can't contain \\${mark}`,
      hint: `Use ${mark === '"' ? "single" : "double"} quotes around the value, or write ${quoteEntities[mark]}.`,
    };
  }

  const bare = unquotedValue(text, fault);
  if (bare) {
    const [start, end] = bare.range;
    replace(draft, start, end, `"${text.slice(start, end)}"`);
    return {
      message: `The value of ${bare.name} has no quotation marks`,
      hint: `Write ${bare.name}="${text.slice(start, end)}".`,
    };
  }

  const autolink = /^<((?:https?:\/\/|mailto:)[^\s<>]+|[\w.+-]{1,64}@[\w-]+\.[\w.-]+)>/.exec(
    text.slice(at, at + 2_000),
  );

  if (autolink) {
    const [whole, address] = autolink as unknown as [string, string];
    const link = `[${address}](${/^\w+:/.test(address) ? address : `mailto:${address}`})`;
    replace(draft, at, at + whole.length, link);
    return { message: `${whole} isn't valid MDX`, hint: `Write ${link}.` };
  }

  if (fault.message.startsWith("Unexpected character after `<`")) {
    // A `>` at the start of a line is read as a block quote.
    const end = tagEnd(text, at);
    const line = text.lastIndexOf("\n", end) + 1;
    if (
      end > 0 &&
      line > at &&
      /^[\s>]*$/.test(text.slice(line, end)) &&
      !text.slice(at, end).includes("\n\n")
    ) {
      const kept = text.slice(0, line).trimEnd();
      draft.shifts.push({ after: fault.line + text.slice(at, line).split("\n").length - 2, by: -1 });
      replace(draft, kept.length, end, "");
      return true;
    }
  }

  return undefined;
}

/** Repairs a closing tag that isn't on a separate line, where Markdown needs it to be. */
function repairClosingTag(
  draft: RepairDraft,
  fault: ParseFault,
  at: number,
  opened: number | undefined,
): Intended | undefined {
  const { text } = draft;

  if (/^Expected the closing tag .* either after the end of/.test(fault.message)) {
    const close = text.indexOf("</", at);
    const tag = close < 0 ? undefined : /^<\/[^<>\n]{0,60}>/.exec(text.slice(close, close + 70))?.[0];
    if (tag === undefined) return undefined;
    const before = text.slice(text.lastIndexOf("\n", close) + 1, close);
    const isBefore = before.trim() !== indentOf(before).trim();
    // If there is no text before the tag, the text after it makes it part of a paragraph.
    const breakAt = isBefore ? close : close + tag.length;
    if (/^[ \t]*(?:\n|$)/.test(text.slice(breakAt, breakAt + 200))) return undefined;
    draft.shifts.push({ after: fault.line, by: 1 });
    const indent = opened === undefined ? before : text.slice(text.lastIndexOf("\n", opened - 1) + 1, opened);
    replace(draft, breakAt, breakAt, `\n${indentOf(indent)}`);
    return {
      message: `${tag} is on the line of the text ${isBefore ? "before" : "after"} it`,
      hint: `Put ${tag} on a separate line.`,
    };
  }

  const unclosed = /^Expected a closing tag for `<([^`>]+)>`/.exec(fault.message)?.[1];
  const fenced = unclosed === undefined ? -1 : text.indexOf(`\`\`\`</${unclosed}>`);
  if (fenced >= 0) {
    const line = text.slice(text.lastIndexOf("\n", fenced) + 1, fenced);
    if (/[^\s>`]/.test(line)) return undefined;
    draft.shifts.push({ after: text.slice(0, fenced).split("\n").length, by: 1 });
    replace(draft, fenced + 3, fenced + 3, `\n${indentOf(line)}`);
    return {
      message: `</${unclosed}> is on the line of the end of a code block`,
      hint: `Put </${unclosed}> on a separate line.`,
    };
  }

  return undefined;
}

/**
 * Repairs an opening tag without a closing tag: a void tag, or a tag with content on its line that goes on in
 * further paragraphs.
 */
function repairOpeningTag(
  draft: RepairDraft,
  fault: ParseFault,
  opened: number | undefined,
): Intended | undefined {
  const { text } = draft;
  if (opened === undefined) return undefined;
  const end = tagEnd(text, opened);
  if (end < 0) return undefined;

  if (voidTags.test(text.slice(opened, opened + 12))) {
    replace(draft, end, end, text[end - 1] === "/" ? "" : " /");
    const name = fault.opened!.name;
    return { message: `<${name}> has no closing tag`, hint: `Write <${name} />.`, isAtTag: true };
  }

  if (!/^Expected a closing tag for .* before the end of `paragraph`/.test(fault.message)) return undefined;
  const start = text.lastIndexOf("\n", opened - 1) + 1;
  const before = text.slice(start, opened);
  const rest = text.slice(end + 1, text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end));
  const closes = text.indexOf(`</${fault.opened!.name}`, end);
  const indent = indentOf(before);
  const isAfterTags = /^(?:<[^<>]*>\s*)*$/.test(before.slice(indent.length));
  if (closes < 0 || (!isAfterTags && !isComponentName(fault.opened!.name))) return undefined;

  // A block quote ends at a line without `>`, and a list item at a line that isn't indented.
  const ends = indent.includes(">") ? /\n[ \t]*\n/ : indent === "" ? undefined : /\n(?=[^\s])/;
  if (ends?.test(text.slice(end, closes))) return undefined;

  if (isAfterTags) {
    if (rest.trim() === "") return undefined;
    draft.shifts.push({ after: fault.opened!.line, by: 1 });
    replace(draft, end + 1, end + 1, `\n${indent}`);
  } else {
    draft.shifts.push({ after: fault.opened!.line, by: 1 }, { after: fault.opened!.line, by: 1 });
    replace(draft, opened, opened, `\n${indent.trimEnd()}\n${indent}`);
  }

  const tag = text.slice(opened, end + 1);
  return {
    message: `The content of <${fault.opened!.name}> starts on the line of the tag and goes on after an empty line`,
    hint: `Put ${tag.length < 60 ? tag : `<${fault.opened!.name} …>`} on a separate line.`,
    isAtTag: true,
  };
}

/** Returns what a further line needs at its start to be in the same block quotes and list items as a line. */
function indentOf(line: string): string {
  return /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*/.exec(line)![0].replace(/[^\s>]/g, " ");
}

/**
 * Changes the text at a syntax error, so that the invalid construct is shown as text: adds a closing tag, or
 * escapes a character. Returns false if that isn't possible.
 */
export function escapeSyntax(draft: RepairDraft, fault: ParseFault): boolean {
  const { text } = draft;
  const at = offsetOf(text, fault);
  const opened = fault.opened && offsetOf(text, fault.opened);

  if (/^Unexpected closing tag/.test(fault.message)) {
    // Closing <Visibility> here would show the rest of its content to everyone.
    if (/^visibility$/i.test(fault.opened?.name ?? "")) return escape(draft, at);
    const opensItsLine =
      opened !== undefined && text.slice(text.lastIndexOf("\n", opened - 1) + 1, opened).trim() === "";
    if (opensItsLine) {
      draft.shifts.push({ after: fault.line, by: 1 });
      replace(draft, at, at, `</${fault.opened!.name}>\n`);
      return true;
    }
    return escape(draft, opened ?? at);
  }

  return escape(draft, opened ?? at);
}

/**
 * Escapes the `{` or `<` at an offset, or the nearest one before it. Returns false if there is none nearby.
 */
function escape(draft: RepairDraft, offset: number): boolean {
  const { text } = draft;
  for (let i = Math.min(offset, text.length - 1); i >= 0 && offset - i < 20_000; i--) {
    if ((text[i] !== "{" && text[i] !== "<") || text[i - 1] === "\\") continue;
    if (/^<visibility\b/i.test(text.slice(i, i + 12))) {
      draft.text = text.slice(0, i);
      draft.isCut = true;
      return true;
    }
    const tag = /^<([\p{ID_Continue}$.]+)/u.exec(text.slice(i, i + 80));
    if (tag) draft.escapedTags.add(tag[1]!);
    draft.text = `${text.slice(0, i)}\\${text.slice(i)}`;
    return true;
  }

  return false;
}

/**
 * Returns the offset of the first backslash before a quotation mark in an attribute of a tag that can't be
 * parsed. Undefined if there is none.
 */
function escapedQuote(text: string, fault: ParseFault): number | undefined {
  const start = offsetOf(text, fault);
  if (
    !fault.message.startsWith("Unexpected character") ||
    !/^<[\p{ID_Start}$_]/u.test(text.slice(start, start + 3))
  )
    return undefined;

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

const attributes = /\s+([A-Za-z_][\w:.-]*)\s*(?:=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*\}|([^\s"'`{}<>=]+)))?/y;

/**
 * Returns the first attribute without quotation marks in a tag that can't be parsed. Undefined if there is
 * none.
 */
function unquotedValue(
  text: string,
  fault: ParseFault,
): { name: string; range: [start: number, end: number] } | undefined {
  const start = offsetOf(text, fault);
  const name = /^<[A-Za-z][\w.-]*/.exec(text.slice(start, start + 80));
  if (!name || !fault.message.startsWith("Unexpected character")) return undefined;

  attributes.lastIndex = start + name[0].length;

  for (let match = attributes.exec(text); match; match = attributes.exec(text)) {
    const [whole, attribute, value] = match;
    if (value === undefined) continue;
    // A slash at the end belongs to the tag.
    const end =
      match.index + whole.length - (value.endsWith("/") && text[match.index + whole.length] === ">" ? 1 : 0);
    const from = match.index + whole.length - value.length;
    return end > from ? { name: attribute!, range: [from, end] } : undefined;
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
