/** Placeholders for the rest of a path: their values can have several segments, but don't change others. */

import { expect, test } from "vitest";
import { operationOf } from "../../../../test/engine/operation.ts";
import { fillPath } from "./request-parameters.ts";

const { operation } = operationOf({
  parameters: [{ name: "rest", in: "path", required: true, schema: { type: "string" } }],
  responses: {},
});

test.each([
  ["a/b", "/files/a/b"],
  // An empty segment in the middle is the value's own.
  ["a//b", "/files/a//b"],
  ["a/", "/files/a/"],
  // The path would start the value with another slash.
  ["/a", undefined],
  ["a/../b", undefined],
  ["a/%2e%2E", "/files/a/%252e%252E"],
  ["", undefined],
])("{rest+} with %j is %s", (value, filled) => {
  const found = fillPath("/files/{rest+}", operation.parameters, { "path.rest": value });
  expect(found.open).toEqual(filled === undefined ? ["rest"] : []);
  expect(found.path).toBe(filled ?? "/files/%7Brest%2B%7D");
});
