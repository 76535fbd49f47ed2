/** A flag of a field applies only if all parts of its schema set it. */

import { expect, test } from "vitest";
import { Refs } from "../nodes/refs.ts";
import { isFlaggedInAll } from "./schema-flags.ts";

const refs = new Refs({ components: { schemas: { A: { readOnly: true } } } });
const flagged = { value: { readOnly: true }, pointer: "#/a" };
const other = { value: { type: "string" }, pointer: "#/b" };
const reference = { value: { $ref: "#/components/schemas/A" }, pointer: "#/c" };

test.each([
  [true, [flagged]],
  [true, [flagged, reference]],
  [false, [flagged, other]],
  [false, []],
])("%s: %j", (expected, parts) => {
  expect(isFlaggedInAll(parts, refs, "readOnly")).toBe(expected);
});
