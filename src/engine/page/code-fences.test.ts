/** Tests the HTML of code fences: their options, and the highlighting of common languages. */

import { describe } from "vitest";
import { type Row, testRows } from "../../../test/engine/rows.ts";

const body = "const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;";
const fence = (meta: string, code = body) => `\`\`\`${meta}\n${code}\n\`\`\``;
const line = (text: string, mark: string) => new RegExp(`<span class="o-line ${mark}">[^\\n]*${text}`);
/** A test case that expects only these lines to be marked. */
const marks = (name: string, from: string, ...mark: [string, string][]): Row => [
  name,
  from,
  ...mark.map(([text, kind]) => line(text, kind)),
  { not: new RegExp(`(?:<span class="o-line o-\\w+">[\\s\\S]*?){${mark.length + 1}}`) },
];

const title = (text: string) =>
  new RegExp(`o-code-head">(?:<span class="o-ico">[\\s\\S]*?</svg></span>)?<span>${text}</span>`);

describe("options", () => {
  testRows([
    ["no option", fence("js"), /<code data-lang="js">/, /data-copy/, { not: "o-code-head" }],
    ["a long run of spaces in the code", fence("", `a${" ".repeat(300_000)}b`), /a {10}.*b/],
    ["a language in braces", fence("{python}", "x = 1"), /<code data-lang="python">/, { not: "o-code-head" }],
    ["no language", fence(""), /<pre[^>]*><code>const a/],
    ["bare title of one word", fence("js app.js"), title("app\\.js")],
    ["bare title of several words", fence("js My first program"), title("My first program")],
    ['title="…"', fence('js title="a b" ignored'), title("a b")],
    ["quoted text as title", fence('js "Quoted title"'), title("Quoted title")],
    marks("{1,3-4}", fence("js {1,3-4}"), [">a<|a ", "o-mark"], ["c ", "o-mark"], ["d ", "o-mark"]),
    marks("highlight={2}", fence("js highlight={2}"), ["b ", "o-mark"]),
    marks('highlight="2,3"', fence('js highlight="2,3"'), ["b ", "o-mark"], ["c ", "o-mark"]),
    marks("union of all forms", fence("js {1} highlight={1-2}"), ["a ", "o-mark"], ["b ", "o-mark"]),
    marks("focus={2}", fence("js focus={2}"), ["b ", "o-focus"]),
    marks("[!code ++]", fence("js", "const a = 1; // [!code ++]\nconst b = 2;"), ["a ", "o-add"]),
    marks("[!code --]", fence("js", "const a = 1; // [!code --]\nconst b = 2;"), ["a ", "o-del"]),
    marks(
      "[!code ++:2]",
      fence("js", "const a = 1; // [!code ++:2]\nconst b = 2;\nconst c = 3;"),
      ["a ", "o-add"],
      ["b ", "o-add"],
    ),
    marks("[!code highlight] in another comment", fence("python", "a = 1 # [!code highlight]\nb = 2"), [
      "a ",
      "o-mark",
    ]),
    ["the mark itself is not shown", fence("js", "const a = 1; // [!code ++]"), { not: /\[!code/ }],
    ["icon=name", fence("js app.js icon=java"), /o-code-head"><span class="o-ico"><svg/, title("app\\.js")],
    ['icon="name"', fence('js icon="java"'), /o-code-head"><span class="o-ico"><svg/],
    ["expandable", fence("js expandable"), /o-code code-block o-code-long[\s\S]*type="checkbox"/],
    ["[expandable]", fence("js [expandable]"), "o-code-long"],
    ["wrap", fence("js wrap"), /<pre class="o-wrap"/],
    ["lines", fence("js lines"), /<pre class="o-lines"/],
    ['lines="false"', fence('js lines="false"'), { not: "o-lines" }],
    ["nocopy", fence("js nocopy"), { not: "data-copy" }],
    ["nocopy without a language", fence("nocopy"), { not: "data-copy" }],
    ["twoslash is not a title", fence("ts twoslash"), { not: "o-code-head" }],
    [
      "everything at once",
      fence("java HelloWorld.java example icon=java lines {2} wrap"),
      title("HelloWorld\\.java example"),
      /<pre class="o-wrap o-lines"/,
      line("b ", "o-mark"),
    ],
  ]);
});

describe("common languages", () => {
  const names =
    "bash json python typescript javascript yaml toml ts js markdown go sh shell tsx html sql xml dockerfile java mdx md powershell http rust py kotlin css ruby csharp yml diff jsx swift jsonc php console json5 Python hcl ini elixir properties groovy dart svelte docker prisma jsonl".split(
      " ",
    );
  // Each sample has a string or a keyword that the grammar of the language colors.
  const samples: Record<string, string> = {
    json: '{"a": 1}',
    jsonc: '{"a": 1}',
    json5: "{a: 1}",
    jsonl: '{"a": 1}',
    yaml: "a: true",
    yml: "a: true",
    toml: 'a = "b"',
    markdown: "# **a**",
    md: "# **a**",
    mdx: "# **a**",
    html: "<p>a</p>",
    xml: "<a>b</a>",
    svelte: "<p>a</p>",
    css: "a { color: red }",
    http: "GET /a HTTP/1.1",
    diff: "+ a\n- b",
    sql: "SELECT a FROM b",
    hcl: 'a = "b"',
    ini: "a=b",
    properties: "a=b",
    dockerfile: "FROM a",
    docker: "FROM a",
    prisma: "model A { id Int }",
    console: '$ echo "a"',
  };
  testRows(
    names.map((name) => [
      name,
      fence(name, samples[name] ?? 'return "a" + function(1);'),
      /<code data-lang="[^"]+">(?:(?!<\/code>)[\s\S])*?<\w+ (?:class|style)=/,
    ]),
  );
  testRows(
    ["text", "txt", "plaintext", "env", "curl", "output", "csv", "gradle", "commandline", "nonsense"].map(
      (name) => [
        `${name}: all text is shown`,
        fence(name, "a <b> & c"),
        /a[\s\S]*&lt;[\s\S]*b[\s\S]*&amp;[\s\S]*c/,
      ],
    ),
  );
  testRows([
    ["mermaid", fence("mermaid", "graph LR; A-->B"), /class="o-mermaid"[\s\S]*graph LR; A--(?:&gt;|>)B/],
    [
      "mermaid placement and actions",
      fence("mermaid placement=top-left actions={false}", "graph LR"),
      /data-actions="false" data-placement="top-left"/,
    ],
  ]);
});
