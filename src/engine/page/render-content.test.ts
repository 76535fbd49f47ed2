import { beforeAll, describe, expect, test } from "vitest";
import type { Problem } from "../../base/problem.ts";
import type { ContentElement, ContentNode, Props } from "../content.ts";
import { element } from "../content.ts";
import { prepareLanguages } from "../highlight/highlight.ts";
import { messagesOf } from "../i18n/locales.ts";
import { renderContent, renderText } from "./render-content.tsx";

const e = (name: string, props: Props = {}, ...children: ContentNode[]) => element(name, props, children);
const problems: Problem[] = [];

function html(...nodes: ContentNode[]): string {
  problems.length = 0;
  return renderContent(nodes, {
    messages: messagesOf("en").site,
    constraints: messagesOf("en").constraints,
    iconLibrary: "fontawesome",
    file: "page.mdx",
    report: (found) => problems.push(found),
  });
}

beforeAll(() => prepareLanguages(["js", "bash"]));

describe("safety", () => {
  test.each<[string, ContentNode, string]>([
    ["handlers go", e("div", { onClick: "x()", ONLOAD: "x()", onmouseover: "x" }, "a"), "<div>a</div>"],
    ["javascript: in href", e("a", { href: "javascript:alert(1)" }, "a"), "<a>a</a>"],
    ["javascript: with blanks and case", e("a", { href: " \u0001jAva\tscript:alert(1)" }, "a"), "<a>a</a>"],
    ["vbscript: in href", e("a", { href: "vbscript:x" }, "a"), "<a>a</a>"],
    ["data: in href", e("a", { href: "data:text/html,<script>1</script>" }, "a"), "<a>a</a>"],
    ["data: page in src", e("img", { src: "data:text/html,x" }), ""],
    ["javascript: in formaction", e("button", { formAction: "javascript:x" }, "a"), "<button>a</button>"],
    ["javascript: in action", e("form", { action: "javascript:x" }), "<form></form>"],
    [
      "javascript: in xlink:href",
      e("svg", {}, e("a", { xlinkHref: "javascript:x" }, "a")),
      "<svg><a>a</a></svg>",
    ],
    [
      "animated URL",
      e("svg", {}, e("animate", { attributeName: "href", values: "javascript:x" })),
      "<svg></svg>",
    ],
    ["script", e("script", {}, "alert(1)"), ""],
    ["script in svg", e("svg", {}, e("script", {}, "1")), "<svg></svg>"],
    ["base", e("base", { href: "https://evil" }), ""],
    ["meta refresh", e("meta", { "http-equiv": "refresh" }), ""],
    ["object and embed", e("div", {}, e("object", { data: "x" }), e("embed", { src: "x" })), "<div></div>"],
    ["srcdoc", e("iframe", { srcDoc: "<script>" }), ""],
    [
      "srcdoc with src",
      e("iframe", { src: "https://example.com/", srcDoc: "<script>" }),
      '<iframe loading="lazy" title="example.com" src="https://example.com/"></iframe>',
    ],
    ["iframe with another scheme", e("iframe", { src: "blob:x" }), ""],
    [
      "style does not break out",
      e("style", {}, "a{}</style><script>x</script>"),
      "<style>a{}\\3c /style>\\3c script>x\\3c /script></style>",
    ],
    ["dangerouslySetInnerHTML", e("div", { dangerouslySetInnerHTML: { __html: "<script>" } }), "<div></div>"],
    ["odd attribute names", e("div", { 'a"><b': "x", "x y": "1" }), "<div></div>"],
    ["text is escaped", e("p", {}, "<script>&"), "<p>&lt;script>&amp;</p>"],
    ["mark in text attribute", e("div", { title: "\x7f/x" }), '<div title="/x"></div>'],
  ])("%s", (_, node, expected) => expect(html(node)).toBe(expected));

  test("an endlessly deep tree does not end the process", () => {
    let node: ContentNode = "deep";
    for (let i = 0; i < 50_000; i++) node = e("div", {}, node);
    expect(html(node)).toContain("deep");
    expect(renderText([node])).toBe("deep");
  });
  test("hostile values in components", () => {
    const out = html(
      e("Card", {
        title: "<b>",
        href: "javascript:x",
        color: "red;background:url(x)",
        img: "javascript:x",
        icon: "<svg onload=x><script>1</script></svg>",
      }),
      e("Callout", { color: '"><script>' }, "x"),
      e("Frame", { caption: "[a](javascript:x) <script>", style: { background: "url(x);} <" } }, "x"),
      e("Tile", { href: "javascript:x" }, "x"),
      e("Island", { code: '"><script>', data: "</octavo-island><script>" }),
    );
    expect(out).not.toMatch(/<script|javascript:|onload|url\(x\)/);
  });
});

