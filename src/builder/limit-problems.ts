/** Limits the problems of a build that a service stores. */

import { limits } from "../base/limits.ts";
import type { Problem } from "../base/problem.ts";
import { unreadableConfig } from "../engine/config/docs-json.ts";

export type ProblemCounts = Record<Problem["severity"], number>;

/** Codes of all problems that can prevent a deployment. */
const preventing: ReadonlySet<string> = new Set([...unreadableConfig, "config-sign-in"]);

/**
 * Returns the problems that a deployment stores: first those that prevent it, then other errors, then other
 * warnings. The rest exceeds the maximum number or size, and is only counted.
 */
export function limitProblems(problems: readonly Problem[]): {
  problems: Problem[];
  unlisted: ProblemCounts;
} {
  const listed: Problem[] = [];
  const unlisted: ProblemCounts = { error: 0, warning: 0 };
  let bytes = 0;
  const rank = ({ code, severity }: Problem) => (preventing.has(code) ? 0 : severity === "error" ? 1 : 2);
  for (const found of problems.toSorted((a, b) => rank(a) - rank(b))) {
    const size = Buffer.byteLength(JSON.stringify(found)) + 1;
    if (listed.length === limits.problems_count || bytes + size > limits.problems_bytes)
      unlisted[found.severity]++;
    else {
      bytes += size;
      listed.push(found);
    }
  }

  return { problems: listed, unlisted };
}
