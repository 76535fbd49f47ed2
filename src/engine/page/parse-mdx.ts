/** Parses MDX to a syntax tree. Repairs syntax errors (`repair-mdx.ts`), and reports them. */

import type { Root } from "mdast";
import { markdownToMdast, mdxToMdast } from "satteri";
import { problem, type Report } from "../../base/problem.ts";
import { isKnownElement } from "../element-names.ts";
import { textAfterCode } from "./import-blocks.ts";
import { hasManyMarks } from "./many-marks.ts";
import { parseText } from "./parse-text.ts";
import { escapeSyntax, type ParseFault, type RepairDraft, repairIntended } from "./repair-mdx.ts";
import { tildeFeature } from "./single-tildes.ts";

/**
 * Number of repairs to a text that are always allowed. Further repairs, at most one for each character, are
 * allowed while less than `parsed_chars` characters have been parsed, which count more if many tags or braces
 * are open. After that, the text is parsed as Markdown without MDX. Of the real pages that tests read, none
 * needs more than ten repairs.
 */
const repairs_count = 20;
const parsed_chars = 5_000_000;
/** Number of open tags and braces at which parsing a character takes about twice as long. */
const open_count = 200;

const features = { gfm: true, frontmatter: false, ...tildeFeature } as const;

export interface Parsed {
  tree: Root;
  /** The repaired text, which the offsets of the tree refer to. */
  text: string;
  /**
   * Converts a line number of the tree to a line number of the source. The numbers can differ, because
   * repairs can add lines.
   */
  lineOf(line: number): number;
}

/**
 * Parses a text. Reports syntax errors, and returns a tree even for an invalid text. `linesBefore`: number of
 * lines in the file before the text.
 */
export function parseMdx(
  source: string,
  options: { file: string; linesBefore: number; math: boolean; report: Report },
): Parsed {
  const smartPunctuation = !hasManyMarks(source);
  const parserOptions = { features: { ...features, smartPunctuation, math: options.math } };
  const draft: RepairDraft = { text: source, shifts: [], escapedTags: new Set(), isCut: false };
  const lineOf = (line: number) =>
    draft.shifts.reduce((sum, shift) => (shift.after < line ? sum - shift.by : sum), line);
  let reportedLine = 0;
  let parsed = 0;
  const weight = 1 + openMarks(source) / open_count;
  for (
    let repairs = 0;
    repairs <= repairs_count || (repairs < source.length && parsed < parsed_chars);
    repairs++
  ) {
    parsed += draft.text.length * weight;
    try {
      const tree = parseText(draft.text, (text) => mdxToMdast(text, parserOptions) as unknown as Root);
      const late = textAfterCode(tree);
      if (!late) return { tree, text: draft.text, lineOf };
      const place = { file: options.file, line: lineOf(late.line) + options.linesBefore, column: 1 };
      options.report(
        problem(
          "mdx-repaired",
          place,
          "This line follows an import or export without an empty line",
          "Add an empty line before it.",
        ),
      );
      draft.text = `${draft.text.slice(0, late.offset)}\n${draft.text.slice(late.offset)}`;
      draft.shifts.push({ after: late.line, by: 1 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_STRING_TOO_LONG") break;
      const fault = readFault(error);
      const line = lineOf(fault.line);
      // Escaping an opening tag makes its closing tag unexpected, which isn't another mistake by the author.
      const isEcho = draft.escapedTags.has(
        /^Unexpected closing tag `<\/([^`>]+)>`/.exec(fault.message)?.[1] ?? "",
      );
      const opened = fault.opened ? lineOf(fault.opened.line) : line;
      const intended = repairIntended(draft, fault);
      const wasCut = draft.isCut;
      const isRepaired = intended !== undefined || escapeSyntax(draft, fault);
      // Tags that are open where the text was cut have no closing tags.
      if (intended !== true && line !== reportedLine && !isEcho && !wasCut) {
        reportedLine = line;
        const place = {
          file: options.file,
          line: (intended?.isAtTag ? opened : line) + options.linesBefore,
          column: fault.column,
        };
        if (intended) options.report(problem("mdx-repaired", place, intended.message, intended.hint));
        else {
          const message = cleanMessage(fault.message);
          options.report(problem("mdx-syntax", place, message, draft.isCut ? cutHint : syntaxHint(message)));
        }
      }
      if (!isRepaired) break;
    }
  }

  const visibility = source.search(/<visibility\b/i);
  const text = visibility < 0 ? source : source.slice(0, visibility);
  try {
    const tree = parseText(text, (given) => markdownToMdast(given, parserOptions) as unknown as Root);
    return { tree, text, lineOf: (line) => line };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STRING_TOO_LONG") throw error;
    // A block has tens of thousands of entities, and the parser writes the text before each of them again.
    const place = { file: options.file, line: options.linesBefore + 1, column: 1 };
    options.report(
      problem("mdx-syntax", place, "This text is too large to be parsed", "Split long paragraphs."),
    );
    const shown = { type: "paragraph" as const, children: [{ type: "text" as const, value: text }] };
    return { tree: { type: "root", children: [shown] }, text, lineOf: (line) => line };
  }
}

/** Returns how many tags and braces are open at the end of a text. */
function openMarks(text: string): number {
  const marks = text.match(/<[A-Za-z>]|<\/|\/>|[{}]/g) ?? [];
  return marks.reduce((open, mark) => Math.max(0, open + (/[/}]/.test(mark) ? -1 : 1)), 0);
}

const cutHint =
  "Correct the <Visibility> tag, or add its closing tag. Until then, no one sees the content after it.";

function syntaxHint(message: string): string {
  const [, unclosed] = /^Expected a closing tag for `<([^`>]+)>`/.exec(message) ?? [];
  const isElement = unclosed !== undefined && (/^[A-Z][a-z]/.test(unclosed) || isKnownElement(unclosed));
  if (isElement) return `Add </${unclosed}>. To show the tag as text, write \\<${unclosed}>.`;
  const [, unopened] =
    /^Unexpected closing tag `<\/([^`>]+)>`, expected an open tag first/.exec(message) ?? [];
  if (unopened) return `Remove </${unopened}>, or add <${unopened}> before it.`;
  const [, other, open] =
    /^Unexpected closing tag `<\/([^`>]+)>`, expected corresponding closing tag for `<([^`>]+)>`/.exec(
      message,
    ) ?? [];
  if (open) return `Add </${open}> before </${other}>.`;
  return "To show < or { as text, write \\< or \\{, or use backticks.";
}

function readFault(error: unknown): ParseFault {
  const text = error instanceof Error ? error.message : String(error);
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(text);
  if (!match) return { line: 1, column: 1, message: text };
  const opened =
    /`<([^`>]*)>`\s+(?:opened at )?\((?:opened at )?(\d+):(\d+)/.exec(match[3]!) ??
    /\(`<([^`>]*)>` opened at (\d+):(\d+)/.exec(match[3]!);
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
