import fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../base/problem.ts";
import { tooDeep } from "./depth.ts";
import { parseMdx } from "./parse-mdx.ts";
import { prepare } from "./prepare.ts";

function parse(text: string) {
  const problems: Problem[] = [];
  const parsed = parseMdx(text, { file: "page.mdx", firstLine: 0, math: true, report: (found) => problems.push(found) });
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
        key === "attributes" ? JSON.parse(JSON.stringify(value, (k, v) => (k === "position" || k === "data" ? undefined : v))) : value;
  }
  return [type, facts, ...(children ?? []).map((child) => outline(child as never))];
}

describe("the parser gives the trees of remark-mdx", () => {
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
        const theirs = JSON.parse(JSON.stringify(outline(reference.parse(text) as never))).slice(2) as unknown[];
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

describe("a construct that does not parse is shown as text, the rest stays", () => {
  const rows: [what: string, text: string, kept: string[], lines: number[]][] = [
    ["an unclosed tag in prose", "Before.\n\nUse <YOUR_KEY> here.\n\nAfter.", ["<YOUR_KEY> here", "After."], [3]],
    ["an expression that is none", "A {a b} c\n\n**strong**", ["{a b} c", "strong"], [1]],
    ["an unclosed brace", "A { b\n\nAfter.", ["{ b", "After."], [1]],
    ["a less-than sign", "5 <= 6\n\nAfter.", ["5 <= 6", "After."], [1]],
    ["a closing tag without opening", "A </b> c\n\nAfter.", ["</b> c", "After."], [1]],
    ["an autolink", "See <https://example.com/a>.", ["https://example.com/a"], [1]],
    ["a void element", 'One<br>two\n\n<img src="/a.png">', ["One", "two"], [1, 3]],
    ["a closing tag on the line of its text", "<div>\n  words</div>\n\nAfter.", ["words", "After."], [2]],
    ["a tag that its parent closes", '<Tabs>\n<Tab title="a">\nfoo\n</Tabs>\n\nAfter.', ["foo", "After."], [4]],
    ["generics in prose", "A Map<String, List<int>> of things.\n\nAfter.", ["Map<String", "After."], [1]],
  ];
  test.each(rows)("%s", (_, text, kept, lines) => {
    const { tree, problems } = parse(text);
    const words = JSON.stringify(tree);
    for (const part of kept) expect(words).toContain(JSON.stringify(part).slice(1, -1));
    expect(problems.map((found) => [found.code, found.line])).toEqual(lines.map((line) => ["mdx-syntax", line]));
  });

  test("line numbers below a repair are correct", () => {
    const { tree, lineOf } = parse("<div>\n  words</div>\n\n## Here");
    const heading = tree.children.find((node) => node.type === "heading")!;
    expect(lineOf(heading.position!.start.line)).toBe(4);
  });
});

describe("syntax that is not MDX is replaced", () => {
  const variables = new Map([["name", "Acme"]]);
  const rows: [what: string, source: string, text: string, codes: string[]][] = [
    ["a heading's own id", "## Title {#my-Id}", "## Title", []],
    ["an id in code stays", "```\n## Title {#x}\n```", "```\n## Title {#x}\n```", []],
    ["a comment", "a <!-- b --> c", "a  c", ["mdx-comment"]],
    ["a comment over lines", "a <!-- b\nc --> d", "a \n d", ["mdx-comment"]],
    ["a comment in a code span stays", "`<!-- b -->`", "`<!-- b -->`", []],
    ["a variable", "Hi {{name}} and {{ name }}", "Hi Acme and Acme", []],
    ["a variable in code", "```\n{{name}}\n```", "```\nAcme\n```", []],
    ["an undefined variable", "Hi {{other}}", "Hi \\{\\{other}}", ["undefined-variable"]],
    ["prices", "from $5 to $10", "from \\$5 to $10", []],
    ["shell variables", "$HOME and $PATH", "\\$HOME and $PATH", []],
    ["a formula", "$x + 1$ and $y^2$", "$x + 1$ and $y^2$", []],
    ["a formula beside prices", "| $D + 14$ | $3 | 4$ |", "| $D + 14$ | \\$3 | 4$ |", []],
  ];
  test.each(rows)("%s", (_, source, text, codes) => {
    const problems: Problem[] = [];
    const prepared = prepare(source, { file: "a.mdx", variables, report: (found) => problems.push(found), firstLine: 0 });
    expect(prepared.text).toBe(text);
    expect(problems.map((found) => found.code)).toEqual(codes);
  });

  test("ids are kept by the heading's line", () => {
    const { headingIds } = prepare("a\n\n## Title {#my-Id}", { file: "a.mdx", variables: new Map(), report: () => {}, firstLine: 4 });
    expect([...headingIds]).toEqual([[7, "my-Id"]]);
  });
});

describe("excessive nesting is rejected before parsing", () => {
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
  test.each(rows)("%s", (_, text) => {
    expect(tooDeep(text)).toBeDefined();
  });

  const pages: [string, string][] = [
    ["a long page of prose", "Words (and more) - with signs! Is it? Yes.\n\n".repeat(2_000)],
    ["a long code block", `\`\`\`json\n${'{ "a": [1, 2, { "b": "c-d-e=" }] }\n'.repeat(2_000)}\`\`\``],
    ["a long table", `| a | b |\n| --- | --- |\n${"| x (y) | `z` -- ! |\n".repeat(2_000)}`],
    ["many components", '<Card title="a">\n  b\n</Card>\n\n'.repeat(2_000)],
    ["a long constant", `export const a = [\n${'  "some text (with) signs! and = more - of ? them",\n'.repeat(2_000)}]`],
  ];
  test.each(pages)("%s is no nesting", (_, text) => {
    expect(tooDeep(text)).toBeUndefined();
  });
});
