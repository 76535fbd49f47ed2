/** A flag of a field applies only if all parts of its schema set it. */

import { expect, test } from "vitest";
import { Refs } from "../nodes/refs.ts";
import { isFlaggedInAll } from "./schema-flags.ts";

const refs = new Refs({
  components: {
    schemas: {
      A: { readOnly: true },
      B: { allOf: [{ type: "string" }, { $ref: "#/components/schemas/A" }] },
      Circle: { allOf: [{ $ref: "#/components/schemas/Circle" }] },
    },
  },
});
const flagged = { value: { readOnly: true }, pointer: "#/a" };
const other = { value: { type: "string" }, pointer: "#/b" };
const member = {
  value: { allOf: [{ $ref: "#/components/schemas/A" }, { description: "The ID" }] },
  pointer: "#/d",
};
const reference = { value: { $ref: "#/components/schemas/A" }, pointer: "#/c" };

test.each([
  [true, [flagged]],
  [true, [flagged, reference]],
  [true, [member]],
  [true, [{ value: { allOf: [{ allOf: [{ $ref: "#/components/schemas/B" }] }] }, pointer: "#/e" }]],
  [false, [{ value: { allOf: [{ $ref: "#/components/schemas/Circle" }] }, pointer: "#/f" }]],
  [false, [flagged, other]],
  [false, [member, other]],
  [false, []],
])("%s: %j", (expected, parts) => {
  expect(isFlaggedInAll(parts, refs, "readOnly")).toBe(expected);
});
