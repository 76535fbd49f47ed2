import { describe, expect, test } from "vitest";
import type { Problem } from "../../base/problem.ts";
import { prepare } from "./prepare-mdx.ts";

describe("syntax that the MDX parser doesn't support is replaced", () => {
  const variables = new Map([["name", "Acme"]]);
  const rows: [what: string, source: string, text: string, codes: string[]][] = [
    ["a heading's custom id", "## Title {#my-Id}", "## Title", []],
    ["an id in code stays", "```\n## Title {#x}\n```", "```\n## Title {#x}\n```", []],
    ["a comment", "a <!-- b --> c", "a  c", ["mdx-comment"]],
    ["a comment over lines", "a <!-- b\nc --> d", "a \n d", ["mdx-comment"]],
    ["a comment in a code span stays", "`<!-- b -->`", "`<!-- b -->`", []],
    ["a variable", "Hi {{name}} and {{ name }}", "Hi Acme and Acme", []],
    ["prices in code", "`$5` and `$6`, `$A` and $7", "`$5` and `$6`, `$A` and $7", []],
    ["a variable in code", "```\n{{name}}\n```", "```\nAcme\n```", []],
    [
      "an id after code in a block quote",
      "> ```\n> x\n> ```\n\n## Title {#x}",
      "> ```\n> x\n> ```\n\n## Title",
      [],
    ],
    [
      "an id after code in a list item",
      "- ```sh\n  x\n  ```\n\n## Title {#x}",
      "- ```sh\n  x\n  ```\n\n## Title",
      [],
    ],
    ["an undefined variable", "Hi {{other}}", "Hi \\{\\{other}}", ["undefined-variable"]],
    ["prices", "from $5 to $10", "from \\$5 to $10", []],
    ["shell variables", "$HOME and $PATH", "\\$HOME and $PATH", []],
    ["a formula", "$x + 1$ and $y^2$", "$x + 1$ and $y^2$", []],
    ["prices in two elements", "<p>$1.24.</p> <p>$1.2", "<p>\\$1.24.</p> <p>$1.2", []],
    ["a price at the end of an element", "<p>$5</p>\n<p>and $6</p>", "<p>\\$5</p>\n<p>and \\$6</p>", []],
    [
      "names in two lines",
      "takes $ref and $defs, in\n`x` of $ref.",
      "takes \\$ref and \\$defs, in\n`x` of $ref.",
      [],
    ],
    ["prices in two lines", "from $5 a day\nto $10 or $12.", "from \\$5 a day\nto \\$10 or $12.", []],
    ["a formula of two lines", "is $x_1 +\n y$ here", "is $x_1 +\n y$ here", []],
    [
      "a comment in a JSX comment stays",
      "{/* <!-- a\nb --> */}\n<!-- c -->",
      "{/* <!-- a\nb --> */}\n",
      ["mdx-comment"],
    ],
    ["many comments in a line", "a<!---->".repeat(50_000), "a".repeat(50_000), ["mdx-comment"]],
    ["a formula beside prices", "| $D + 14$ | $3 | 4$ |", "| $D + 14$ | \\$3 | 4$ |", []],
  ];
  test.each(rows)("%s", (_, source, text, codes) => {
    const problems: Problem[] = [];
    const prepared = prepare(source, {
      file: "a.mdx",
      variables,
      math: true,
      report: (found) => problems.push(found),
      linesBefore: 0,
    });
    expect(prepared.text).toBe(text);
    expect(problems.map((found) => found.code)).toEqual(codes);
  });

  test("custom ids are returned by the heading's line", () => {
    const { headingIds } = prepare("a\n\n## Title {#my-Id}", {
      file: "a.mdx",
      variables: new Map(),
      math: true,
      report: () => {},
      linesBefore: 4,
    });
    expect([...headingIds]).toEqual([[7, "my-Id"]]);
  });
});
