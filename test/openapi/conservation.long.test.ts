/** Every text and constraint of all operations of real documents is on their pages. */

import { describe, expect, test } from "vitest";
import { testConservation } from "./conservation.ts";
import type { Exception } from "./document-facts.ts";

const totals = testConservation(Number.POSITIVE_INFINITY);

/**
 * Why facts are on no page at all, and how many are. Facts that are missing on one page and shown on another
 * don't count. `docs/apis/limits.mdx` lists the reasons for authors.
 */
const exceptions: Record<Exception, { reason: string; most: number }> = {
  overridden: {
    reason: "a text or default next to a $ref, or of a later member of allOf, is shown instead of this one",
    most: 102,
  },
  stricter: { reason: "a limit that a stricter one of another part of allOf covers", most: 0 },
  direction: { reason: "readOnly fields of schemas that only requests use, and the reverse", most: 2 },
  annotation: { reason: "the identifiers of a schema, and its name in XML", most: 7 },
  hidden: { reason: "tags that only hidden operations have", most: 0 },
};

describe.runIf(totals.files > 0)("excepted facts", () => {
  test.each(Object.entries(exceptions))("%s", (exception, { most }) => {
    expect(totals.excepted.get(exception as Exception)?.length ?? 0).toBeLessThanOrEqual(most);
  });

  test("are few", () => {
    expect(totals.checked).toBeGreaterThan(75_000);
    expect([...totals.excepted.values()].flat().length).toBeLessThan(totals.checked * 0.003);
  });
});
