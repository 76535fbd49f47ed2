/** Finds what the author is writing at a position, and what the text at a position refers to. */

import type { JsonPath } from "../../engine/json-positions.ts";

/** What is before the cursor. `prefix`: the part of the name or value that is written. */
export type Cursor =
  | { kind: "component" | "link" | "variable" | "import" | "frontmatter-key"; prefix: string }
  | { kind: "prop"; component: string; prefix: string }
  | { kind: "prop-value"; component: string; prop: string; prefix: string }
  | { kind: "frontmatter-value"; key: string; prefix: string };

/** A reference in a line. `start` and `end`: its characters. */
export interface Reference {
  kind: "link" | "import" | "snippet" | "component" | "operation";
  value: string;
  start: number;
  end: number;
}

/** Number of characters before the cursor in which a tag can start. */
const tag_chars = 4_000;
/** Longer lines aren't searched for references. */
const line_chars = 20_000;

/** Finds what an author is writing in an MDX or Markdown file. `before`: the text before the cursor. */
export function cursorIn(before: string): Cursor | undefined {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.length > line_chars) return undefined;
  if (isInFrontmatter(before)) {
    const [, key, value] = /^([\w-]+):\s*["']?(.*)$/.exec(line) ?? [];
    if (key !== undefined) return { kind: "frontmatter-value", key, prefix: value! };
    return /^[\w-]*$/.test(line) ? { kind: "frontmatter-key", prefix: line } : undefined;
  }

  if (isInFence(before)) return undefined;
  const variable = /\{\{\s*([\w.-]*)$/.exec(line);
  if (variable) return { kind: "variable", prefix: variable[1]! };
  const link = /\]\(([^()\s]*)$/.exec(line);
  if (link) return { kind: "link", prefix: link[1]! };
  const source = /^(?:import|export)\s[^"']*from\s*["']([^"']*)$/.exec(line);
  if (source) return { kind: "import", prefix: source[1]! };
  return cursorInTag(before.slice(-tag_chars));
}

/** Finds the tag that is open at the end of a text, and what is written in it. */
function cursorInTag(text: string): Cursor | undefined {
  const start = text.lastIndexOf("<");
  const name = /^<([A-Za-z][\w.-]*)?/.exec(text.slice(Math.max(0, start)));
  if (start < 0 || !name) return undefined;
  const component = name[1] ?? "";
  let rest = text.slice(start + name[0].length);
  if (rest === "") return { kind: "component", prefix: component };
  if (component === "") return undefined;

  for (;;) {
    const attribute = /^\s+([\w:-]+)=(["'])/.exec(rest) ?? /^\s+([\w:-]+)=(\{)/.exec(rest);
    if (attribute) {
      const value = rest.slice(attribute[0].length);
      const end = value.indexOf(attribute[2] === "{" ? "}" : attribute[2]!);
      if (end < 0) {
        if (attribute[2] === "{") return undefined;
        return { kind: "prop-value", component, prop: attribute[1]!, prefix: value };
      }
      rest = value.slice(end + 1);
      continue;
    }
    const flag = /^\s+[\w:-]+(?=\s)/.exec(rest);
    if (!flag) break;
    rest = rest.slice(flag[0].length);
  }

  const prop = /^\s+([\w:-]*)$/.exec(rest);
  return prop ? { kind: "prop", component, prefix: prop[1]! } : undefined;
}

function isInFrontmatter(before: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(before) && !/\n---[ \t]*\r?(?:\n|$)/.test(before);
}

function isInFence(before: string): boolean {
  let fence: string | undefined;
  for (const [, mark] of before.matchAll(/^[ \t]*(`{3,}|~{3,})/gm)) {
    if (fence === undefined) fence = mark;
    else if (mark!.startsWith(fence)) fence = undefined;
  }
  return fence !== undefined;
}

const references: readonly [Reference["kind"], RegExp][] = [
  ["operation", /^(?:openapi|api):\s*["']?([^"'\n]+)/dg],
  ["import", /^(?:import|export)\s[^"']*from\s*["']([^"']+)/dg],
  ["snippet", /<Snippet\s[^>]*?file=["']([^"']+)/dg],
  ["link", /\]\(\s*<?([^()\s<>]+)/dg],
  ["link", /\b(?:href|src|img|url)=(?:\{\s*)?["'`]([^"'`]+)/dg],
  ["component", /<\/?([A-Z][\w.]*)/dg],
];

/** Finds the reference at a character of a line of an MDX or Markdown file. */
export function referenceAt(line: string, character: number): Reference | undefined {
  if (line.length > line_chars) return undefined;
  for (const [kind, pattern] of references)
    for (const match of line.matchAll(pattern)) {
      const [start, end] = match.indices![1]!;
      if (start <= character && character <= end) return { kind, value: match[1]!, start, end };
    }
  return undefined;
}

/** Finds the text in quotes at a character of a line of JSON. */
export function stringAt(line: string, character: number): Omit<Reference, "kind"> | undefined {
  if (line.length > line_chars) return undefined;
  for (const match of line.matchAll(/"((?:[^"\\]|\\.)*)"/dg)) {
    const [start, end] = match.indices![1]!;
    if (start <= character && character <= end) return { value: match[1]!, start, end };
  }
  return undefined;
}

/** Where the cursor is in a JSON text. */
export interface JsonCursor {
  /** Path of the object, list, or value that contains the cursor. */
  path: JsonPath;
  /** Whether a key is written, and not a value. */
  isKey: boolean;
  prefix: string;
  /** Whether the cursor is in quotes. */
  isQuoted: boolean;
}

/** Finds the position in the JSON text before the cursor, which can have errors. */
export function cursorInJson(before: string): JsonCursor {
  const open: { key: string | number; isObject: boolean; isKey: boolean }[] = [];
  let last = "";
  for (let at = 0; at < before.length; at++) {
    const top = open.at(-1);
    const char = before[at]!;
    if (char === '"') {
      const start = at + 1;
      for (at = start; at < before.length && before[at] !== '"'; at++) if (before[at] === "\\") at++;
      last = before.slice(start, at);
      if (at >= before.length) return { ...jsonPlace(open), prefix: last, isQuoted: true };
    } else if (char === "{" || char === "[") {
      open.push({ key: char === "[" ? 0 : "", isObject: char === "{", isKey: char === "{" });
    } else if (char === "}" || char === "]") open.pop();
    else if (top && char === ":" && top.isObject) {
      top.key = last;
      top.isKey = false;
    } else if (top && char === ",") {
      if (top.isObject) top.isKey = true;
      else top.key = (top.key as number) + 1;
    }
  }

  return { ...jsonPlace(open), prefix: /[\w$.-]*$/.exec(before.slice(-100))![0], isQuoted: false };
}

function jsonPlace(
  open: readonly { key: string | number; isKey: boolean }[],
): Pick<JsonCursor, "path" | "isKey"> {
  const isKey = open.at(-1)?.isKey ?? false;
  const keys = open.map(({ key }) => key);
  return { path: isKey ? keys.slice(0, -1) : keys, isKey };
}
