import { expect, test } from "vitest";
import { hasManyMarks } from "./many-marks.ts";
import { parseMdx } from "./parse-mdx.ts";

const parse = (text: string) => {
  const problems: string[] = [];
  const options = { file: "a.mdx", linesBefore: 0, math: false };
  const { tree } = parseMdx(text, { ...options, report: ({ code }) => problems.push(code) });
  return { text: JSON.stringify(tree), problems };
};

test.each([
  ["a long text in paragraphs", `${'It\'s "a" -- b... '.repeat(50)}\n\n`.repeat(500), false],
  ["a long paragraph without marks", "word ".repeat(100_000), false],
  [
    "a paragraph of 30,000 characters",
    "It's a sentence with about sixty characters, as in most texts. ".repeat(470),
    false,
  ],
  ["a paragraph of quotation marks", '"a" '.repeat(3_000), true],
  ["lines of apostrophes", "it's\n".repeat(10_000), true],
])("whether a text has too many marks: %s", (_, text, expected) => {
  expect(hasManyMarks(text)).toBe(expected);
});

test("the marks of such a text stay as typed", () => {
  const { text, problems } = parse('"a" '.repeat(20_000));
  expect(text).toContain('\\"a\\" \\"a\\"');
  expect(problems).toEqual([]);
  expect(parse('"a"').text).toContain("“a”");
});

test("a text that the parser can't read is shown and reported once", () => {
  const { text, problems } = parse("&amp; ".repeat(40_000));
  expect(text).toContain("&amp; &amp;");
  expect(problems).toEqual(["mdx-syntax"]);
});
