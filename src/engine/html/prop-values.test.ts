import { expect, test } from "vitest";
import { count } from "./prop-values.ts";

test.each([
  ["0", 1],
  ["-3", 1],
  [1, 1],
  ["2.4", 2],
  ["2.5", 3],
  [4, 4],
  [5, 4],
  ["many", 2],
  ["Infinity", 2],
  [undefined, 2],
  [{}, 2],
])("count: %j is read as %i", (value, expected) => {
  expect(count(value, 2, 1, 4)).toBe(expected);
});
