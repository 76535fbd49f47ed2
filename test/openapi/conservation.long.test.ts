/** Every text and constraint of all operations of real documents is on their pages. */

import { expect, test } from "vitest";
import { testConservation } from "./conservation.ts";

const totals = testConservation(Number.POSITIVE_INFINITY);

test.runIf(totals.files > 0)("few facts are excepted", () => {
  expect(totals.checked).toBeGreaterThan(50_000);
  expect([...totals.exceptions.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(
    totals.checked / 100,
  );
});
