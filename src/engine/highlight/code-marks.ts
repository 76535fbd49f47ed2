/** Reads marks in code, such as `// [!code ++]`. */

/** A mark on a line of code, from a fence option or a comment in the code. */
export type LineMark = "highlight" | "focus" | "add" | "remove";

/** Code without its mark comments, and the marks by line number. The first line is 1. */
export interface MarkedCode {
  code: string;
  marks: Map<number, Set<LineMark>>;
}

const kinds: Record<string, LineMark> = {
  "++": "add",
  "--": "remove",
  highlight: "highlight",
  hl: "highlight",
  focus: "focus",
  warning: "highlight",
  error: "highlight",
};

const comment =
  /[ \t]*(?:\/\/|\/\*|#|--|;|%|'|<!--|\{\s*\/\*|REM\b)[ \t]*\[!code[ \t]+(\+\+|--|[a-z]{2,9})(?::(\d{1,4}))?\][ \t]*(?:\*\/\s*\}?|-->)?[ \t]*$/;

/**
 * Removes comments such as `// [!code ++]` from the code, and marks their lines. A comment alone on its line
 * marks the line below it. With a number, such as in `[!code focus:3]`, the mark applies to that many lines.
 */
export function readMarks(code: string): MarkedCode {
  const marks = new Map<number, Set<LineMark>>();
  if (!code.includes("[!code")) return { code, marks };
  const kept: string[] = [];
  for (const line of code.split("\n")) {
    const found = line.length < 10_000 ? comment.exec(line) : null;
    const mark = found && kinds[found[1]!];
    if (!found || !mark) {
      kept.push(line);
      continue;
    }
    const rest = line.slice(0, found.index);
    if (rest.trim() !== "") kept.push(rest);
    const first = rest.trim() !== "" ? kept.length : kept.length + 1;
    const count = Number(found[2] ?? 1);
    for (let i = first; i < first + count; i++) addMark(marks, i, mark);
  }

  return { code: kept.join("\n"), marks };
}

export function addMark(marks: Map<number, Set<LineMark>>, line: number, mark: LineMark): void {
  const present = marks.get(line);
  if (present) present.add(mark);
  else marks.set(line, new Set([mark]));
}