describe("URLs", () => {
  test.each<[string, ContentNode, string]>([
    ["inside the site", e("a", { href: "/guides/x#y" }, "a"), '<a href="\x7f/guides/x#y">a</a>'],
    [
      "another site",
      e("a", { href: "https://a.b" }, "a"),
      '<a href="https://a.b" target="_blank" rel="noopener noreferrer">a</a>',
    ],
    ["on the page", e("a", { href: "#x" }, "a"), '<a href="\x7f#x">a</a>'],
    [
      "protocol-relative",
      e("a", { href: "//a.b" }, "a"),
      '<a href="//a.b" target="_blank" rel="noopener noreferrer">a</a>',
    ],
    [
      "srcSet",
      e("source", { srcSet: "/a.png 1x, /b.png 2x" }),
      '<source srcset="\x7f/a.png 1x, \x7f/b.png 2x"/>',
    ],
    [
      "poster",
      e("video", { poster: "/p.png", src: "/v.mp4", controls: true }),
      '<video poster="\x7f/p.png" src="\x7f/v.mp4" controls></video>',
    ],
    [
      "no link in a link",
      e("a", { href: "/a" }, e("a", { href: "/b" }, "b")),
      '<a href="\x7f/a"><span>b</span></a>',
    ],
  ])("%s", (_, node, expected) => expect(html(node)).toBe(expected));
});

describe("elements", () => {
  test.each<[string, ContentNode, string]>([
    [
      "className and htmlFor",
      e("label", { className: "a", htmlFor: "b" }),
      '<label class="a" for="b"></label>',
    ],
    [
      "style object",
      e("div", { style: { backgroundColor: "red", marginTop: 4 } }),
      '<div style="background-color:red;margin-top:4px;"></div>',
    ],
    ["style text", e("div", { style: "color: red" }), '<div style="color: red"></div>'],
    [
      "svg attributes",
      e("svg", { viewBox: "0 0 1 1", strokeWidth: "2" }, e("path", { d: "M0 0" })),
      '<svg viewBox="0 0 1 1" stroke-width="2"><path d="M0 0"></path></svg>',
    ],
    ["void elements", e("br", {}, "x"), "<br/>"],
    ["a paragraph in a paragraph", e("p", {}, "\n", e("p", {}, "a"), "\n"), "<p>a</p>"],
    [
      "two paragraphs in a paragraph",
      e("p", {}, e("p", {}, "a"), e("p", {}, "b")),
      "<div><p>a</p><p>b</p></div>",
    ],
    ["a paragraph in a heading", e("h2", {}, e("p", {}, "a")), "<h2>a</h2>"],
    ["a list in a paragraph", e("p", {}, e("span", {}, e("ul", {}))), "<div><span><ul></ul></span></div>"],
    ["a paragraph in a cell", e("td", {}, e("p", {}, "a")), "<td>a</td>"],
    ["unknown component keeps its children", e("Unknown", { a: 1 }, e("b", {}, "x")), "<b>x</b>"],
    ["fragment", e("", {}, "a", "b"), "ab"],
    [
      "heading with id",
      e("h2", { id: "x" }, "X"),
      '<h2 id="x">X<a class="o-anchor" href="#x" aria-label="Link to this section"></a></h2>',
    ],
    ["an empty header cell", e("tr", {}, e("th", {}), e("th", {}, "A")), "<tr><td></td><th>A</th></tr>"],
    [
      "image",
      e("img", { src: "/a.png", alt: "A" }),
      '<img alt="A" decoding="async" src="\x7f/a.png" data-zoom/>',
    ],
    [
      "image with noZoom",
      e("img", { src: "/a.png", noZoom: true }),
      '<img alt decoding="async" src="\x7f/a.png"/>',
    ],
    [
      "image in a link",
      e("a", { href: "/b" }, e("img", { src: "/a.png" })),
      '<a href="\x7f/b"><img alt decoding="async" src="\x7f/a.png"/></a>',
    ],
    [
      "task",
      e("li", { checked: true }, "x"),
      '<li class="o-task"><span class="o-task-box" role="img" aria-label="☑" data-checked></span>x</li>',
    ],
    [
      "table",
      e("table", {}, e("tbody", {}, e("tr", {}, e("td", { align: "right" }, "1")))),
      '<div class="o-table" tabindex="0" role="group" aria-label="Scrollable content"><table><tbody><tr><td align="right" class="o-num">1</td></tr></tbody></table></div>',
    ],
    [
      "iframe",
      e("iframe", { src: "https://www.youtube.com/embed/x", allowFullScreen: true }),
      '<iframe loading="lazy" title="www.youtube.com" src="https://www.youtube.com/embed/x" allowFullScreen></iframe>',
    ],
    [
      "video in Frame",
      e("Frame", {}, e("video", { autoPlay: true, src: "/v.mp4" })),
      '<figure class="o-frame frame"><div class="o-frame-media"><video playsinline loop muted autoplay src="\x7f/v.mp4"></video></div></figure>',
    ],
  ])("%s", (_, node, expected) => expect(html(node)).toBe(expected));

  test.each(["1", "-1,234.50", "12 %", "$5.00", "≈ 30 ms", "1 000", "99.9%"])(
    "the digits of a cell with %s are aligned",
    (text) => expect(html(e("td", {}, text))).toContain('class="o-num"'),
  );
  test.each(["", "v1", "2 or 3", "10-20", "1 user"])("a cell with %j is not a number", (text) =>
    expect(html(e("td", {}, text))).not.toContain("o-num"),
  );

  test("GitHub alerts are callouts", () => {
    const out = html(
      e(
        "blockquote",
        {},
        "\n",
        e("p", {}, "[!WARNING]\nHot ", e("b", {}, "stuff")),
        "\n",
        e("p", {}, "More"),
      ),
    );
    expect(out).toBe(
      '<div class="o-callout callout o-callout-warning" role="note" aria-label="Warning"><div class="o-callout-body o-flow"><p>Hot <b>stuff</b></p>\n<p>More</p></div></div>',
    );
    expect(html(e("blockquote", {}, e("p", {}, "plain")))).toBe("<blockquote><p>plain</p></blockquote>");
  });
});

