/**
 * The differences from `@mdx-js/mdx` that are on purpose. `docs/write/pages.mdx` and
 * `docs/write/markdown.mdx` describe them.
 */

import type { Difference } from "./mdx-judge.ts";

const cjk = /[\u1100-\u11ff\u2e80-\uffee]/;

const textOf = (tokens: Difference["ours"]) => tokens.map(({ text }) => text).join("");

/** By name, whether a difference is one of its kind, and why it's made. */
export const exceptions: Readonly<
  Record<string, { reason: string; applies(found: Difference, source: string): boolean }>
> = {
  cjk: {
    reason: "marks and URLs next to Chinese, Japanese and Korean text have the meaning that readers expect",
    applies: ({ theirs, line }, source) =>
      (cjk.test(textOf(theirs)) && /\*|~~|https?:|www\./.test(textOf(theirs))) ||
      (theirs.some(({ text }) => /^<\/?(?:strong|em|del)>$/.test(text)) &&
        cjk.test(source.split("\n")[line - 1] ?? "")),
  },
  prices: {
    reason: "dollar signs of prices and names don't start formulas",
    applies: ({ theirs }) =>
      theirs.some(({ kind, text }) => kind === "code" && /^\$(?:[\d.,]+\b|[a-zA-Z]{2})/.test(text)),
  },
  emptyBraces: {
    reason: "empty braces are shown, because they aren't code",
    applies: ({ ours, theirs }) =>
      theirs.some(({ kind, text }) => kind === "code" && /^\{[ \t]*\}$/.test(text)) &&
      /\{[ \t]*\}/.test(textOf(ours)),
  },
  capitals: {
    reason: "HTML elements can be written in capitals",
    applies: ({ ours, theirs }) =>
      textOf(ours) !== textOf(theirs) && textOf(ours).toLowerCase() === textOf(theirs).toLowerCase(),
  },
};

/** Whether a text that `@mdx-js/mdx` refuses is shown as written, so that there's nothing to report. */
export function isShownAsWritten(reason: string): boolean {
  // A paragraph can start with `import`, and a line of a code span with a brace.
  return /^Could not parse (?:import\/exports|expression) with acorn/.test(reason);
}
