/**
 * Replaces syntax that the MDX parser doesn't support: `{#id}` after headings, HTML comments and
 * `{{variables}}`. Also escapes dollar signs of prices and shell variables, and reads the values of
 * variables. No lines are added or removed, unless the value of a variable contains line breaks.
 */

import { problem, type Report } from "../../base/problem.ts";

export interface Prepared {
  text: string;
  /** Custom ids of headings, by line in the file. */
  headingIds: Map<number, string>;
}

/**
 * Matches a line that opens or closes a code block, including in a block quote or at the start of a list
 * item. Groups: the fence, and the text after the fence.
 */
const fenceLine = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*(`{3,}|~{3,})\s*(.*?)\s*$/;
const variable = /\{\{\s*([\w.-]+)\s*\}\}/g;
/** Maximum length of the values of the variables in a text together, in characters. */
const values_chars = 4_000_000;

/** Characters that stand for dollar signs in attributes and links. A text uses one that it doesn't have. */
const placeholders = ["\ue0f1", "\ue0f2", "\ue0f3"];
const linkTarget = /\]\((?:<[^<>\n]*>|[^()\s<>]*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)/g;
const tag = /<[A-Za-z][\w.:-]*(?:\s+[A-Za-z_:@][\w.:@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*\s*\/?>/g;

/** Returns the numbers of the lines in code blocks, from 1 on. */
export function codeLinesOf(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const [, mark, info] = fenceLine.exec(line) ?? [];
    if (fence !== undefined || mark !== undefined) found.add(index + 1);
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && info === "")
      fence = undefined;
  }
  return found;
}

interface PrepareOptions {
  file: string;
  variables: ReadonlyMap<string, string>;
  math: boolean;
  report: Report;
  /** Number of lines in the file before the text. */
  linesBefore: number;
}

/** Prepares a text for the parser. */
export function prepare(source: string, options: PrepareOptions): Prepared {
  if (
    !/\{#|<!--|\$[^$\n]*\$|\$(?:[A-Za-z]{2}|\d)[^$]*\$|\]\([^()\n]* |\$.*<\/|\\[([]/.test(source) &&
    !(options.variables.size && source.includes("{{"))
  )
    return { text: source, headingIds: new Map() };

  const dollar = placeholders.find((character) => !source.includes(character)) ?? "$";
  const { text, headingIds } = prepareLines(withoutLiteralDollars(source, dollar), options);
  return { text: text.replaceAll(dollar, "$"), headingIds };
}

function prepareLines(source: string, options: PrepareOptions): Prepared {
  const headingIds = new Map<number, string>();
  const undefinedNames = new Set<string>();
  let valuesSoFar_chars = 0;
  const lines = source.split("\n");
  const inJsx = commentsInComments(source);
  let codeFence: string | undefined;
  let inComment = false;
  let nextStart = 0;
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index]!;
    const start = nextStart;
    nextStart += line.length + 1;
    const at = { file: options.file, line: index + 1 + options.linesBefore };
    const [, mark, info] = fenceLine.exec(line) ?? [];
    const wasCode = codeFence !== undefined;
    if (!inComment && mark && !codeFence) codeFence = mark;
    else if (mark && codeFence && mark.startsWith(codeFence) && info === "") codeFence = undefined;
    const isCode = wasCode || codeFence !== undefined;

    if (!isCode) {
      const uncommented = withoutComments(line, inComment, (column) => inJsx.has(start + column));
      if (uncommented.found)
        options.report(
          problem(
            "mdx-comment",
            { ...at, column: uncommented.found, length: 4 },
            "MDX doesn't support HTML comments",
            "Write {/* … */} instead.",
          ),
        );
      inComment = uncommented.open;
      line = uncommented.text;
      const heading = headingWithId(line);
      if (heading) {
        headingIds.set(at.line, heading.id);
        line = heading.text;
      }
      if (options.math && line.includes("$`")) line = withoutBackticks(line);
      if (line.includes("$")) line = withEscapedPrices(line, hasDollarBelow(lines, index));
      if (options.math && line.includes("\\")) line = withDollars(line);
      if (blankInUrl.test(line))
        line = withEncodedBlanks(line, (column, url) => {
          options.report(
            problem(
              "mdx-repaired",
              { ...at, column },
              `The URL ${url} contains blanks`,
              `Write ${url.replaceAll(" ", "%20")}.`,
            ),
          );
        });
    }
    if (options.variables.size && line.includes("{{")) {
      const isInCode = codeSpansIn(line);
      line = line.replace(variable, (whole, name: string, column: number) => {
        const value = options.variables.get(name);
        if (value !== undefined) {
          const wasTooLong = valuesSoFar_chars > values_chars;
          valuesSoFar_chars += value.length;
          if (valuesSoFar_chars <= values_chars) return value;
          if (!wasTooLong)
            options.report(
              problem(
                "too-much-work",
                { ...at, column: column + 1, length: whole.length },
                `The variables on this page are longer than ${values_chars.toLocaleString("en")} characters`,
                "Use shorter values, or split the page.",
              ),
            );
          return "";
        }

        if (isCode || isInCode(column)) return whole;

        if (!undefinedNames.has(name)) {
          undefinedNames.add(name);
          options.report(
            problem(
              "undefined-variable",
              { ...at, column: column + 1, length: whole.length },
              `Variable not defined: ${name}`,
              `Define ${JSON.stringify(name)} under "variables" in docs.json.`,
            ),
          );
        }

        return `\\{\\{${whole.slice(2)}`;
      });
    }
    lines[index] = line;
  }

  return { text: lines.join("\n"), headingIds };
}

