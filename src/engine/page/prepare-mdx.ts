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

/** Prepares a text for the parser. `linesBefore`: number of lines in the file before the text. */
export function prepare(
  source: string,
  options: {
    file: string;
    variables: ReadonlyMap<string, string>;
    math: boolean;
    report: Report;
    linesBefore: number;
  },
): Prepared {
  const headingIds = new Map<number, string>();

  if (
    !/\{#|<!--|\$[^$\n]*\$|\]\([^()\n]* |\$.*<\/|\\[([]/.test(source) &&
    !(options.variables.size && source.includes("{{"))
  )
    return { text: source, headingIds };

  const undefinedNames = new Set<string>();
  const lines = source.split("\n");
  let codeFence: string | undefined;
  let inComment = false;
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index]!;
    const at = { file: options.file, line: index + 1 + options.linesBefore };
    const [, mark, info] = fenceLine.exec(line) ?? [];
    const wasCode = codeFence !== undefined;
    if (!inComment && mark && !codeFence) codeFence = mark;
    else if (mark && codeFence && mark.startsWith(codeFence) && info === "") codeFence = undefined;
    const isCode = wasCode || codeFence !== undefined;

    if (!isCode) {
      const uncommented = withoutComments(line, inComment);
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
      const heading = /^(\s*#{1,6}\s.*?)\s*\{#([^{}]+)\}\s*$/.exec(line);
      if (heading) {
        headingIds.set(at.line, heading[2]!.trim());
        line = heading[1]!;
      }
      if (line.includes("$")) line = withEscapedPrices(line);
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
      line = line.replace(variable, (whole, name: string, column: number) => {
        const value = options.variables.get(name);
        if (value !== undefined) return value;
        if (isCode || insideCodeSpan(line, column)) return whole;

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
 * Removes `<!-- … -->` outside code spans. The parameter `open` is whether a comment continues from the
 * previous line, and the result's `open` is whether one continues on the next line. `found`: column of the
 * first comment that starts in the line.
 */
function withoutComments(line: string, open: boolean): { text: string; open: boolean; found?: number } {
  if (open) {
    const end = line.indexOf("-->");
    if (end < 0) return { text: "", open: true };
    const rest = withoutComments(line.slice(end + 3), false);
    return { ...rest, ...(rest.found ? { found: rest.found + end + 3 } : {}) };
  }

  let from = 0;
  for (;;) {
    const start = line.indexOf("<!--", from);
    if (start < 0) return { text: line, open: false };
    if (insideCodeSpan(line, start)) {
      from = start + 4;
      continue;
    }
    const end = line.indexOf("-->", start + 4);
    const rest = end < 0 ? { text: "", open: true } : withoutComments(line.slice(end + 3), false);
    return { text: line.slice(0, start) + rest.text, open: rest.open, found: start + 1 };
  }
}

/**
 * Matches a link or an image whose URL contains blanks, which Markdown doesn't allow. It's a path, an anchor,
 * or the name of a file.
 */
const blankInUrl =
  /(?<!\\)\]\(((?:https?:\/\/|\.{0,2}\/|#)[^()<>"'\s]*(?: +[^()<>"'\s]+)+|[^()<>"'\s]+(?: +[^()<>"'\s]+)+\.[A-Za-z\d]{2,5})(?=\)| ["'])/;

/** Encodes the blanks in such URLs outside code. */
function withEncodedBlanks(line: string, onFound: (column: number, url: string) => void): string {
  return line.replace(new RegExp(blankInUrl, "g"), (whole, url: string, index: number) => {
    if (insideCodeSpan(line, index)) return whole;
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

/**
 * Replaces the brackets of formulas, `\\(…\\)` and `\\[…\\]`, with dollar signs. In Markdown, they're escaped
 * brackets.
 */
function withDollars(line: string): string {
  if (/^[\s>]*\\[[\]]\s*$/.test(line)) return line.replace(/\\[[\]]/, "$$$$");

  return line.replace(
    /(?<![\\\p{L}\p{N}])\\(?:\((.+?)\\\)|\[(.+?)\\\])/gu,
    (whole, inline: string | undefined, display: string, index: number) => {
      const formula = inline ?? display;
      // `\[x\]` is also how brackets are written that aren't a link.
      if (
        !(inline === undefined ? /(?<!\\)\\[A-Za-z]/ : formulaText).test(formula) ||
        insideCodeSpan(line, index)
      )
        return whole;
      const mark = inline === undefined ? "$$" : "$";
      return mark + formula.trim() + mark;
    },
  );
}

/** Escapes dollar signs of prices and shell variables, which would otherwise start a formula. */
function withEscapedPrices(line: string): string {
  let out = "";
  let at = 0;
  for (let open = line.indexOf("$"); open >= 0; open = line.indexOf("$", at)) {
    const next = line.indexOf("$", open + 1);
    if (next < 0 && !leavesElement(line.slice(open))) break;
    const close = next < 0 ? line.length : next;
    out += line.slice(at, open);
    if (line[open - 1] === "\\" || insideCodeSpan(line, open)) {
      out += "$";
      at = open + 1;
    } else if (close === open + 1 || !looksLikeMoney(line.slice(open + 1, close))) {
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

function looksLikeMoney(between: string): boolean {
  const hasCommand = /\\[A-Za-z]|\^|[A-Za-z)]_(?:\{|[A-Za-z\d]\b)/.test(between);
  return (
    leavesElement(between) ||
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

function insideCodeSpan(line: string, column: number): boolean {
  const runs = /(`+)/g;
  let opening: { length: number } | undefined;
  for (let match = runs.exec(line); match && match.index < column; match = runs.exec(line)) {
    if (!opening) opening = { length: match[0].length };
    else if (match[0].length === opening.length) opening = undefined;
  }
  if (!opening) return false;
  const closing = line.slice(column).match(/`+/g);
  return closing?.some((run) => run.length === opening.length) ?? false;
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
