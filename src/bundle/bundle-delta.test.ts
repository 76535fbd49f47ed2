import { expect, test } from "vitest";
import { readDeltaIndex } from "./bundle-delta.ts";
import { BadBundle } from "./bundle-manifest.ts";

const [from, to] = ["a".repeat(64), "0".repeat(64)];

test("the index of a delta has the hashes of both manifests", () => {
  const index = { formatVersion: 1, from, to };
  expect(readDeltaIndex(JSON.stringify({ ...index, later: true }))).toEqual(index);
});

test.each([
  { formatVersion: 2, from, to },
  { from, to },
  { formatVersion: 1, to },
  { formatVersion: 1, from, to: to.slice(1) },
  { formatVersion: 1, from: from.toUpperCase(), to },
  { formatVersion: 1, from: [from], to },
  null,
  [],
])("a damaged index is refused: %j", (index) => {
  expect(() => readDeltaIndex(JSON.stringify(index))).toThrow(BadBundle);
});

test("an index that isn't JSON is refused", () => {
  expect(() => readDeltaIndex("{")).toThrow(BadBundle);
});
