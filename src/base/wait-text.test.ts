import { expect, test } from "vitest";
import { waitText } from "./wait-text.ts";

test.each([
  [1, "1 second"],
  [45, "45 seconds"],
  [61, "2 minutes"],
  [3_600, "60 minutes"],
  [3_601, "2 hours"],
  [86_400, "24 hours"],
])("%d seconds are %s", (duration_s, text) => {
  expect(waitText(duration_s)).toBe(text);
});
