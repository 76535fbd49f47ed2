import fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../base/problem.ts";
import { parseMdx } from "./parse-mdx.ts";

function parse(text: string) {
  const problems: Problem[] = [];
  const parsed = parseMdx(text, {
    file: "page.mdx",
    linesBefore: 0,
    math: true,
    report: (found) => problems.push(found),
  });
  return { ...parsed, problems };
}

/** The types, names and values of a tree, without positions. */
function outline(node: { type: string; children?: unknown[] } & Record<string, unknown>): unknown {
  const { type, children } = node;
  const facts: Record<string, unknown> = {};
  for (const key of [
    "value",
    "depth",
    "url",
    "alt",
    "lang",
    "meta",
    "ordered",
    "start",
    "spread",
    "checked",
    "align",
    "name",
    "identifier",
    "attributes",
  ]) {
    const value = node[key];
    if (value !== undefined && value !== null && !(key === "checked" && value === null))
      facts[key] =
        key === "attributes"
          ? JSON.parse(JSON.stringify(value, (k, v) => (k === "position" || k === "data" ? undefined : v)))
          : value;
  }
  return [type, facts, ...(children ?? []).map((child) => outline(child as never))];
}

describe("syntax trees are the same as those of remark-mdx", () => {
  const fragments = [
    "# Title",
    "Plain words with *emphasis*, **strong** and `code`.",
    'A [link](/guides/start "tip") and ![an image](/a.png).',
    "- one\n- two\n  - nested\n- three",
    "1. first\n2. second\n\n   with a paragraph",
    "- [ ] open\n- [x] done",
    "> a quote\n>\n> of two paragraphs",
    '```ts title="a.ts" {1,3-4}\nconst a = 1;\n```',
    "| a | b |\n| :-- | --: |\n| 1 | `x` |",
    "---",
    "~~gone~~ and <kbd>Ctrl</kbd> and H<sub>2</sub>O",
    "Inline {1 + 1} expression",
    "{/* a comment */}",
    '<Card title="A" cols={2} {...props}>\n  Words inside.\n</Card>',
    '<Tabs>\n  <Tab title="One">\n    - a list\n  </Tab>\n</Tabs>',
    '<Icon icon="x" /> beside text',
    "import Snippet from '/snippets/a.mdx'",
    "export const a = { b: [1, 2] }",
    "Line one\\\nline two",
    "Sum $a^2 + b^2$ and\n\n$$\n\\frac{1}{2}\n$$",
    "See [the reference][ref].\n\n[ref]: https://example.com",
    "Noted.[^1]\n\n[^1]: The note.",
    "### Über “Größe” & <br /> 日本語",
  ];
  const reference = unified().use(remarkParse).use(remarkGfm).use(remarkMath).use(remarkMdx);

  test("for 400 documents made of fragments", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(fragments, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = `${parts.join("\n\n")}\n`;
        const ours = JSON.parse(JSON.stringify(outline(parse(text).tree as never))).slice(2) as unknown[];
        const theirs = JSON.parse(JSON.stringify(outline(reference.parse(text) as never))).slice(
          2,
        ) as unknown[];
        expect(withoutSmartQuotes(ours)).toEqual(withoutSmartQuotes(theirs));
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  /** Replaces typographic quotes, which only our parser options produce, with straight quotes. */
  function withoutSmartQuotes(tree: unknown): unknown {
    return JSON.parse(JSON.stringify(tree).replace(/[“”]/g, '\\"').replace(/[‘’]/g, "'"));
  }
});

describe("only the invalid construct is shown as text", () => {
  const rows: [what: string, text: string, kept: string[], lines: number[], code?: string][] = [
    [
      "an unclosed tag in prose",
      "Before.\n\nUse <YOUR_KEY> here.\n\nAfter.",
      ["<YOUR_KEY> here", "After."],
      [3],
    ],
    ["an invalid expression", "A {a b} c\n\n**strong**", ["{a b} c", "strong"], [1]],
    ["an unclosed brace", "A { b\n\nAfter.", ["{ b", "After."], [1]],
    ["a less-than sign", "5 <= 6\n\nAfter.", ["5 <= 6", "After."], [1]],
    ["a closing tag without opening", "A </b> c\n\nAfter.", ["</b> c", "After."], [1]],
    ["an autolink", "See <https://example.com/a>.", ["https://example.com/a"], [1], "mdx-repaired"],
    ["a void element", 'One<br>two\n\n<img src="/a.png">', ["One", "two"], [1, 3], "mdx-repaired"],
    [
      "a closing tag on the line of its text",
      "<div>\n  words</div>\n\nAfter.",
      ["words", "After."],
      [2],
      "mdx-repaired",
    ],
    [
      "a tag that its parent closes",
      '<Tabs>\n<Tab title="a">\nfoo\n</Tabs>\n\nAfter.',
      ["foo", "After."],
      [4],
    ],
    ["generics in prose", "A Map<String, List<int>> of things.\n\nAfter.", ["Map<String", "After."], [1]],
  ];
  test.each(rows)("%s", (_, text, kept, lines, code = "mdx-syntax") => {
    const { tree, problems } = parse(text);
    const words = JSON.stringify(tree);
    for (const part of kept) expect(words).toContain(JSON.stringify(part).slice(1, -1));
    expect(problems.map((found) => [found.code, found.line])).toEqual(lines.map((line) => [code, line]));
  });

  test("line numbers below a repair are correct", () => {
    const { tree, lineOf } = parse("<div>\n  words</div>\n\n## Here");
    const heading = tree.children.find((node) => node.type === "heading")!;
    expect(lineOf(heading.position!.start.line)).toBe(4);
  });
});

test.each([
  ['<Field default="\\"http\\"" type="string">x</Field>', [1, 1], '"http"'],
  ["Text <Field type='a' default='it\\'s' />", [1, 6], "it's"],
  ['<Field\n  type="a"\n  default="say \\"hi\\""\n>\n  x\n</Field>', [1, 1], 'say "hi"'],
])(
  "a backslash before a quote in an attribute is reported and repaired: %s",
  (text, [line, column], value) => {
    const { tree, problems } = parse(text);
    expect(problems).toMatchObject([
      {
        line,
        column,
        hint: expect.stringMatching(/^Use (single|double) quotes around the value, or write &(quot|#39);\.$/),
      },
    ]);
    expect(JSON.stringify(outline(tree as never))).toContain(JSON.stringify(value));
  },
);

test("a backslash at the end of an attribute is valid", () => {
  expect(parse('<Field default="C:\\" />').problems).toEqual([]);
});

test.each(['a <b and then\n\n<Field default="x" />\n\nsay \\"hi\\"', 'a <b c {1} "x\\"'])(
  "a backslash before a quote outside an attribute is left alone: %s",
  (text) => {
    expect(parse(text).problems.map(({ hint }) => hint)).toEqual([
      "To show < or { as text, write \\< or \\{, or use backticks.",
    ]);
  },
);