/**
 * Replaces the dollar signs in quoted attributes and in the URLs and titles of links, which aren't part of
 * formulas. In attributes, they can't be escaped.
 */
function withoutLiteralDollars(source: string, dollar: string): string {
  const hidden = (text: string) => text.replaceAll("$", dollar);
  return source
    .replace(tag, (written) =>
      written.includes("$") ? written.replace(/=\s*(?:"[^"]*"|'[^']*')/g, hidden) : written,
    )
    .replace(linkTarget, hidden);
}

/**
 * Removes `<!-- … -->` outside code spans and JSX comments. The parameter `open` is whether a comment
 * continues from the previous line, and the result's `open` is whether one continues on the next line.
 * `found`: column of the first comment that starts in the line. `isKept`: whether the comment at an index of
 * the line is kept.
 */
function withoutComments(
  line: string,
  open: boolean,
  isKept: (index: number) => boolean,
): { text: string; open: boolean; found?: number } {
  const isInCode = codeSpansIn(line);
  let text = "";
  let found: number | undefined;
  let at = open ? endOfComment(line, 0) : 0;

  for (let start = line.indexOf("<!--", at); start >= 0; start = line.indexOf("<!--", start)) {
    if (isKept(start) || isInCode(start)) {
      start += 4;
      continue;
    }
    text += line.slice(at, start);
    found ??= start + 1;
    at = endOfComment(line, start + 4);
    start = at;
  }

  const isOpen = at > line.length;
  return { text: text + line.slice(at), open: isOpen, ...(found === undefined ? {} : { found }) };
}

/**
 * Returns the index after the end of a comment. If it has none in the line, an index after the line's end.
 */
function endOfComment(line: string, from: number): number {
  const end = line.indexOf("-->", from);
  return end < 0 ? line.length + 1 : end + 3;
}

/** Returns the offsets of HTML comments in JSX comments, which leave them out anyway. */
function commentsInComments(source: string): ReadonlySet<number> {
  const offsets = new Set<number>();
  if (!source.includes("<!--")) return offsets;
  const opening = /\{[ \t]{0,9}\/\*/g;
  for (let match = opening.exec(source); match; match = opening.exec(source)) {
    const end = source.indexOf("*/", match.index);
    if (end < 0) break;
    for (const { index } of source.slice(match.index, end).matchAll(/<!--/g))
      offsets.add(match.index + index);
    opening.lastIndex = end;
  }

  return offsets;
}

/**
 * Matches a link or an image whose URL contains blanks, which Markdown doesn't allow. It's a path, an anchor,
 * or the name of a file.
 */
const blankInUrl =
  /(?<!\\)\]\(((?:https?:\/\/|\.{0,2}\/|#)[^()<>"'\s]*(?: +[^()<>"'\s]+)+|[^()<>"'\s]+(?: +[^()<>"'\s]+)+\.[A-Za-z\d]{2,5})(?=\)| ["'])/;

/** Encodes the blanks in such URLs outside code. */
function withEncodedBlanks(line: string, onFound: (column: number, url: string) => void): string {
  const isInCode = codeSpansIn(line);
  return line.replace(new RegExp(blankInUrl, "g"), (whole, url: string, index: number) => {
    if (isInCode(index)) return whole;
    onFound(index + 3, url);
    return `](${url.replaceAll(" ", "%20")}`;
  });
}

/**
 * Matches the text of a formula: a command of LaTeX, a superscript or a subscript, or only letters, digits,
 * and signs of arithmetic.
 */
const formulaText =
  /\\[A-Za-z]|[A-Za-z\d)}][\^_]\S|^\s*[A-Za-z\d]{1,3}(?:\s*[-+*/=<>,|]\s*[A-Za-z\d]{1,3})+\s*$|^\s*[A-Za-z]\s*$/;

/** Matches the text of a formula in `\[…\]` on one line. `\[x\]` and `\[file_name\]` are also texts. */
const displayText = /\\[A-Za-z]|[A-Za-z\d)}]\^\S|(?<![A-Za-z\d])[A-Za-z]_\S|[A-Za-z\d)}]\s*[=+]\s*\S/;

