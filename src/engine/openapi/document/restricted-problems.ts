/** Reports access rules of parts of a document that have no effect or that aren't known. */

import type { Problem } from "../../../base/problem.ts";
import { type ReportAt, reportFirst } from "./lint-document.ts";
import type { RemovedParts } from "./restricted-parts.ts";

export function restrictedProblems(
  { ineffective, unknown, leftOut, intoOperations }: RemovedParts,
  at: ReportAt,
): Problem[] {
  return [
    ...reportFirst(ineffective, (pointer) =>
      at(
        "openapi-groups",
        pointer,
        `The groups at ${pointer} have no effect: everyone who can read the page sees this part`,
      ),
    ),
    ...reportFirst(unknown, ({ pointer, rule }) =>
      at(
        "unknown-access-rule",
        pointer,
        `${rule} in x-platform at ${pointer} isn't an access rule that Octavo supports, so no one can see this part`,
      ),
    ),
    ...reportFirst(leftOut, (pointer) =>
      at(
        "openapi-restricted-keyword",
        pointer,
        `${pointer} is left out, since it names a restricted property or value`,
      ),
    ),
    ...reportFirst(intoOperations, (pointer) =>
      at(
        "openapi-restricted-reference",
        pointer,
        `${pointer} is left out, since it refers to a part of a restricted operation`,
      ),
    ),
  ];
}
