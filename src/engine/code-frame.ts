import type { Problem, SourcePosition } from "../base/problem.ts";

/**
 * Returns the lines around a position, with line numbers and, if the position has a column, a marker below it. Undefined if the position
 * has no line, or if the line is after the end of the text.
 */
export function codeFrame(text: string, place: SourcePosition): string | undefined {
  if (!place.line) return undefined;
  const lines = text.split("\n");
  if (place.line > lines.length) return undefined;
  const first = Math.max(1, place.line - 2);
  const last = Math.min(lines.length, place.line + 2);
  const width = String(last).length;
  const out: string[] = [];
  for (let n = first; n <= last; n++) {
    const { shown, cut } = excerpt(lines[n - 1]!, n === place.line ? (place.column ?? 1) : 1);
    out.push(`${n === place.line ? ">" : " "} ${String(n).padStart(width)} | ${shown}`.trimEnd());
    if (n === place.line && place.column) {
      const indent = place.column - 1 - cut + (cut > 0 ? 1 : 0);
      out.push(`  ${" ".repeat(width)} | ${" ".repeat(Math.max(0, indent))}${"^".repeat(Math.max(1, Math.min(place.length ?? 1, 60)))}`);
    }
  }
  return out.join("\n");
}

/**
 * Returns a line with spaces instead of tabs. Of a long line, returns only the part around a column. `cut`: number of characters removed at
 * the start.
 */
function excerpt(line: string, column: number): { shown: string; cut: number } {
  const flat = line.replace(/\t/g, " ");
  if (flat.length <= 160) return { shown: flat, cut: 0 };
  const cut = Math.max(0, column - 60);
  return { shown: (cut > 0 ? "…" : "") + flat.slice(cut, cut + 120) + (cut + 120 < flat.length ? "…" : ""), cut };
}

/** Returns a problem with a code frame, if the problem has one or its line is in the text. `text`: the content of the problem's file. */
export function withFrame(problem: Problem, text: string): Problem {
  const frame = problem.frame ?? codeFrame(text, problem);
  return frame ? { ...problem, frame } : problem;
}