/**
 * Replaces the brackets of formulas, `\(…\)` and `\[…\]`, with dollar signs. In Markdown, they're escaped
 * brackets.
 */
function withDollars(line: string): string {
  if (/^[\s>]*\\[[\]]\s*$/.test(line)) return line.replace(/\\[[\]]/, "$$$$");

  const isInCode = codeSpansIn(line);
  const isDisplay = /^[\s>]*\\\[.*\\\][.,]?\s*$/.test(line) ? displayText : /(?<!\\)\\[A-Za-z]/;
  return line.replace(
    /(?<![\\\p{L}\p{N}])\\(?:\((.{1,999}?)\\\)|\[(.{1,999}?)\\\])/gu,
    (whole, inline: string | undefined, display: string, index: number) => {
      const formula = inline ?? display;
      // `\[x\]` is also how brackets are written that aren't a link.
      if (!(inline === undefined ? isDisplay : formulaText).test(formula) || isInCode(index)) return whole;
      const mark = inline === undefined ? "$$" : "$";
      return mark + formula.trim() + mark;
    },
  );
}

/** Replaces GitHub's other form of formulas, with backticks inside the dollar signs. */
function withoutBackticks(line: string): string {
  const isInCode = codeSpansIn(line);
  return line.replace(/(?<![\\$])\$`([^`]+)`\$/g, (whole, formula: string, index: number) =>
    isInCode(index) ? whole : `$${formula}$`,
  );
}

/** Whether the same block goes on in lines below and has another dollar sign there. */
function hasDollarBelow(lines: readonly string[], index: number): boolean {
  for (let below = index + 1; lines[below]?.trim(); below++) if (lines[below]!.includes("$")) return true;
  return false;
}

/**
 * Escapes dollar signs of prices and shell variables, which would otherwise start a formula. `goesOn`:
 * whether a formula could end in a line below.
 */
function withEscapedPrices(line: string, goesOn: boolean): string {
  let out = "";
  const isInCode = codeSpansIn(line);
  let at = 0;
  for (let open = line.indexOf("$"); open >= 0; open = line.indexOf("$", at)) {
    const next = line.indexOf("$", open + 1);
    if (next < 0 && !leavesElement(line.slice(open)) && !(goesOn && isUnpaired(line, open))) break;
    const close = next < 0 ? line.length : next;
    out += line.slice(at, open);
    if (line[open - 1] === "\\" || isInCode(open)) {
      out += "$";
      at = open + 1;
    } else if (close === open + 1 || !(next < 0 || looksLikeMoney(line.slice(open + 1, close)))) {
      // A formula, or the `$$` of a display formula.
      out += line.slice(open, close + 1);
      at = close + 1;
    } else {
      out += "\\$";
      at = open + 1;
    }
  }

  return out + line.slice(at);
}

/**
 * Whether the last dollar sign of a line is that of a price or a name, and doesn't start a formula of several
 * lines.
 */
function isUnpaired(line: string, open: number): boolean {
  const rest = line.slice(open + 1);
  const isWord =
    /^(?:[A-Za-z]{2,}\b(?!\s*[=({])|\d[\d.,]*(?:[kKmMbB]\b|\s+(?:[a-z]{2}|a\s)|[\s).,;:]*$))/.test(rest);
  return isWord && !/\\[A-Za-z]|[\^{}]/.test(rest) && (line.match(/`/g) ?? []).length % 2 === 0;
}

