/**
 * Changes JSON and YAML that common parsers accept, but ours don't. Keeps the lines, so that positions of
 * problems stay correct.
 */

import { CST, Lexer } from "yaml";

/**
 * Replaces commas before closing brackets in JSON with spaces. `first`: offset of the first one. Undefined if
 * there are none.
 */
export function withoutTrailingCommas(text: string): { text: string; first: number } | undefined {
  let result = "";
  let done = 0;
  let first = -1;

  /** Index of a comma that only whitespace has followed; -1 if there is none. */
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      comma = -1;
    } else if (character === ",") comma = at;
    else if ((character === "]" || character === "}") && comma >= 0) {
      if (first < 0) first = comma;
      result += `${text.slice(done, comma)} `;
      done = comma + 1;
      comma = -1;
    } else if (!/\s/.test(character)) comma = -1;
  }

  return first < 0 ? undefined : { text: result + text.slice(done), first };
}

/** Mark before a scalar in the tokens of YAML. */
const scalarMark = "\x1f";

/**
 * Indents the lines inside brackets and braces of YAML more than the bracket. Some documents have a closing
 * bracket at a lower indent.
 */
export function indentBrackets(text: string): string {
  const tokens: string[] = [];
  let column = 0;
  let depth = 0;
  let margin = "";
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token === scalarMark) {
      isScalar = true;
      continue;
    }
    const type = isScalar ? "scalar" : CST.tokenType(token);
    isScalar = false;
    if (type === "doc-mode" || type === "flow-error-end") continue;
    if (type === "flow-map-start" || type === "flow-seq-start") {
      if (depth === 0) margin = " ".repeat(column + 1);
      depth++;
    } else if (type === "flow-map-end" || type === "flow-seq-end") depth--;
    tokens.push(depth > 0 ? token.replaceAll("\n", `\n${margin}`) : token);
    const lineEnd = token.lastIndexOf("\n");
    column = lineEnd < 0 ? column + token.length : token.length - lineEnd - 1;
  }

  return tokens.join("");
}
