import { cutText } from "../base/cut-text.ts";
import { limits } from "../base/limits.ts";
import type { Problem, SourcePosition } from "../base/problem.ts";

/**
 * Returns the lines around a position, with line numbers and, if the position has a column, a marker below
 * it. Returns fewer lines if they are long. Undefined if the position has no line, or if the line is after
 * the end of the text.
 */
export function codeFrame(text: string, place: SourcePosition): string | undefined {
  if (!place.line) return undefined;
  const lines = linesOf(text);
  if (place.line > lines.length) return undefined;
  const frames = [2, 1, 0].map((around) => frameOf(lines, { ...place, line: place.line! }, around));
  return (
    frames.find((frame) => frame.length <= limits.problemText_chars) ??
    cutText(frames.at(-1)!, limits.problemText_chars)
  );
}

/** `around`: number of lines before and after the position. */
function frameOf(lines: readonly string[], place: SourcePosition & { line: number }, around: number): string {
  const first = Math.max(1, place.line - around);
  const last = Math.min(lines.length, place.line + around);
  const width = String(last).length;
  const out: string[] = [];
  for (let n = first; n <= last; n++) {
    const { shown, cut } = excerpt(lines[n - 1]!, n === place.line ? (place.column ?? 1) : 1);
    out.push(`${n === place.line ? ">" : " "} ${String(n).padStart(width)} | ${shown}`.trimEnd());
    if (n === place.line && place.column) {
      const indent = place.column - 1 - cut + (cut > 0 ? 1 : 0);
      out.push(
        `  ${" ".repeat(width)} | ${" ".repeat(Math.max(0, indent))}${"^".repeat(Math.max(1, Math.min(place.length ?? 1, 60)))}`,
      );
    }
  }

  return out.join("\n");
}

/** Cache of the last text's lines, since a file can have many problems. */
let last: { text: string; lines: readonly string[] } | undefined;

function linesOf(text: string): readonly string[] {
  if (last?.text !== text) last = { text, lines: text.split("\n") };
  return last.lines;
}

/** Returns a line of a text, by its number from 1. */
export function lineOf(text: string, line: number): string {
  return linesOf(text)[line - 1] ?? "";
}

/**
 * Returns a line with spaces instead of tabs. Of a long line, returns only the part around a column. `cut`:
 * number of characters removed at the start.
 */
function excerpt(line: string, column: number): { shown: string; cut: number } {
  const cut = line.length <= 160 ? 0 : wholeCharacter(line, Math.max(0, column - 60));
  const end = line.length <= 160 ? line.length : wholeCharacter(line, cut + 120);
  const shown = line.slice(cut, end).replace(/\t/g, " ");
  return { shown: (cut > 0 ? "…" : "") + shown + (end < line.length ? "…" : ""), cut };
}

/** Returns the index, or the one before if a character would be split. */
function wholeCharacter(line: string, index: number): number {
  return /^[\ud800-\udbff]/.test(line.charAt(index - 1)) && /^[\udc00-\udfff]/.test(line.charAt(index))
    ? index - 1
    : index;
}

/**
 * Returns a problem with a code frame, if the problem has one or its line is in the text. `text`: the content
 * of the problem's file.
 */
export function withFrame(problem: Problem, text: string): Problem {
  const frame = problem.frame ?? codeFrame(text, problem);
  return frame ? { ...problem, frame } : problem;
}

/**
 * Returns problems with code frames. `textOf` returns the content of a file; it's called once for each run of
 * problems in the same file.
 */
export function withFrames(
  problems: readonly Problem[],
  textOf: (file: string) => string | undefined,
): Problem[] {
  let read: { file: string; text: string } | undefined;
  return problems.map((found) => {
    if (read?.file !== found.file) read = { file: found.file, text: textOf(found.file) ?? "" };
    return withFrame(found, read.text);
  });
}
