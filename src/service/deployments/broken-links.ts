/** Broken links of a deployment: its build's problems with links, anchors and images. */

import type { Problem } from "../../base/problem.ts";
import type { ProblemCode } from "../../base/problem-codes.ts";

const codes: readonly ProblemCode[] = ["dead-link", "dead-anchor", "missing-image"];

/** In the order of pages and lines. */
export function brokenLinksOf(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ code }) => codes.includes(code))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));
}

/** Broken links that the earlier deployment didn't have. A link that moved to another line isn't new. */
export function newBrokenLinks(problems: readonly Problem[], earlier: readonly Problem[]): Problem[] {
  const keyOf = ({ code, file, message }: Problem) => `${code} ${file} ${message}`;
  const known = new Set(earlier.map(keyOf));
  return brokenLinksOf(problems).filter((link) => !known.has(keyOf(link)));
}