/** Tests every component, with the attributes that real repositories use. */
describe("components", () => {
  const cases: [name: string, node: ContentNode, ...parts: (string | RegExp)[]][] = [
    [
      "Note title",
      e("Note", { title: "Hi" }, "x"),
      'o-callout-note"',
      'aria-label="Note"',
      '<p class="o-callout-title">Hi</p>',
    ],
    ["Callout type", e("Callout", { type: "success" }, "x"), "o-callout-check"],
    [
      "Callout icon color",
      e("Callout", { icon: "key", color: "#FFC107", iconType: "regular" }, "x"),
      "--o-callout:#FFC107",
      "<svg",
    ],
    [
      "Accordion",
      e("Accordion", { title: "T", description: "D `c`", defaultOpen: true, id: "t", icon: "key" }, "x"),
      '<details class="o-accordion accordion" id="t" open>',
      "<code>c</code>",
    ],
    ["AccordionGroup", e("AccordionGroup", {}, e("Accordion", { title: "T" })), "o-accordion-group"],
    [
      "Expandable",
      e("Expandable", { title: "props", defaultOpen: "true" }, "x"),
      "<details",
      "open",
      "props",
    ],
    [
      "Tabs",
      e(
        "Tabs",
        { defaultTabIndex: "1" },
        e("Tab", { title: "A", id: "a" }, "1"),
        "\n",
        e("Tab", { title: "B", icon: "key" }, "2"),
      ),
      'data-tabs="sync"',
      'id="a" role="tabpanel" data-off',
      /<button(?=[^>]* data-on)[^>]*data-label="B"/,
    ],
    [
      "Tabs without sync",
      e("Tabs", { sync: false, borderBottom: true }, e("Tab", { title: "A" })),
      /data-tabs>/,
      "o-tabset-border",
    ],
    [
      "Tabs in a snippet",
      e("Tabs", {}, e("", {}, e("Unknown", {}, e("Tab", { title: "A" }, "1")))),
      'role="tab"',
    ],
    [
      "CodeGroup",
      e(
        "CodeGroup",
        {},
        e("CodeBlock", { language: "bash", meta: "npm", code: "npm i" }),
        e("CodeBlock", { language: "js", code: "1" }),
      ),
      ">npm</button>",
      ">js</button>",
    ],
    [
      "CodeGroup dropdown",
      e("CodeGroup", { dropdown: true }, e("CodeBlock", { language: "bash", meta: "npm", code: "x" })),
      '<select class="o-tab-select o-js"',
      "<option selected>npm</option>",
    ],
    [
      "Steps",
      e("Steps", { titleSize: "h3" }, e("Step", { title: "S", id: "s", icon: "key", stepNumber: 4 }, "x")),
      'role="listitem" id="s" style="counter-set:o-step 4"',
      '<h3 class="o-step-title">S<a class="o-anchor"',
    ],
    [
      "Card",
      e(
        "Card",
        {
          title: "T",
          href: "/a",
          icon: "key",
          iconType: "solid",
          horizontal: true,
          img: "/i.png",
          cta: "Go",
          arrow: true,
          color: "#123456",
        },
        "x",
      ),
      '<a href="\x7f/a">T</a>',
      "o-card-row",
      "o-card-arrow",
      "o-card-cta",
      "--o-card:#123456",
      'src="\x7f/i.png"',
    ],
    [
      "Card without title",
      e("Card", { href: "https://a.b" }, "Read"),
      'aria-label="Read"',
      'target="_blank"',
      "o-card-arrow",
    ],
    ["Card type", e("Card", { type: "warning", title: "T" }), "o-callout-warning"],
    ["CardGroup cols", e("CardGroup", { cols: "9" }, "x"), "--o-cols:4"],
    ["Columns cols", e("Columns", { cols: 3 }, e("Column", {}, "x")), "--o-cols:3", "o-column"],
    [
      "Tile",
      e("Tile", { href: "/a", title: "T", description: "D" }, e("img", { src: "/i.png" })),
      /^<a class="o-tile tile" href="\x7f\/a">/,
      /^(?!.*data-zoom)/,
    ],
    [
      "Frame",
      e("Frame", { caption: "A **b** [c](/d)", hint: "H", style: { width: "50%" } }, "x"),
      '<figcaption>A <strong>b</strong> <a href="\x7f/d">c</a></figcaption>',
      "width:50%",
      "o-frame-hint",
    ],
    [
      "Icon",
      e("Icon", { icon: "fa-solid fa-key", size: 32, color: "#fff", className: "big" }),
      'class="o-icon big"',
      "width:32px",
      "color:#fff",
    ],
    ["icon with its style", e("Card", { title: "T", icon: { name: "github", style: "brands" } }), "<svg"],
    [
      "Badge",
      e(
        "Badge",
        { color: "green", size: "lg", shape: "pill", stroke: true, disabled: true, icon: "key" },
        "x",
      ),
      'class="o-badge o-badge-green o-badge-lg o-badge-pill o-badge-stroke o-badge-disabled"',
    ],
    [
      "Tooltip",
      e("Tooltip", { tip: "T", headline: "H", cta: "More", href: "/a" }, "x"),
      'role="tooltip"',
      "<strong>H</strong>",
      'href="\x7f/a"',
    ],
    [
      "ParamField",
      e(
        "ParamField",
        {
          path: "userId",
          type: "string",
          required: true,
          default: "a",
          deprecated: true,
          id: "param-user-id",
        },
        "x",
      ),
      ">userId</code>",
      "required",
      "<code>a</code>",
      "Deprecated",
      'id="param-user-id"',
    ],
    [
      "ParamField name optional",
      e("ParamField", { name: "n", optional: true, default: false }, "x"),
      ">n</code>",
      "optional",
      "<code>false</code>",
    ],
    [
      "ResponseField",
      e("ResponseField", { name: "n", type: "string", required: "", pre: ["a"], post: ["b"] }, "x"),
      ">a</span>",
      ">b</span>",
      "required",
    ],
    [
      "RequestExample",
      e(
        "RequestExample",
        {},
        e("CodeBlock", { language: "bash", code: "x" }),
        e("CodeBlock", { language: "js", code: "x" }),
      ),
      ">Request</button>",
      ">Request 2</button>",
    ],
    [
      "ResponseExample",
      e("ResponseExample", {}, e("CodeBlock", { language: "json", meta: "200", code: "{}" })),
      ">200</button>",
      'data-example="response"',
    ],
    ["Panel", e("Panel", {}, "x"), "o-panel"],
    [
      "Update",
      e("Update", { label: "v1", description: "May", tags: ["A", "B"], id: "v1" }, "x"),
      'data-tags="A,B"',
      'id="v1"',
      ">May</p>",
    ],
    ["View", e("View", { title: "JS", icon: "js" }, "x"), 'data-view="JS"', "<svg"],
    ["Visibility agents", e("Visibility", { for: "agents" }, "x"), /^$/],
    ["Visibility humans", e("Visibility", { for: "humans" }, "x"), /^x$/],
    [
      "Prompt",
      e(
        "Prompt",
        { description: "Do **it**", actions: ["copy", "cursor"] },
        e("p", {}, "Write ", e("code", {}, "x")),
      ),
      "<strong>it</strong>",
      "Write `x`",
      "https://cursor.com/link/prompt?text=Write%20%60x%60",
    ],
    [
      "Tree",
      e(
        "Tree",
        {},
        e(
          "Tree.Folder",
          { name: "src", defaultOpen: true },
          e("Tree.File", { name: "a.ts", highlight: true }),
        ),
      ),
      '<details class="o-files-node" open>',
      "a.ts",
      "o-files-marked",
    ],
    [
      "FileTree from a list",
      e(
        "FileTree",
        {},
        e("ul", {}, e("li", {}, "src/", e("ul", {}, e("li", {}, "a.ts"))), e("li", {}, "b.ts # main")),
      ),
      '<summary><span class="o-files-name">src</span></summary>',
      "a.ts",
      '<span class="o-files-comment">main</span>',
    ],
    [
      "Color",
      e(
        "Color",
        { variant: "table" },
        e(
          "Color.Row",
          { title: "R" },
          e("Color.Item", { name: "n", value: { light: "#fff", dark: "#000" } }),
        ),
      ),
      "--o-light:#fff;--o-dark:#000",
      "o-colors-table",
    ],
    [
      "GitHub.Repo",
      e("GitHub.Repo", { repo: "https://github.com/a/b" }),
      'href="https://github.com/a/b"',
      "a/<strong>b</strong>",
    ],
    ["Latex", e("Latex", { formula: "x^2", display: true }), "<math", "o-math-block"],
    [
      "Mermaid",
      e("Mermaid", { chart: "graph TD; A-->B", meta: 'actions={false} placement="top-left"' }),
      'class="o-mermaid"',
      'data-actions="false"',
      'data-placement="top-left"',
      "A-->B",
    ],
    [
      "CodeBlock written",
      e(
        "CodeBlock",
        {
          language: "js",
          filename: "a.js",
          icon: "js",
          lines: true,
          wrap: true,
          expandable: true,
          nocopy: true,
          highlight: "[1,3]",
          focus: "[2]",
        },
        "let a;\nb\nc",
      ),
      "a.js",
      "o-wrap o-lines o-focused",
      'class="o-line o-mark"',
      'class="o-line o-focus"',
      "o-expand",
      /^(?!.*data-copy)/s,
    ],
    [
      "CodeBlock diff",
      e("CodeBlock", { language: "js", code: "a // [!code ++]\nb // [!code --:2]\nc\n" }),
      'o-line o-add">a</span>',
      'o-line o-del">b</span>',
      'o-line o-del">c</span>',
    ],
    ["CodeBlock of an unknown language", e("CodeBlock", { language: "nope", code: "<a>" }), "&lt;a&gt;"],
    ["Heading", e("Heading", { level: 3, id: "h" }, "x"), '<h3 id="h">x<a'],
    ["Snippet", e("Snippet", { file: "x" }, "y"), /^y$/],
    ["Banner", e("Banner", { title: "T" }, "x"), "o-notice"],
    [
      "Island",
      e("Island", { code: "/i.js", component: "C", data: '{"a":1}' }, "x"),
      '<octavo-island data-code="/i.js" data-component="C" data-props="{&quot;a&quot;:1}">x</octavo-island>',
    ],
    ["ProblemBox", e("ProblemBox", { message: "Oh" }), '<div class="o-problem" role="note"><p>Oh</p></div>'],
    ["JSX in an attribute", e("Accordion", { title: e("b", {}, "T") }), "<b>T</b>"],
  ];
  test.each(cases)("%s", (_, node, ...parts) => {
    const out = html(node);
    for (const part of parts) {
      if (typeof part === "string") expect(out).toContain(part);
      else expect(out).toMatch(part);
    }
    expect(problems).toEqual([]);
  });

  test("an unknown icon is reported with a suggestion", () => {
    expect(html(e("Card", { title: "T", icon: "rockett" }))).not.toContain("<svg");
    expect(problems).toMatchObject([
      { code: "unknown-icon", file: "page.mdx", hint: 'Did you mean "rocket"?' },
    ]);
  });
  const drawn = e(
    "svg",
    { viewBox: "0 0 9 9", fill: "none" },
    e("path", { d: "M0 0", strokeWidth: 2, stroke: "currentColor" }),
  );
  const drawing =
    '<svg viewBox="0 0 9 9" fill="none"><path d="M0 0" stroke-width="2" stroke="currentColor"></path></svg>';
  test.each<[string, string, Props]>([
    ["an svg element", drawing, { icon: drawn }],
    ["the svg of an author's component", drawing, { icon: e("", {}, "\n", drawn) }],
    ["an Icon", "<svg", { icon: e("Icon", { icon: "rocket", iconType: "solid" }) }],
    ["an image", 'src="\x7f/a.png"', { icon: e("img", { src: "/a.png" }) }],
    ["a number", "<svg", { icon: 7 }],
    ["a condition that is false", "T", { icon: false }],
  ])("%s can be an icon", (_, part, props) => {
    for (const name of ["Card", "Accordion", "Callout", "Badge", "Prompt", "View"])
      expect(html(e(name, { title: "T", ...props }, "T")), name).toContain(part);
    expect(html(e("Steps", {}, e("Step", { title: "T", ...props }, "x")))).toContain(part);
    expect(html(e("Tabs", {}, e("Tab", { title: "T", ...props }, "x")))).toContain(part);
    expect(problems).toEqual([]);
  });
  test("an svg element as an icon is sanitized like other inline SVGs", () => {
    const hostile = e(
      "svg",
      { onload: "x()", style: { background: "url(https://evil)" }, "aria-label": '"><script>' },
      e("script", {}, "x()"),
      e("foreignObject", {}, e("img", { src: "https://evil" })),
      e("a", { href: "javascript:x" }, "t"),
      e("use", { href: "https://evil/x.svg#a" }),
      e("set", { attributeName: "onload", to: "x()" }),
      e("style", {}, "@import 'https://evil'"),
      e("text", {}, "</svg><img src=x onerror=x()>"),
    );
    const out = html(e("Card", { title: "T", icon: hostile }, "x"));
    expect(out).toContain(
      '<svg aria-label="&quot;&gt;&lt;script&gt;"><use></use><text>&lt;/svg&gt;&lt;img src=x onerror=x()&gt;</text></svg>',
    );
  });
  test.each<[string, Props]>([
    ["an element that isn't an SVG", { icon: e("div", {}, "x") }],
    ["an Icon without a name", { icon: e("Icon", {}) }],
    ["true", { icon: true }],
    ["a list", { icon: ["rocket"] }],
    ["HTML as text", { icon: "<img src=x>" }],
    ["an unknown number", { icon: 4711 }],
  ])("%s as an icon is reported", (_, props) => {
    expect(html(e("Card", { title: "T", ...props }))).not.toContain('o-ico"');
    expect(problems).toMatchObject([{ code: "unknown-icon", file: "page.mdx" }]);
  });
  test("a formula that cannot be read is shown and reported", () => {
    expect(html(e("Latex", { formula: "\\frac{1" }))).toContain("$\\frac{1$");
    expect(problems).toMatchObject([{ code: "formula-failed" }]);
  });
  test("the source of a diagram that is too large is shown, and the diagram is reported", () => {
    const out = html(e("Mermaid", { chart: `graph TD\n${"a-->b\n".repeat(10_000)}` }));
    expect(out).not.toContain("o-mermaid");
    expect(out).toContain("a-->b");
    expect(problems).toMatchObject([{ code: "diagram-too-large" }]);
  });
  test.each<[string, ContentNode]>([
    ["icon", e("Card", { title: "T", icon: "rockett" })],
    ["name", e("Icon", { name: "rockett" })],
    ["a fence", e("CodeBlock", { language: "js", meta: "icon=rockett", code: "x" })],
    ["a formula", e("Latex", { formula: "\\frac{1" })],
    ["a diagram", e("Mermaid", { chart: "x".repeat(50_001) })],
  ])("a problem with %s has a position", (_, node) => {
    html({ ...(node as ContentElement), line: 3, column: 5 });
    expect(problems).toMatchObject([{ file: "page.mdx", line: 3, column: 5 }]);
  });
});

test.each([
  ["Note", "Aside", "Hint", "Important", "Success", "Caution", "Critical", "Error"],
  ["Tab", "TabItem"],
  ["Card", "LinkCard"],
])("%s and its aliases wrap text in the same way", (...names) => {
  for (const name of names)
    expect(html(e(name, { title: "t" }, "a ", e("b", {}, "b"))), name).toContain("<p>a <b>b</b></p>");
});
