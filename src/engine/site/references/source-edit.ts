import { spanAt } from "../../json-positions.ts";

/** A change of a file. Lines and columns start at 1. */
export interface SourceEdit {
  file: string;
  line: number;
  column: number;
  endLine: number;
  /** Column after the replaced text. */
  endColumn: number;
  text: string;
}

/** Returns the edit of a range of a text, without what stays the same at its start and end. */
export function editOfRange(
  file: string,
  text: string,
  { start, end }: { start: number; end: number },
  changed: string,
): SourceEdit[] {
  const before = text.slice(start, end);
  if (before === changed) return [];
  const most = Math.min(before.length, changed.length);
  let same = 0;
  while (same < most && before[same] === changed[same]) same++;
  let tail = 0;
  while (tail < most - same && before.at(-1 - tail) === changed.at(-1 - tail)) tail++;

  const first = spanAt(text, start + same, 0);
  const last = spanAt(text, end - tail, 0);
  return [
    {
      file,
      line: first.line,
      column: first.column,
      endLine: last.line,
      endColumn: last.column,
      text: changed.slice(same, changed.length - tail),
    },
  ];
}
