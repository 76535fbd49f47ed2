/** Finds the parts of a page that an editor can fold. */

import type { FoldingRange, FoldingRangeKind } from "vscode-languageserver";
import { codeLinesOf } from "../../engine/page/prepare-mdx.ts";
import { frontmatterEnd, headingsIn } from "./outline-lookup.ts";

/** Returns the frontmatter, sections, code blocks, and elements whose tags are in lines of their own. */
export function foldsIn(text: string): FoldingRange[] {
  const lines = text.split(/\r\n?|\n/);
  const code = codeLinesOf(lines);
  const isCode = (line: number) => code.has(line + 1);
  const end = frontmatterEnd(lines);
  const folds: FoldingRange[] = end > 0 ? [{ startLine: 0, endLine: end }] : [];
  const add = (startLine: number, endLine: number, kind?: FoldingRangeKind) => {
    if (endLine > startLine) folds.push({ startLine, endLine, ...(kind ? { kind } : {}) });
  };

  const headings = headingsIn(lines);
  const open: { level: number; line: number }[] = [];
  const lastBefore = (line: number) => {
    let last = line - 1;
    while (last > 0 && lines[last]!.trim() === "") last--;
    return last;
  };
  for (const { level, line } of [...headings, { level: 0, line: lines.length }]) {
    while (open.length > 0 && open.at(-1)!.level >= level) add(open.pop()!.line, lastBefore(line));
    open.push({ level, line });
  }

  const tags: { name: string; line: number }[] = [];
  for (const [line, written] of lines.entries()) {
    if (line <= end) continue;
    if (isCode(line)) {
      if (!isCode(line - 1)) {
        let last = line;
        while (isCode(last + 1)) last++;
        add(line, last);
      }
      continue;
    }
    const [, slash, name = ""] = /^\s*<(\/?)([A-Za-z][\w.]*)/.exec(written) ?? [];
    if (name === "" || (slash === "" && /\/>\s*$|<\/[\w.]+>\s*$/.test(written))) continue;
    if (slash === "") tags.push({ name, line });
    else {
      const at = tags.findLastIndex((tag) => tag.name === name);
      if (at >= 0) add(tags[at]!.line, line - 1);
      if (at >= 0) tags.length = at;
    }
  }
  return folds.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}
