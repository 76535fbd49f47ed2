import { describe, expect, test } from "vitest";
import { element } from "../content.ts";
import type { CodeMeta } from "./code-meta.ts";
import { languagesIn, parseCodeMeta, parseLines } from "./code-meta.ts";

const plain: CodeMeta = {
  language: "",
  highlight: [],
  focus: [],
  lines: false,
  wrap: false,
  expandable: false,
  nocopy: false,
  twoslash: false,
};

describe("fence options", () => {
  const cases: [name: string, language: string, meta: string, expected: Partial<CodeMeta>][] = [
    [
      "title words and icon",
      "java",
      "HelloWorld.java example icon=java lines",
      { title: "HelloWorld.java example", icon: "java", lines: true },
    ],
    [
      "quoted title",
      "js",
      'title="a b" {1,3-4} wrap expandable',
      { title: "a b", highlight: [1, 3, 4], wrap: true, expandable: true },
    ],
    [
      "quotes in a title",
      "js",
      'title="The "best" file, "so far"" {1} icon="a"',
      { title: 'The "best" file, "so far"', highlight: [1], icon: "a" },
    ],
    [
      "quotes in a title, before a range",
      "js",
      'title="a "b" {c}" {1}',
      { title: 'a "b" {c}', highlight: [1] },
    ],
    [
      "range first",
      "js",
      "{5} lines wrap title='q'",
      { title: "q", highlight: [5], lines: true, wrap: true },
    ],
    ["title= wins over words", "js", 'words title="given"', { title: "given" }],
    [
      "highlight in all forms, union",
      "js",
      '{1} highlight={2-3} highlight="3,7"',
      { highlight: [1, 2, 3, 7] },
    ],
    ["focus with braces", "js", "focus={2,4-5}", { focus: [2, 4, 5] }],
    ["focus bare", "js", "focus=2,4,5", { focus: [2, 4, 5] }],
    ["lines={true}", "js", "lines={true}", { lines: true }],
    ['lines="false"', "js", 'lines="false"', { lines: false }],
    ["[expandable]", "json", "[expandable]", { expandable: true }],
    ["Expandable", "json", "Response Expandable", { title: "Response", expandable: true }],
    ["Wrap", "json", "Wrap", { wrap: true }],
    ["nocopy without language", "nocopy", "", { language: "", nocopy: true }],
    ['nocopy="false"', "js", 'nocopy="false"', { nocopy: false }],
    ["twoslash", "ts", "twoslash", { twoslash: true }],
    ["theme and lang", "ts", 'theme={"system"} lang=js', { theme: "system", language: "js" }],
    [
      "icon quoted",
      "bash",
      'Terminal icon="square-terminal"',
      { title: "Terminal", icon: "square-terminal" },
    ],
    ["quoted string is the title", "bash", '"My file"', { title: "My file" }],
    ["python{15}", "python{15}", "", { language: "python", highlight: [15] }],
    ["no language but title", 'title="Example', 'file"', { language: "", title: "Example file" }],
    ["filename", "ts", 'filename="a.ts"', { title: "a.ts" }],
    ["unknown option with a quoted value is ignored", "http", 'oauth_token="x"', {}],
    ["unknown bare assignment is text", "bash", "MCP_DUB_TOKEN=abc", { title: "MCP_DUB_TOKEN=abc" }],
    ["a path with a query is text", "http", "GET /users?limit=1", { title: "GET /users?limit=1" }],
    [
      "diagram options",
      "mermaid",
      'actions={false} placement="top-left"',
      { actions: false, placement: "top-left" },
    ],
    ["nothing", "", "", {}],
  ];
  test.each(cases)("%s", (_, language, meta, expected) => {
    expect(parseCodeMeta(language, meta)).toEqual({ ...plain, language, ...expected });
  });
});

test("the number of lines in a range is limited", () => {
  expect(parseLines("1-999999").length).toBe(20_000);
  expect(parseLines("9-1")).toEqual([]);
});

test("languagesIn finds the languages of fences and of CodeBlock elements", () => {
  const tree = [
    element("Tabs", {}, [
      element("CodeBlock", { language: "ts{1}", code: "" }),
      element("CodeBlock", { lang: "go" }),
    ]),
  ];
  expect([...languagesIn(tree)]).toEqual(["ts", "go"]);
});
