/**
 * Limits the nesting of a text before it is parsed, since parsers recurse and the native parser can't be
 * interrupted.
 */

import { limits } from "../../base/limits.ts";

const closing: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/**
 * Returns the position at which a text is nested too deeply; undefined if there is none. Outside code fences,
 * counts the quote marks, and list marks followed by a blank, at the start of each line. Also counts open
 * brackets, open tags, and, inside brackets, operators that nest without brackets (`!!!!`, `a=>a=>`,
 * `a?b:a?b:`). The count is an approximation: a text that passes can still overflow the parser's stack and
 * crash the build process.
 */
export function tooDeep(text: string): { line: number; column: number } | undefined {
  const most = limits.nesting_levels;

  // Each level takes at least one character.
  if (text.length <= most) return undefined;
  const stack: string[] = [];
  let tags = 0;
  let operators = 0;
  let fence: string | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    const head = /^[ \t>*+-]*/.exec(line)![0];
    if (head.length > most && (head.match(/>|[*+-](?=[ \t])/g)?.length ?? 0) > most)
      return { line: index + 1, column: 1 };
    // Brackets that are still open at the end of a paragraph are treated as plain text.
    if (line === "") stack.length = operators = 0;
    for (let i = 0; i < line.length; i++) {
      // Most characters are letters and spaces, and comparing codes is faster than comparing characters.
      const code = line.charCodeAt(i);
      if (code === 0x20 || code > 0x7e || (code > 0x60 && code < 0x7b)) continue;
      switch (line[i]) {
        case "(":
        case "[":
        case "{":
          if (stack.push(line[i]!) > most) return { line: index + 1, column: i + 1 };
          break;
        case ")":
        case "]":
        case "}":
          if (stack.at(-1) === closing[line[i]!]) stack.pop();
          if (stack.length === 0) operators = 0;
          break;
        case "<":
          if (line[i + 1] === "/") tags = Math.max(0, tags - 1);
          else if (/[A-Za-z>]/.test(line[i + 1] ?? "") && ++tags > most * 10)
            return { line: index + 1, column: i + 1 };
          break;
        case "/":
          if (line[i + 1] === ">") tags = Math.max(0, tags - 1);
          break;
        case ",":
        case ";":
        case ".":
          operators = 0;
          break;
        case "!":
        case "~":
        case "?":
        case "`":
        case "-":
        case "+":
        case "=":
          if (stack.length > 0 && ++operators > most * 5) return { line: index + 1, column: i + 1 };
      }
    }
  }

  return undefined;
}
