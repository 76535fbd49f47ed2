/**
 * Finds import and export blocks, which MDX ends at an empty line, and text that follows them without one.
 */

import type * as acorn from "acorn";
import type { Root } from "mdast";
import { parseModule } from "../author/javascript-syntax.ts";

/**
 * Whether a block that the parser treats as an import or export really is one. A paragraph can also start
 * with `import` or `export`.
 */
export function looksLikeModule(source: string): boolean {
  return /^import\s+(?:[\p{ID_Start}_$*{][\s\S]*?\sfrom\s*)?["']|^export\s+(?:const|let|var|function|async|default|class|\{|\*)/u.test(
    source,
  );
}

/** Matches the start of each line that starts with something that probably isn't code. */
const textStart = /\n(?=[^\s})\]/])(?!(?:import|export|const|let|var|function|async|class)\b)/g;

/**
 * Returns the line, from 1, and the offset of the first text that follows an import or export without an
 * empty line.
 */
export function textAfterCode(tree: Root): { line: number; offset: number } | undefined {
  for (const node of tree.children) {
    const {
      type,
      value = "",
      position,
    } = node as { type: string; value?: string; position?: { start: { line: number; offset?: number } } };
    if (type !== "mdxjsEsm" || !looksLikeModule(value) || position?.start.offset === undefined) continue;
    const starts = [...value.matchAll(textStart)].map(({ index }) => index + 1);
    if (starts.length === 0 || isCode(value)) continue;
    const start = starts.find((index) => isCode(value.slice(0, index)));
    if (start === undefined) continue;
    return {
      line: position.start.line + value.slice(0, start).split("\n").length - 1,
      offset: position.start.offset + start,
    };
  }

  return undefined;
}

/** Whether a source is valid and has only declarations. */
function isCode(source: string): boolean {
  let program: acorn.Program;
  try {
    program = parseModule(source);
  } catch {
    return false;
  }
  return program.body.every(({ type }) => /Declaration$|^EmptyStatement$/.test(type));
}
