/** Compares the errors of two deployments. */

import { newProblems } from "../../base/new-problems.ts";
import type { Problem } from "../../base/problem.ts";

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
