import { expect, test } from "vitest";
import type { ContentNode, Props } from "../content.ts";
import { element } from "../content.ts";
import { toMarkdown } from "./to-markdown.ts";

const e = (name: string, props: Props = {}, ...children: ContentNode[]) => element(name, props, children);
const p = (...children: ContentNode[]) => e("p", {}, ...children);
const code = (language: string, source: string, meta = "") =>
  e("CodeBlock", { language, meta, code: source });

test.each<[string, ContentNode[], string]>([
  [
    "headings and paragraphs",
    [e("h2", {}, "A ", e("code", {}, "b")), p("x ", e("strong", {}, "y"), " ", e("em", {}, "z"))],
    "## A `b`\n\nx **y** *z*\n",
  ],
  [
    "links and images",
    [p(e("a", { href: "/a" }, "A"), " ", e("img", { src: "/i.png", alt: "I" }))],
    "[A](https://d.example/a) ![I](https://d.example/i.png)\n",
  ],
  [
    "lists",
    [e("ul", {}, e("li", {}, "a", e("ol", { start: 3 }, e("li", {}, "b"))), e("li", { checked: true }, "c"))],
    "- a\n\n  3. b\n\n- [x] c\n",
  ],
  [
    "tables",
    [
      e(
        "table",
        {},
        e("thead", {}, e("tr", {}, e("th", { align: "right" }, "a|b"))),
        e("tbody", {}, e("tr", {}, e("td", {}, p("c")))),
      ),
    ],
    "| a\\|b |\n| ---: |\n| c |\n",
  ],
  [
    "code and lists in tables",
    [
      e(
        "table",
        {},
        e("tr", {}, e("th", {}, "a")),
        e("tr", {}, e("td", {}, p("x"), code("py", "if y:\n    z|1()\n\nw()"))),
        e("tr", {}, e("td", {}, e("ul", {}, e("li", {}, "b\nc"), e("li", {}, "d")))),
      ),
    ],
    "| a |\n| --- |\n| x<br>`if y:`<br>`    z\\|1()`<br><br>`w()` |\n| - b c<br>- d |\n",
  ],
  [
    "line breaks in code",
    [
      e(
        "table",
        {},
        e("tr", {}, e("th", {}, "a")),
        e("tr", {}, e("td", {}, e("pre", {}, "if y:", e("br", {}), "  z()"))),
        e("tr", {}, e("td", {}, e("code", {}, "a", e("br", {}), "b"))),
      ),
      e("pre", {}, e("code", {}, "c", e("br", {}), "d")),
    ],
    "| a |\n| --- |\n| `if y:`<br>`  z()` |\n| `a`<br>`b` |\n\n```\nc\nd\n```\n",
  ],
  ["code", [code("ts", "a\n", "a.ts {1}")], "```ts a.ts\na\n```\n"],
  ["code that holds a fence", [code("md", "```js\n1\n```")], "````md\n```js\n1\n```\n````\n"],
  ["code spans with ticks", [p(e("code", {}, "a`b"))], "``a`b``\n"],
  ["callouts", [e("Warning", {}, p("Hot"))], "> **Warning:** Hot\n"],
  ["callouts with a title", [e("Note", { title: "T" }, p("a"), p("b"))], "> **Note: T**\n>\n> a\n>\n> b\n"],
  [
    "cards",
    [
      e(
        "CardGroup",
        { cols: 2 },
        e("Card", { title: "A", href: "/a" }, "text"),
        "\n",
        e("Card", { title: "B" }),
      ),
    ],
    "- [A](https://d.example/a): text\n- **B**\n",
  ],
  ["cards without a title", [e("Card", { description: "D" }, p("text"))], "D\n\ntext\n"],
  [
    "repositories",
    ["a/b", "https://github.com/a/b.git", "http://www.github.com/a/b/", "github.com/a/b", "a"].map((repo) =>
      e("GitHub.Repo", { repo }),
    ),
    "- [a/b](https://github.com/a/b)\n\n".repeat(4).slice(0, -1),
  ],
  [
    "steps",
    [e("Steps", {}, e("Step", { title: "A" }, p("x")), e("Step", { title: "B" }))],
    "### 1. A\n\nx\n\n### 2. B\n",
  ],
  [
    "steps with numbers",
    [
      e(
        "Steps",
        {},
        e("Step", { title: "A", stepNumber: 4 }),
        e("Step", { title: "B" }),
        e("Step", { title: "C", stepNumber: "x" }),
      ),
    ],
    "### 4. A\n\n### 5. B\n\n### 1. C\n",
  ],
  ["tabs", [e("Tabs", {}, e("Tab", { title: "A" }, p("x")))], "**A**\n\nx\n"],
  ["accordions", [e("AccordionGroup", {}, e("Accordion", { title: "A" }, p("x")))], "**A**\n\nx\n"],
  ["code groups", [e("CodeGroup", {}, code("bash", "npm i", "npm"))], "```bash npm\nnpm i\n```\n"],
  [
    "fields",
    [e("ParamField", { query: "id", type: "string", required: true, default: 1 }, p("The id."))],
    "- **`id`** (`string`, required, default: `1`)\n\n  The id.\n",
  ],
  [
    "updates",
    [e("Update", { label: "v1", description: "May", tags: ["a"] }, p("x"))],
    "## v1\n\nMay · *a*\n\nx\n",
  ],
  ["updates with a date", [e("Update", { label: "v1", date: "May 1" }, p("x"))], "## v1\n\nMay 1\n\nx\n"],
  ["humans only", [e("Visibility", { for: "humans" }, p("x"))], ""],
  ["agents only", [e("Visibility", { for: "agents" }, p("x"))], "x\n"],
  ["islands", [e("Island", { code: "x" }, p("y"))], "y\n"],
  ["unknown components", [e("Unknown", {}, p("y"))], "y\n"],
  [
    "mermaid and formulas",
    [
      e("Mermaid", { chart: "graph TD" }),
      e("Latex", { formula: "x", display: true }),
      p(e("Latex", { formula: "y" })),
    ],
    "```mermaid\ngraph TD\n```\n\n$$\nx\n$$\n\n$y$\n",
  ],
  [
    "trees",
    [e("Tree", {}, e("Tree.Folder", { name: "src" }, e("Tree.File", { name: "a.ts" })))],
    "- src/\n  - a.ts\n",
  ],
  [
    "frames",
    [e("Frame", { caption: "C" }, e("img", { src: "/i.png" }))],
    "![](https://d.example/i.png)\n\n*C*\n",
  ],
  ["scripts and styles", [e("style", {}, "a{}"), e("script", {}, "x")], ""],
])("%s", (_, nodes, expected) => expect(toMarkdown(nodes, { origin: "https://d.example" })).toBe(expected));

test("an endlessly deep tree does not end the process", () => {
  let node: ContentNode = "deep";
  for (let i = 0; i < 10_000; i++) node = e("div", {}, node);
  expect(toMarkdown([node])).toBe("");
});
