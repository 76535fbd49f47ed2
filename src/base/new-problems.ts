/** Compares the problems of two versions of a site. A problem that moved to a different line isn't new. */

import type { Problem } from "./problem.ts";

/**
 * Returns the problems that the earlier version didn't have. If a file has more of the same problem than
 * before, those whose source line is unchanged aren't new.
 */
export function newProblems(problems: readonly Problem[], earlier: readonly Problem[]): Problem[] {
  const changed = missingIn(earlier, problems, lineKeyOf);
  const changedEarlier = missingIn(problems, earlier, lineKeyOf);
  return missingIn(changedEarlier, changed, keyOf);
}

/** Returns the problems that aren't in `others`. Each of the others has the key of one problem only. */
function missingIn(
  others: readonly Problem[],
  problems: readonly Problem[],
  key: (problem: Problem) => string,
): Problem[] {
  const known = new Map<string, number>();
  for (const other of others) known.set(key(other), (known.get(key(other)) ?? 0) + 1);
  return problems.filter((problem) => {
    const left = known.get(key(problem)) ?? 0;
    known.set(key(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ code, file, message }: Problem): string {
  return JSON.stringify([
    code,
    file,
    message.replace(/\b(lines?|columns?) \d+/gi, "$1").replace(/:\d+(?::\d+)?\b/g, ""),
  ]);
}

/** Like `keyOf`, with the marked line of the code frame. */
function lineKeyOf(problem: Problem): string {
  return `${keyOf(problem)}${/^> *\d+ \|(.*)$/m.exec(problem.frame ?? "")?.[1] ?? ""}`;
}
