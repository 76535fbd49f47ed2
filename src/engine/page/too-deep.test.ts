import { describe, expect, test } from "vitest";
import { tooDeep } from "./too-deep.ts";

describe("tooDeep", () => {
  const many = (part: string, close = "") => part.repeat(10_000) + close.repeat(10_000);
  const rows: [string, string][] = [
    ["parentheses", `{${many("(", ")")}}`],
    ["brackets", `{${many("[", "]")}}`],
    ["braces", many("{", "}")],
    ["negations", `{${many("!")}x}`],
    ["arrows", `{${many("a=>")}a}`],
    ["conditions", `{${many("a?b:")}c}`],
    ["minus signs", `{${many("- ")}1}`],
    ["quotes", `${many(">")} a`],
    ["lists", `${many("- ")}a`],
    ["tags", many("<b>", "</b>")],
    ["tags on lines", many("<div>\n")],
  ];
  test.each(rows)("finds excessive nesting of %s", (_, text) => {
    expect(tooDeep(text)).toBeDefined();
  });

  const pages: [string, string][] = [
    ["a long page of prose", "Words (and more) - with signs! Is it? Yes.\n\n".repeat(2_000)],
    ["a long code block", `\`\`\`json\n${'{ "a": [1, 2, { "b": "c-d-e=" }] }\n'.repeat(2_000)}\`\`\``],
    ["a long table", `| a | b |\n| --- | --- |\n${"| x (y) | `z` -- ! |\n".repeat(2_000)}`],
    ["many components", '<Card title="a">\n  b\n</Card>\n\n'.repeat(2_000)],
    [
      "a long constant",
      `export const a = [\n${'  "some text (with) signs! and = more - of ? them",\n'.repeat(2_000)}]`,
    ],
  ];
  test.each(pages)("accepts %s", (_, text) => {
    expect(tooDeep(text)).toBeUndefined();
  });
});

test("many short links with hyphens aren't nested", () => {
  expect(tooDeep("[a](#one-two-three)\n".repeat(2_000))).toBeUndefined();
  expect(tooDeep(`${"- ".repeat(200)}${"a-b ".repeat(2_000)}[x](/y)`)).toBeUndefined();
});
