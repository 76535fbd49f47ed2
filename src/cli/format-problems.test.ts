/** Authors' texts in problems can't control a terminal or add lines to its output. */

import { expect, test } from "vitest";
import type { Problem } from "../base/problem.ts";
import { formatProblems, githubAnnotations } from "./format-problems.ts";

const plain: Problem = {
  code: "config-syntax",
  severity: "error",
  file: "a.mdx",
  message: "Wrong",
  hint: "Fix it",
};
const hostile = "\u001b[31mred\u009b\n::warning::x";

test.each(["file", "message", "hint"] as const)("control characters in `%s` are removed", (field) => {
  const text = formatProblems([{ ...plain, [field]: hostile }], { color: false });
  expect(text).toContain("[31mred ::warning::x");
  expect(text.split("\n")).toHaveLength(2);
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("control characters in a code frame are removed, and its lines are kept", () => {
  const text = formatProblems([{ ...plain, frame: "> 1 | \u001b[31ma\n  2 | b\r" }], { color: false });
  expect(text.split("\n").slice(1, 3)).toEqual(["  > 1 | [31ma", "    2 | b"]);
});

test.each(["file", "message", "hint"] as const)(
  "GitHub annotations have no control characters of `%s`",
  (field) => {
    const text = githubAnnotations([{ ...plain, [field]: hostile }], "docs");
    expect(text).toContain("[31mred");
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  },
);

test("problems above the limit are counted", () => {
  const three = [plain, plain, plain];
  expect(formatProblems(three, { color: false, most: 2 }).split("\n\n")[2]).toBe(
    "… and 1 more. Run octavo check to list them all.",
  );
  expect(formatProblems(three, { color: false, most: 3 }).split("\n\n")).toHaveLength(3);
});
