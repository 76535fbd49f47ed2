/** Reports text that isn't the block, link or footnote that its author meant. */

import { plural } from "../../base/plural.ts";
import { problem, type Report, type SourcePosition } from "../../base/problem.ts";

/** Matches the row of hyphens in a table, also with other dashes or blanks between them. */
const tableRule = /^[\s>]*\|?[ \t]*:?[-–—]+:?[ \t]*\|[ \t|:–—-]*$/;

/** The callouts for names that other tools use. Default: `Note`. */
const callouts: ReadonlyMap<string, string> = new Map([
  ["attention", "Warning"],
  ["caution", "Warning"],
  ["danger", "Danger"],
  ["error", "Danger"],
  ["hint", "Tip"],
  ["important", "Warning"],
  ["info", "Info"],
  ["note", "Note"],
  ["success", "Check"],
  ["tip", "Tip"],
  ["warning", "Warning"],
]);

/** Matches the first line of a callout, of tabs or of a table of contents in the syntax of other tools. */
const otherBlock =
  /^[\s>]*(?:(:{3,}|!{3}|\?{3}\+?)[ \t]*\{?([A-Za-z][\w-]*)|(===)[ \t]+["'“]|(\[\[?_?toc_?\]\]?)\s*$)/i;

/** Checks a paragraph. `source`: its Markdown. `place`: its start. */
export function checkParagraph(source: string, place: SourcePosition, report: Report): void {
  const hasBlock = /:::|!!!|\?\?\?|===|toc_?\]/i.test(source);
  if (!hasBlock && !source.includes("|")) return;
  const lines = source.split("\n");
  checkTable(lines, place, report);
  if (!hasBlock) return;
  for (const [index, line] of lines.entries()) {
    const meant = meantBlock(line);
    if (meant) report(problem("other-syntax", below(place, index), meant.message, meant.hint));
  }
}

/**
 * Reports the first lines of a paragraph that would be a table if the second one had a run of hyphens for
 * each cell of the first one.
 */
function checkTable([head = "", rule = ""]: readonly string[], place: SourcePosition, report: Report): void {
  if (!head.includes("|") || !tableRule.test(rule)) return;
  const [cells, columns] = [cellsIn(head), cellsIn(rule)];
  const wrong = columns.findIndex((cell) => !/^\s*:?-+:?\s*$/.test(cell));
  const what =
    wrong < 0
      ? `its first row has ${plural(cells.length, "cell")}, but the row of hyphens has ${columns.length}`
      : `cell ${wrong + 1} of its second row must contain only hyphens, without blanks between them`;
  const hint =
    wrong < 0
      ? "Write \\| for each pipe in the text of a cell, even in code."
      : "Write ---, with a colon at its start or end to align the column.";
  report(problem("table-cells", wrong < 0 ? place : below(place, 1), `This isn't a table: ${what}`, hint));
}

function cellsIn(row: string): string[] {
  const trimmed = row.replace(/^[\s>]*\|?/, "").replace(/\|?\s*$/, "");
  return trimmed.split(/(?<!\\)\|/);
}

/** Returns what to write instead of a line in the syntax of other tools. Undefined for other lines. */
function meantBlock(line: string): { message: string; hint: string } | undefined {
  const [, mark = "", name = "", tab, toc] = otherBlock.exec(line) ?? [];
  if (tab)
    return { message: `${tab} isn't the start of a tab`, hint: 'Write <Tabs><Tab title="…">…</Tab></Tabs>.' };

  if (toc)
    return {
      message: `${toc} isn't a table of contents`,
      hint: "Remove it. Pages list their headings next to the text.",
    };

  if (!mark) return undefined;
  const callout = callouts.get(name.toLowerCase()) ?? "Note";
  const component = /details|^\?/.test(mark + name)
    ? '<Accordion title="…">…</Accordion>'
    : `<${callout}>…</${callout}>`;
  const message = `${mark}${mark.startsWith(":") ? "" : " "}${name} isn't the start of a callout`;
  return { message, hint: `Write ${component}, or run \`octavo import-site\`.` };
}

/** Reports a code fence that is a callout in other tools. `name`: the name in braces after its backticks. */
export function checkDirective(name: string, place: SourcePosition, report: Report): void {
  const callout = callouts.get(name.toLowerCase());
  if (callout === undefined) return;
  report(
    problem(
      "other-syntax",
      place,
      `{${name}} isn't the start of a callout`,
      `Write <${callout}>…</${callout}>.`,
    ),
  );
}

const sizedImage = /(?<!\\)!\[[^[\]\n]*\]\([^()\n]*\s=\d*(?:x\d*)?\)/g;

/** Reports images in a text that have a size after the URL. `source`: its Markdown. `place`: its start. */
export function checkImageSizes(source: string, place: SourcePosition, report: Report): void {
  for (const { 0: whole, index } of source.matchAll(sizedImage))
    report(
      problem(
        "other-syntax",
        within(place, source, index, whole.length),
        "An image can't have a size after its URL",
        'Write <img src="…" alt="…" width="…" />.',
      ),
    );
}

/**
 * Matches a footnote's reference, or a link or an image with a reference. In `list[i][j]`, the brackets
 * aren't a link.
 */
const reference =
  /(?<!\\)\[\^([\p{L}\p{N}_-]+)\]|(?<![\p{L}\p{N}_)\]\\[])\[([^[\]\n]*\p{L}[^[\]\n]*)\]\[([^[\]^\n]*)\]/gu;

/** Reports references in a text that aren't defined. `source`: its Markdown. `place`: its start. */
export function checkReferences(source: string, place: SourcePosition, report: Report): void {
  for (const { 0: whole, 1: footnote, 2: text, 3: name, index } of source.matchAll(reference)) {
    const where = within(place, source, index, whole.length);
    const label = name || text;
    report(
      footnote === undefined
        ? problem(
            "undefined-reference",
            where,
            `Reference not defined: [${label}]`,
            `Add a line [${label}]: URL, or write \\[ for brackets.`,
          )
        : problem(
            "undefined-footnote",
            where,
            `Footnote not defined: ${whole}`,
            `Add a line [^${footnote}]: Text.`,
          ),
    );
  }
}

/** Returns the place of a part of a text. `index`: its start. */
function within(place: SourcePosition, source: string, index: number, length: number): SourcePosition {
  const lines = source.slice(0, index).split("\n");
  const column = (lines.length === 1 ? (place.column ?? 1) : 1) + lines.at(-1)!.length;
  return { ...below(place, lines.length - 1), column, length };
}

function below(place: SourcePosition, lines: number): SourcePosition {
  return { ...place, line: (place.line ?? 1) + lines };
}
