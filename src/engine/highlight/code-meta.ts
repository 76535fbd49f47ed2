/** Parses the options of code fences, and finds the languages that code blocks use. */

import type { ContentNode, Props } from "../content.ts";
import { visitElements } from "../content.ts";

/** Options of a code block from the first line of its fence. */
export interface CodeMeta {
  language: string;
  title?: string;
  icon?: string;
  /** Numbers of highlighted lines. The first line is 1. */
  highlight: number[];
  focus: number[];
  lines: boolean;
  wrap: boolean;
  expandable: boolean;
  nocopy: boolean;
  twoslash: boolean;
  theme?: string;
  /** Option of diagrams: whether to show zoom buttons. */
  actions?: boolean;
  /** Option of diagrams: the corner with the zoom buttons, such as `top-left`. */
  placement?: string;
}

const flags = new Map<string, "lines" | "wrap" | "expandable" | "nocopy" | "twoslash">([
  ["lines", "lines"],
  ["showlinenumbers", "lines"],
  ["wrap", "wrap"],
  ["expandable", "expandable"],
  ["expand", "expandable"],
  ["nocopy", "nocopy"],
  ["twoslash", "twoslash"],
]);

/** Maximum line number. Higher line numbers are ignored. */
const lastLine = 20_000;

/**
 * Parses a list such as `1,3-5` and returns the line numbers in ascending order. Ignores other characters,
 * such as brackets, and numbers above `lastLine`.
 */
export function parseLines(text: string): number[] {
  const lines = new Set<number>();
  for (const [, from, to] of text.matchAll(/(\d{1,6})(?:\s*-\s*(\d{1,6}))?/g)) {
    const last = Math.min(Number(to ?? from), lastLine);
    for (let line = Math.max(1, Number(from)); line <= last; line++) lines.add(line);
  }
  return [...lines].sort((a, b) => a - b);
}

const token =
  /([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|(\S+))|"([^"]*)"|'([^']*)'|\{([\d\s,-]*)\}|\[expandable\]|(\S+)/g;

/** Replaces a quote inside a value, which doesn't end the value. */
const markedQuote = "\uE000";

/**
 * Marks the quotes inside values such as `title="The "best" file"`, whose backslashes the parser has removed.
 * A quote ends a value if a blank, a bracket or the end follows, and if the quotes after it form pairs.
 */
function withMarkedQuotes(meta: string): string {
  let left = meta.split('"').length - 1;
  let isOpen = false;
  return meta.replace(/"/g, (quote, at: number) => {
    left--;
    if (!isOpen) {
      isOpen = true;
      return quote;
    }
    if (left % 2 === 0 && /^[\s{[]?$/.test(meta[at + 1] ?? "")) {
      isOpen = false;
      return quote;
    }
    return left > 0 ? markedQuote : quote;
  });
}

/** Parses the info string of a fence: the language, and the options after it. */
export function parseCodeMeta(language: string, meta = ""): CodeMeta {
  const split = splitLanguage(language, meta);
  const result: CodeMeta = {
    language: split.language,
    highlight: [],
    focus: [],
    lines: false,
    wrap: false,
    expandable: false,
    nocopy: false,
    twoslash: false,
  };

  if (split.meta === "") return result;
  const words: string[] = [];
  let title: string | undefined;
  for (const match of withMarkedQuotes(split.meta).matchAll(token)) {
    const [whole, key, double, single, braced, bare, quoted, quotedSingle, range, word] = match.map((part) =>
      part?.replaceAll(markedQuote, '"'),
    );
    if (key !== undefined) {
      const value = double ?? single ?? braced?.replace(/^\s*["'`](.*)["'`]\s*$/, "$1") ?? bare ?? "";
      if (key === "title" || key === "filename") title = value;
      else if (!setOption(result, key, value) && bare !== undefined) words.push(whole!);
    } else if (range !== undefined) result.highlight.push(...parseLines(range));
    else if (quoted !== undefined || quotedSingle !== undefined) words.push((quoted ?? quotedSingle)!);
    else if (whole === "[expandable]") result.expandable = true;
    else if (word !== undefined) {
      const flag = flags.get(word.toLowerCase());
      if (flag) result[flag] = true;
      else words.push(word);
    }
  }

  result.highlight = [...new Set(result.highlight)].sort((a, b) => a - b);
  const shown = (title ?? words.join(" ")).trim();
  if (shown) result.title = shown;

  return result;
}

/** Separates the language from the options. Handles `python{15}` and fences that start with an option. */
function splitLanguage(language: string, meta: string): { language: string; meta: string } {
  if (flags.get(language.toLowerCase()) === "nocopy") return { language: "", meta: `nocopy ${meta}` };
  if (/^[{[]|[="']/.test(language)) return { language: "", meta: `${language} ${meta}` };
  const brace = language.indexOf("{");
  if (brace > 0) return { language: language.slice(0, brace), meta: `${language.slice(brace)} ${meta}` };
  return { language, meta };
}

/** Sets the option `key=value`. Returns false for an unknown key. */
function setOption(result: CodeMeta, key: string, value: string): boolean {
  const flag = flags.get(key.toLowerCase());
  if (flag) result[flag] = value !== "false";
  else if (key === "highlight") result.highlight.push(...parseLines(value));
  else if (key === "focus") result.focus = parseLines(value);
  else if (key === "icon" || key === "theme" || key === "placement") result[key] = value;
  else if (key === "lang") result.language = value;
  else if (key === "actions") result.actions = value !== "false";
  else return false;
  return true;
}

/**
 * Returns the languages of the code blocks, for `prepareLanguages`. Leaves out blocks that `isHighlighted`
 * returns true for.
 */
export function languagesIn(
  nodes: readonly ContentNode[],
  isHighlighted: (props: Props) => boolean = () => false,
): Set<string> {
  const languages = new Set<string>();
  visitElements(nodes, ({ name, props }) => {
    const language = props.language ?? props.lang;
    if (
      name !== "CodeBlock" ||
      typeof language !== "string" ||
      (typeof props.code === "string" && isHighlighted(props))
    )
      return;
    languages.add(parseCodeMeta(language, typeof props.meta === "string" ? props.meta : "").language);
  });
  return languages;
}