function looksLikeMoney(text: string): boolean {
  const between = text.replace(/<[A-Za-z][^<>]*>/g, "");
  const hasCommand = /\\[A-Za-z]|\^|[A-Za-z)]_(?:\{|[A-Za-z\d]\b)/.test(between);
  return (
    leavesElement(text) ||
    /^\s|`|\]\(|\\$/.test(between) ||
    (/\s$/.test(between) && !hasCommand) ||
    /^\d[\d.,]*(?:[kKmMbB]\b|[\s/+;:!?)-]|$)(?!.*[\\^_=])/.test(between) ||
    (/^[A-Z_]{2,}\b/.test(between) && !hasCommand)
  );
}

/** Whether a text contains the closing tag of an element that starts before it. */
function leavesElement(text: string): boolean {
  let level = 0;
  for (const [, slash, end] of text.matchAll(/<(\/?)[A-Za-z][^<>]*?(\/?)>/g)) {
    if (end === "") level += slash === "" ? 1 : -1;
    if (level < 0) return true;
  }
  return false;
}

/** Returns a function that tells whether an index of a line is in a code span. */
export function codeSpansIn(line: string): (index: number) => boolean {
  let inCode: Uint8Array | undefined;
  return (index) => (inCode ??= markCode(line))[index] === 1;
}

/** Marks the characters in code spans (CommonMark 0.31.2, section 6.1). */
function markCode(line: string): Uint8Array {
  const inCode = new Uint8Array(line.length);
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  const last = new Map(runs.map(({ length }, at) => [length, at]));
  for (let at = 0; at < runs.length; at++) {
    const { index, length } = runs[at]!;
    if (last.get(length)! <= at) continue;
    do at++;
    while (runs[at]!.length !== length);
    inCode.fill(1, index, runs[at]!.index);
  }

  return inCode;
}

/**
 * Returns the values of the `variables` setting, by name. Removes markup, since the values are inserted into
 * MDX source.
 */
export function variableValues(variables: Record<string, string | number> | undefined): Map<string, string> {
  return new Map(
    Object.entries(variables ?? {}).map(([name, value]) => [
      name,
      String(value)
        .replace(/<[^>]*>/g, "")
        .replace(/[<{}]/g, ""),
    ]),
  );
}

/** Splits a heading such as `## Install {#setup}`. Undefined for other lines. */
function headingWithId(line: string): { text: string; id: string } | undefined {
  const start = line.lastIndexOf("{#");
  if (start < 0 || !/^\s*#{1,6}\s/.test(line)) return undefined;
  const id = /^\{#([^{}]+)\}\s*$/.exec(line.slice(start))?.[1]?.trim();
  return id === undefined ? undefined : { text: line.slice(0, start).trimEnd(), id };
}
