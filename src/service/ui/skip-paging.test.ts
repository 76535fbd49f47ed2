import { expect, test } from "vitest";
import { adjacentOffsets, readSkip } from "./skip-paging.ts";

test.each([
  [0, true, { previous: undefined, next: 50 }],
  [50, false, { previous: 0, next: undefined }],
  [120, true, { previous: 70, next: 170 }],
  [20, true, { previous: 0, next: 70 }],
])("pages of 50 rows next to row %i", (skip, hasMore, expected) => {
  expect(adjacentOffsets(skip, 50, hasMore)).toEqual(expected);
});

test.each([
  ["", 0],
  ["?skip=50", 50],
  ["?skip=999999", 999_999],
  ["?skip=1000000", 0],
  ["?skip=-50", 0],
  ["?skip=0x10", 0],
  ["?skip=1.5", 0],
])("the number of rows before the page in %j", (query, expected) => {
  expect(readSkip(new URL(query, "http://localhost/"))).toBe(expected);
});
