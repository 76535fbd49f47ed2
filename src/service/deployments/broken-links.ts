/** Finds the broken links of a deployment: the build's problems with links, anchors and images. */

import type { Problem } from "../../base/problem.ts";
import { linkCodes, type ProblemCode } from "../../base/problem-codes.ts";

/** Returns the broken links among the problems, sorted by file and line. */
export function brokenLinksOf(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ code }) => linkCodes.has(code))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));
}

export type BrokenLinkKind = "link" | "anchor" | "image";

const kinds: Partial<Record<ProblemCode, BrokenLinkKind>> = {
  "dead-anchor": "anchor",
  "missing-image": "image",
};

export function brokenLinkKind({ code }: Pick<Problem, "code">): BrokenLinkKind {
  return kinds[code] ?? "link";
}

/**
 * Returns the target of the link, such as `/guides#install`, from the message, because problems have no field
 * for the target.
 */
export function brokenTarget({ message }: Pick<Problem, "message">): string {
  // Problems of deployments by earlier versions have the second form.
  const anchor = /^Anchor not found on (\S+): (#.+)$/s.exec(message) ?? /^(\S+) has no (#.+)$/s.exec(message);
  return anchor ? anchor[1]! + anchor[2]! : message.replace(/^(?:Page|Image|File) not found: /, "");
}
