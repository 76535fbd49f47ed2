/** Compares the problems of two deployments. A problem that moved to a different line isn't new. */

import type { Problem } from "../../base/problem.ts";

/** Returns the problems that the earlier deployment didn't have. */
export function newProblems(problems: readonly Problem[], earlier: readonly Problem[]): Problem[] {
  const known = new Map<string, number>();
  for (const problem of earlier) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return problems.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
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

/**
 * The stored problems of a deployment. `count`: number of all errors, including those that aren't stored.
 * Null if unknown.
 */
interface StoredErrors {
  problems: readonly Problem[];
  count: number | null;
}

/**
 * Returns the number of errors that the earlier deployment didn't have. If not all of its errors are stored,
 * compares only the numbers.
 */
export function newErrorCount(now: StoredErrors & { count: number }, earlier: StoredErrors): number {
  const [errors, known] = [errorsOf(now.problems), errorsOf(earlier.problems)];
  if (earlier.count !== null && earlier.count > known.length) return Math.max(0, now.count - earlier.count);
  return newProblems(errors, known).length + now.count - errors.length;
}

function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}
