/**
 * Tests that readers see text as authors wrote it, and that text which other tools refuse is shown and
 * reported once.
 */

import { expect, test } from "vitest";
import { briefly, buildPage, buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

const body = (html: string) =>
  /<div class="o-body mdx-content">([\s\S]*?)<\/div><\/article>/
    .exec(html)![1]!
    .replace(/<a class="o-anchor"[^>]*><\/a>/g, "");
const text = (html: string) => body(html).replace(/<[^>]*>/g, "");

test.each([
  ["Pass --no-cache or **--force** or -- both.", "Pass --no-cache or --force or – both."],
  ["A sentence -- with a dash, pages 1--2 --- and more.", "A sentence – with a dash, pages 1–2 — and more."],
  ["Use `--x`, var(--color), a__b--c and “--größe”.", "Use --x, var(--color), a__b--c and “--größe”."],
  ["An – own dash &ndash; and --flag and 3--4.", "An – own dash – and --flag and 3–4."],
  ['Say "--yes" \\-\\-no 😀 --maybe', "Say “--yes” --no 😀 --maybe"],
  ["Returns {} or { }.", "Returns {} or { }."],
  ["A {/* comment */}line.", "A line."],
])("%j", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(text(html)).toBe(shown);
  expect(problems).toEqual([]);
});

test("a heading keeps the hyphens of a flag, and links with them work", async () => {
  const { html, site } = await buildPage("## --verbose\n\n[Here](#--verbose)");
  const id = /<h2 id="([^"]+)">--verbose/.exec(html)?.[1];
  expect(html).toMatch(new RegExp(`href="#(?:${id}|--verbose)">Here`));
  expect(site.read("index.md")).toMatch("## --verbose");
});

test.each([
  ["$LS_{x}$", true],
  ["$VT_{P_{Out}}$", true],
  ["$W_{tank}(t)$", true],
  ["$P$", true],
  ["$AB^2$", true],
  ["$\\overline{Q_i} $", true],
  ["It costs $5 and $6.", false],
  ["`$HOME_${USER}` and $PATH or $HOME.", false],
  ["$PATH and $HOME_DIR.", false],
  ["$ x $", false],
])("%s is a formula: %s", async (mdx, isFormula) => {
  const { html, problems } = await buildPage(mdx);
  expect(html.includes("<math")).toBe(isFormula);
  expect(problems).toEqual([]);
});

test.each([
  ['<Card title="$5 a month">to $7</Card>', "$5 a month to $7"],
  ['<Card\n  title="$5 and $6"\n>\n  $7\n</Card>', "$5 and $6 $7"],
  ["<Card title='From $5'>Up to $9</Card>", "From $5 Up to $9"],
  ['A $6 <abbr title="$7">$8</abbr>, x', "A $6 $8 , x"],
  ['[l](https://x.example/$a/$b "It is $5") and [$5](https://x.example "$6") $7', "l and $5 $7"],
  [
    '<ParamField query="$filter" type="string">Like `$top` or $skip.</ParamField>',
    "$filter string Like $top or $skip.",
  ],
  [
    '| A | $6 <Badge>$8</Badge> |\n| - | - |\n| $5 <Tooltip tip="Not $7">x</Tooltip> | $4 |',
    "A $6 $8 $5 x Not $7 $4",
  ],
])("dollar signs in attributes and URLs: %j", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(body(html).replace(/(?:<[^>]*>|\s)+/g, " ")).toContain(shown);
  expect(html).not.toMatch(/\\\$|<math/);
  expect(problems).toEqual([]);
});

test("there is no blank between an element and an expression that has none before it", async () => {
  const { html } = await buildPage("<Badge>a</Badge>\n{1}");
  expect(body(html)).toContain("a</span>1");
});

test.each([
  ["```math\nE = m c^2\n```", true],
  ["```Math\nx\n```", true],
  ["The rate is \\(a + b\\) per day.", true],
  ["So \\(\\frac{1}{2}\\) and \\(x_1\\).", true],
  ["\\[ \\int_0^1 x \\]", true],
  ["\\[\nx + {y}^2\n\\]", true],
  ["\\[ d^2 \\]", true],
  ["> \\[ x_1 + 2 = y \\].", true],
  ["\\[optional\\]", false],
  ["\\[file_name\\]", false],
  ["\\[a, b\\] and \\[x = 1\\] in a text.", false],
  ["The sum $`a_1 + b`$ is.", true],
  ["```` $`a^2`$ ````", false],
  ["File\\(s\\) \\(optional\\) and \\[1\\] or \\[Note\\], `\\(a + b\\)`.", false],
  ["<p>It costs $1.24.</p> <p>A price of $1.235</p>", false],
])("%j is a formula: %s", async (mdx, isFormula) => {
  const { html, problems } = await buildPage(mdx);
  expect(html.includes("<math")).toBe(isFormula);
  expect(text(html)).not.toMatch(/&lt;/);
  expect(problems).toEqual([]);
});

test.each([
  [":::warning\nBack up.\n:::", "other-syntax index.mdx:1", "<Warning>"],
  ["Text.\n\n- Item\n  ::: tip Title\n  Text.\n  :::", "other-syntax index.mdx:4", "<Tip>"],
  ["::::details More\nText.\n::::", "other-syntax index.mdx:1", "<Accordion"],
  ['!!! note "Title"\n    Text.', "other-syntax index.mdx:1", "<Note>"],
  ['??? question "Why"\n    Text.', "other-syntax index.mdx:1", "<Accordion"],
  ['=== "macOS"\n    Text.', "other-syntax index.mdx:1", "<Tabs>"],
  ["Text.\n\n```{hint}\nText.\n```", "other-syntax index.mdx:3", "<Tip>"],
  ["A ![a](a.png =100x20) here.", "other-syntax index.mdx:1", "<img"],
  ["A `[b][c]`, \\[d][e] and ![a](a.png =100x) here.", "other-syntax index.mdx:1", "<img"],
  ["Text.\n\n[[toc]]", "other-syntax index.mdx:3", "Remove it"],
  ["[TOC]", "other-syntax index.mdx:1", "Remove it"],
  ["| A | B | C |\n|---|---- --|---|\n| 1 | 2 | 3 |", "table-cells index.mdx:2", "Write ---"],
  ["> | A | B |\n> |---|—|\n> | 1 | 2 |", "table-cells index.mdx:2", "Write ---"],
  ["| A | B |\n|---|\n| 1 | 2 |", "table-cells index.mdx:1", "\\|"],
  ["See [text][nope].", "undefined-reference index.mdx:1", "[nope]: URL"],
  ["Line\n![text][]", "undefined-reference index.mdx:2", "[text]: URL"],
  ["[Guide](/my guide)", "mdx-repaired index.mdx:1", "/my%20guide"],
  ["[Guide](./my guide 'Title')", "mdx-repaired index.mdx:1", "./my%20guide"],
])("a line that isn't the block or link that its author meant is reported: %j", async (mdx, found, hint) => {
  const { problems } = await buildPage(mdx, { "my guide.mdx": "" });
  expect(briefly(problems)[0]).toBe(found);
  expect(problems[0]!.hint).toMatch(hint);
});

test.each([
  "Wow!!! note this. `:::tip` and list[i][j], `[a][b]`, \\[a][b].",
  "```\n:::tip\n```",
  "[text][ok] and [OK].\n\n[ok]: /index",
  "\\[a\\](b c.png)",
])("other text isn't reported: %j", async (mdx) => {
  expect((await buildPage(mdx)).problems).toEqual([]);
});

test.each([
  ["请先**备份数据。**然后再升级。", "请先<strong>备份数据。</strong>然后再升级。"],
  [
    "まず**「設定」**を開いて、**`code`**を。",
    "まず<strong>「設定」</strong>を開いて、<strong><code>code</code></strong>を。",
  ],
  [
    "**주의(중요)**를 먼저 ***(중)***를 *(중)*를",
    "<strong>주의(중요)</strong>를 먼저 <em><strong>(중)</strong></em>를 <em>(중)</em>를",
  ],
  ["删除~~「旧」~~的𠀀**（一）**𠀀。", "删除<del>「旧」</del>的𠀀<strong>（一）</strong>𠀀。"],
  ["\\*\\*「設定」\\*\\*を `字**「」**字` 2 * 3", "**「設定」**を <code>字**「」**字</code> 2 * 3"],
  ["English **stays (bold)** and 1**（x", "English <strong>stays (bold)</strong> and 1**（x"],
])("marks next to Chinese, Japanese, and Korean letters: %j", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(body(html).replace(/<code[^>]*>/g, "<code>")).toContain(shown);
  expect(problems).toEqual([]);
});

test.each([
  [
    "请访问https://example.com/docs。然后**继续。**再",
    ["https://example.com/docs"],
    "请访问https://example.com/docs。然后继续。再",
  ],
  [
    "详见（https://a.example/x）和https://b.example/y，或 www.c.example。",
    ["https://a.example/x", "https://b.example/y", "http://www.c.example"],
  ],
  [
    "见[文档](https://a.example/世界，) https://a.example/世界。",
    ["https://a.example/%E4%B8%96%E7%95%8C%EF%BC%8C", "https://a.example/世界"],
  ],
  ["See https://example.com/guide. Then.", ["https://example.com/guide"]],
  [
    "「www.a.example/c」、続き。また**「x」**の",
    ["http://www.a.example/c"],
    "「www.a.example/c」、続き。また「x」の",
  ],
])("a URL ends before a sign of Chinese or Japanese text: %j", async (mdx, targets, shown = "") => {
  const { html } = await buildPage(mdx);
  const links = [...body(html).matchAll(/href="([^"]*)"/g)].map(([, url]) => decodeURI(url!));
  expect(links).toEqual(targets.map((url) => decodeURI(url)));
  expect(text(html)).toContain(shown);
});

test.each([
  ['import T from "/snippets/tip.mdx";\nA sentence.\n\n<T />', "A sentence. The tip.", 2],
  [
    'import T from "/snippets/tip.mdx"\nimport U from "/snippets/tip.mdx"\n<T />\n\nAfter.',
    "The tip. After.",
    3,
  ],
  ['import T from "/snippets/tip.mdx";\n<T />', "The tip.", 2],
  ['import T from "/snippets/tip.mdx";\n## Head\n\n<T />', "Head The tip.", 2],
  ['Before.\n\nimport {\n  T\n} from "/snippets/t.jsx";\n- Item\n\n<T />', "Before. Item From code.", 6],
  ["export const a = 1;\nWord\n\n{a}", "Word 1", 2],
  ['export const a = `\nx\n`;\n**Bold** "quoted" text\n\n{a}', "Bold “quoted” text x", 4],
])(
  "text after an import or export without an empty line is shown and reported: %j",
  async (mdx, shown, line) => {
    const { html, problems } = await buildPage(mdx, {
      "snippets/tip.mdx": "The tip.",
      "snippets/t.jsx": "export const T = () => <p>From code.</p>;",
    });
    expect(words(html)).toBe(shown);
    expect(briefly(problems)).toEqual([`mdx-repaired index.mdx:${line}`]);
  },
);

test("a step with content needs no title", async () => {
  const { problems } = await buildPage(
    "<Steps>\n  <Step>\n    ### Head\n  </Step>\n  <Step>Text</Step>\n  <Step />\n</Steps>",
  );
  expect(briefly(problems)).toEqual(["component-prop index.mdx:6"]);
});

test("the first of several definitions with the same label is used, and others are reported", async () => {
  const { html, problems } = await buildPage(
    "[A][terms] ![B][Terms]\n\n[terms]: /one.png\n[TERMS]: /two.png",
    { "one.png": "" },
  );
  expect(html.match(/(?:href|src)="[^"]*one[^"]*"/g)).toHaveLength(2);
  expect(briefly(problems)).toEqual(["no-effect index.mdx:4"]);
});

test.each([
  ["<details>\n  <summary>Sum</summary>\n  Text.\n</details>", []],
  ["<details>\n<summary>Sum</summary>\nText.\n</details>", []],
  ["<details>\n<summary>Sum</summary>\n\nText.\n\n</details>", []],
  ["<details>\n\n<summary>Sum</summary>\n\nText.\n</details>", []],
  ["<details>\n  <summary>\n    Sum\n  </summary>\n\n  Text.\n</details>", []],
  ["<details><summary>Sum</summary>Text.</details>", []],
  ["- Item\n\n  <details>\n  <summary>Sum</summary>\n  Text.\n  </details>", []],
  ["<details><summary>Sum</summary>\n\nText.\n\n</details>", ["mdx-repaired index.mdx:1"]],
  ["<details open><summary>Sum</summary>\n\nText.\n</details>\n\nAfter.", ["mdx-repaired index.mdx:1"]],
])("a fold has its summary: %j", async (mdx, found) => {
  const { html, problems } = await buildPage(mdx);
  expect(html).toMatch(/<details(?: open)?>\s*<summary>(?:<p>)?\s*Sum\s*(?:<\/p>)?<\/summary>/);
  expect(text(html)).not.toMatch(/[<>]|&lt;/);
  expect(text(html)).toMatch("Text.");
  expect(briefly(problems)).toEqual(found);
});

const words = (html: string) =>
  body(html)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

test.each([
  [
    '<div>\n    <span\n        style={{\n        color: "red",\n        }}\n    >Label</span>\n</div>\n\nAfter.',
    "Label After.",
  ],
  ['Text <b\n  id="x"\n> label</b> more.', "Text label more."],
  ['- Item\n\n  <Note\n    icon="star"\n  >\n  Label\n  </Note>', "Item Label"],
  ['<div\n  className="a"\n>Label</div>', "Label"],
  ['<div\n  title="a b"\n>Label</div>\n\n{1 +\n 1}', "Label 2"],
])("a tag whose last character starts a line: %j", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(words(html)).toBe(shown);
  expect(problems).toEqual([]);
});

test("text on the line of an opening tag gives one problem, with its form", async () => {
  const mdx =
    '<Steps>\n<Step title="One">\n<Tabs>\n<Tab title="A">Alpha\n\n```bash\necho a\n```\n</Tab>\n<Tab title="B">\n\nBeta\n\n</Tab>\n</Tabs>\n</Step>\n</Steps>\n\n{missing}';
  const { html, problems } = await buildPage(mdx);
  expect(briefly(problems)).toEqual(["mdx-repaired index.mdx:4", "undefined-name index.mdx:19"]);
  expect(problems[0]!.hint).toBe('Put <Tab title="A"> on a separate line.');
  expect(html.match(/role="tabpanel"/g)).toHaveLength(2);
  expect(words(html)).not.toMatch("&lt;");
});

test.each([
  [
    "a tag after other tags",
    '<Steps><Step title="X">Do this\n\nthen that</Step>\n<Step title="Y">z</Step></Steps>\n\nend',
    "X Do this then that Y z end",
  ],
  ["a tag in a list", "- <Tip>One\n\n  two</Tip>\n- three", "One two three"],
  ["a tag in an ordered list", "1. a\n2. <Note>One\n\n   two\n   </Note>\n3. three", "a One two three"],
  ["a tag in a block quote", "> <Info>One\n>\n> two</Info>\n\nend", "One two end"],
  [
    "a closing tag before text",
    '<Tabs><Tab title="A">One\n\ntwo</Tab><Tab title="B">Three\n\nfour</Tab></Tabs>',
    "A B A One two B Three four",
  ],
  [
    "a closing tag after a list",
    '<Steps>\n  <Step title="X">One\n\n    - two\n    - three</Step>\n</Steps>\n\nend',
    "X One two three end",
  ],
  ["a closing tag after a table", "<Note>\n| a | b |\n| - | - |\n| c | d |</Note>\n\nend", "a b c d end"],
  ["a closing tag after a code block", "<Tip>\n```js\none\n```</Tip>\n\nend", "one end"],
  ["text before a tag", "Intro <Note>one\n\ntwo</Note> outro", "Intro one two outro"],
  ["an HTML tag", "<div><p>One\n\ntwo</p></div>\n\nend", "One two end"],
])("text on the line of %s stays in its element", async (_, mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(words(html)).toBe(shown);
  expect(new Set(problems.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
    new Set(["mdx-repaired warning"]),
  );
});

test.each([
  ['<p><img src="/x.svg" width=200 /></p>', /<img [^>]*width="200"/, 'Write width="200".'],
  ["<a href=/x.svg>text</a>", /<a href="x.svg">text<\/a>/, 'Write href="/x.svg".'],
  ["- <img src=/x.svg/>", /<img [^>]*src="x.svg"/, 'Write src="/x.svg".'],
  ["| a |\n| - |\n| <b class=c>text</b> |", /<b class="c">text/, 'Write class="c".'],
])("a value without quotation marks gets them: %s", async (mdx, shown, hint) => {
  const { html, problems } = await buildPage(mdx, { "x.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  expect(html).toMatch(shown);
  expect(problems.map((found) => [found.code, found.hint])).toEqual([["mdx-repaired", hint]]);
});

test("a first row with too many cells is reported, and its text is kept", async () => {
  const { html, problems } = await buildPage("| a | b|c |\n| - | - |\n| d | e |");
  expect(text(html)).toMatch(/a \| b\|c/);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ["table-cells", "This isn't a table: its first row has 3 cells, but the row of hyphens has 2"],
  ]);
});

test.each([
  ["<Note>\ntext", "Add </Note>. To show the tag as text, write \\<Note>."],
  ["text\n\n</Note>", "Remove </Note>, or add <Note> before it."],
  ['<Steps>\n  <Step title="a">\n    one\n</Steps>', "Add </Step> before </Steps>."],
  ["> <Info>one\n\n> two</Info>", "Add </Info>. To show the tag as text, write \\<Info>."],
  ["a <3 b", "To show < or { as text, write \\< or \\{, or use backticks."],
])("the hint for %j says what to write", async (mdx, hint) => {
  const { problems } = await buildPage(mdx);
  expect(problems.map((found) => [found.code, found.hint])).toEqual([["mdx-syntax", hint]]);
});

test("void tags are shown, also many of them, and the hint has the form to write", async () => {
  const { html, problems } = await buildPage(
    `${"Text<br>after.\n\n".repeat(100)}<hr>\n\n<img src="/x.svg">`,
    { "x.svg": "<svg/>" },
  );
  expect(html.match(/<br\/>/g)).toHaveLength(100);
  expect(html).toMatch(/<hr\/><img /);
  expect(new Set(problems.map(({ code, severity, hint }) => [code, severity, hint].join(" ")))).toEqual(
    new Set([
      "mdx-repaired warning Write <br />.",
      "mdx-repaired warning Write <hr />.",
      "mdx-repaired warning Write <img />.",
    ]),
  );
});

test.each([
  [
    "See <https://example.com/a_b>.",
    '<a href="https://example.com/a_b"',
    "Write [https://example.com/a_b](https://example.com/a_b).",
  ],
  [
    "Write to <help@example.com>.",
    '<a href="mailto:help@example.com">',
    "Write [help@example.com](mailto:help@example.com).",
  ],
  ["![A](/my own picture.png)", 'src="my%20own%20picture.png"', "Write /my%20own%20picture.png."],
  ["[Form](./my form.pdf)", 'href="my%20form.pdf"', "Write ./my%20form.pdf."],
  [
    '<Card title="Say \\"hi\\"">Text.</Card>',
    "Say &quot;hi&quot;",
    "Use single quotes around the value, or write &quot;.",
  ],
])("%s works, and the hint has the form to write", async (mdx, shown, hint) => {
  const { html, problems } = await buildPage(mdx, { "my own picture.png": "x", "my form.pdf": "x" });
  expect(html.replaceAll('Say "hi"', "Say &quot;hi&quot;")).toMatch(shown);
  expect(problems.map(({ code, hint }) => [code, hint])).toEqual([["mdx-repaired", hint]]);
});

test.each([
  ["| `a || b` | Or |", "row has 4 cells"],
  ["| `#[with = |...| expr]` | Closure |", "row has 4 cells"],
  ["| <code>a | b</code> | Either |", "tag starts in one cell"],
  ["| <b>a | <i>b</i></b> | Either |", "tag starts in one cell"],
])("pipes in a table cell lose no text and are reported: %s", async (row, message) => {
  const { html, problems } = await buildPage(
    `| Form | Meaning |\n| --- | --- |\n${row}\n| \`x \\| y\` | Escaped |`,
  );
  for (const word of row.match(/\w+/g)!.filter((found) => !["code", "b", "i"].includes(found)))
    expect(text(html)).toMatch(word);
  if (/<code>|<b>/.test(row)) expect(text(html)).toMatch(/a \| b/);
  expect(briefly(problems)).toEqual(["table-cells index.mdx:3"]);
  expect(problems[0]!.message).toMatch(message);
});

test("a footnote that is used several times has unique ids and a link back to each use", async () => {
  const { html, problems } = await buildPage(
    "First[^a], again[^a], other[^b], once more[^a] and [^missing] \\[^x].\n\n[^a]: The note.\n[^b]: See[^a].",
  );
  const ids = [...html.matchAll(/id="(fn[^"]*)"/g)].map(([, id]) => id);
  expect(ids.sort()).toEqual(["fn-1", "fn-2", "fnref-1", "fnref-1-2", "fnref-1-3", "fnref-1-4", "fnref-2"]);
  for (const id of ids.filter((id) => id!.startsWith("fnref"))) expect(html).toMatch(`href="#${id}"`);
  expect(briefly(problems)).toEqual(["undefined-footnote index.mdx:1"]);
});

test("footnotes of snippets have other ids, headings with footnotes keep theirs, and unused footnotes are reported", async () => {
  const { html, problems } = await buildPage(
    'import S from "/snippets/s.mdx";\n\n## Head[^a]\n\n<S />\n\n[^a]: One.\n[^b]: Two.\n[^a]: Three.',
    {
      "snippets/s.mdx": "Text[^a].\n\n[^a]: Other.",
    },
  );
  const ids = [...html.matchAll(/ id="(fn[^"]*|head[^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("head");
  expect(text(html)).toMatch(/One\.[\s\S]*/);
  expect(briefly(problems)).toEqual(["no-effect index.mdx:8", "no-effect index.mdx:9"]);
});

test.each([
  ["npm run build -- --watch", "npm run build -- --watch"],
  ["Pass --2fa, --_x or (--a)", "Pass --2fa, --_x or (--a)"],
  ["Pages 1--2 and a -- b", "Pages 1–2 and a – b"],
])("%s has the hyphens of its flags", async (mdx, shown) => {
  expect(words((await buildPage(mdx)).html)).toBe(shown);
});

test.each([
  ["<Badge>a</Badge> <Badge>b</Badge>", "</span> <span"],
  ["{1} {2}", "1 2"],
  ["<details>\nText <summary>Sum</summary> after\n</details>", "<details><summary>Sum</summary>"],
  ["<fieldset>\n<legend>Sum</legend>\ntext\n</fieldset>", "<fieldset><legend>Sum</legend>"],
])("%s keeps its blanks and its first element", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(html).toContain(shown);
  expect(problems).toEqual([]);
});

test("unknown components and elements stay in their line of Markdown", async () => {
  const { site } = await buildPage("Press <Gear>it</Gear> and <low>choose</low> one.");
  expect(site.read("index.md")).toContain("Press it and choose one.");
});

test.each([
  ["title: 4.10", "4.10"],
  ["title: 001999", "001999"],
  ["title: 0x10", "0x10"],
  ["title: 2.0\ntag: 3.0\nboost: 1.5", "2.0"],
  ["title: 1e3", "1e3"],
  ["title: 12345678901234567890", "12345678901234567890"],
  ['title: "Long\ntitle"', "Long title"],
  ["title: 'Long\ntitle'\ntag: a", "Long title"],
  ['title: "Long \\"x\\"\n  title"', 'Long "x" title'],
])("%j is the title %s", async (front, title) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": `---\n${front}\n---\n\nText.` }));
  expect(mainOf(site.read("index.html"))).toMatch(`<h1 id="page-title">${title.replaceAll('"', "&quot;")}`);
  expect(site.problems).toEqual([]);
});

test("wide lines in a code block aren't nested", async () => {
  const wide = `+${"-".repeat(5_000)}+\n${"> ".repeat(500)}x\n${"- ".repeat(500)}y`;
  const { html, problems } = await buildPage(
    `Before.\n\n\`\`\`text\n${wide}\n\`\`\`\n\nAfter.\n\n${"-".repeat(3_000)}\n\nEnd.`,
  );
  expect(problems).toEqual([]);
  expect(text(html)).toMatch(/Before[\s\S]*-{5000}[\s\S]*After[\s\S]*End/);
  expect(briefly((await buildPage(`${"> ".repeat(400)}x`)).problems)).toEqual(["page-too-deep index.mdx:1"]);
});

test.each([
  ['![An image](/images/my pic.svg "The title")', 'src="images/my%20pic.svg" title="The title"'],
  ["[A file](/images/my pic.svg 'The title')", 'href="images/my%20pic.svg" title="The title"'],
  ['<div dangerouslySetInnerHTML={{ __html: "An <b>own</b> text" }} />', "<div>An <b>own</b> text</div>"],
  [
    'export const Raw = ({ html }) => <p dangerouslySetInnerHTML={{ __html: html }} />;\n\n<Raw html="An <b>own</b> text" />',
    "<p>An <b>own</b> text</p>",
  ],
])("%j is shown", async (mdx, shown) => {
  const { html } = await buildPage(mdx, { "images/my pic.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" });
  expect(html).toContain(shown);
});

test.each([
  ["<script>{`run()`}</script>", ["no-effect index.mdx:3"]],
  ['<script src="https://example.com/a.js"></script>', ["no-effect index.mdx:3"]],
  ['<script src="/own.js"></script>', []],
  ['<Frame>Text</Frame> <script src="https://example.com/a.js"></script>', ["no-effect index.mdx:3"]],
  ["<noscript>Turn it on</noscript>", ["no-effect index.mdx:3"]],
  ['<object data="/own.js">A plan</object>', ["no-effect index.mdx:3"]],
  ["export const Old = () => <p><embed src='/own.js'/></p>;\n\n<Old />\n\n<Old />", ["no-effect index.mdx"]],
])("elements that pages leave out are reported: %s", async (mdx, expected) => {
  const { problems } = await buildPage(`Text.\n\n${mdx}\n`, { "own.js": "run();" });
  expect(briefly(problems)).toEqual(expected);
});

const typed = `a "b" 'c' -- d --- e ... it's`;

test.each([
  ...["code", "kbd", "samp", "var", "tt", "pre"].map((name) => [`<${name}>${typed}</${name}>`]),
  [`<pre><code>${typed}</code></pre>`],
  [`<code><span className="x">${typed}</span></code>`],
  [`<code>**${typed}**</code>`],
  [`<Note>Run <code>${typed}</code>.</Note>`],
  [`## Run <code>${typed}</code>`],
  [`| A |\n| --- |\n| <code>${typed}</code> |`],
  [`- Run <code>${typed}</code>`],
  [`<pre>\n${typed}\n</pre>`],
  [
    `export const InlineCode = ({ children }) => <code>{children}</code>;\n\nRun <InlineCode>${typed}</InlineCode>.`,
  ],
  [`export const Kbd = ({ children }) => <kbd>{children}</kbd>;\n\nRun <Kbd>${typed}</Kbd>.`],
])("text in an element for code stays as typed, on the page and in its Markdown: %j", async (mdx) => {
  const { html, site, problems } = await buildPage(mdx);
  expect(text(html).replaceAll("&quot;", '"')).toContain(typed);
  expect(site.read("index.md")).toContain(typed);
  expect(problems).toEqual([]);
});

test("text in an element for code keeps escapes, character references, and typographic characters", async () => {
  const { html } = await buildPage(
    '<code>“a” &quot;b&quot; \\"c\\" &lt;d&gt; &ldquo;e&rdquo; – &ndash; -- … ... &amp;amp; \\*f\\* "g"</code>',
  );
  expect(text(html).replaceAll("&quot;", '"')).toBe('“a” "b" "c" &lt;d> “e” – – -- … ... &amp;amp; *f* "g"');
});

test("text after an element for code is typographic again", async () => {
  const { html } = await buildPage(`<code>"a"</code> and "b"`);
  expect(text(html).replaceAll("&quot;", '"')).toBe('"a" and “b”');
});

test.each([
  ["1~2 days … 5~7 days", "1~2 days … 5~7 days"],
  ["배송은 1~3일, 환불은 5~7일입니다.", "배송은 1~3일, 환불은 5~7일입니다."],
  ["~/.config and H~2~O ~x~", "~/.config and H~2~O ~x~"],
  ["~5 to **6~10 min** or *7~8* ~9", "~5 to <strong>6~10 min</strong> or <em>7~8</em> ~9"],
  ["~a **b~ c** ~d *e~ f*", "~a <strong>b~ c</strong> ~d <em>e~ f</em>"],
  ["~~1~2 gone 5~7~~ stays", "<del>1~2 gone 5~7</del> stays"],
  ["`1~2` and [3~4](https://example.com/~a) or 5~6", `<code>1~2</code> and <a href="https://example.com/~a"`],
  ["- 1~2 or 3~4", "1~2 or 3~4"],
  ["## 1~2 or 3~4", "1~2 or 3~4"],
  ["| A |\n| - |\n| 1~2 or 3~4 |", "1~2 or 3~4"],
  ["<Note>1~2 or 3~4</Note>", "1~2 or 3~4"],
  ["> 1~2 or 3~4[^1]\n\n[^1]: 5~6 or 7~8", "5~6 or 7~8"],
  ["Text {`~a~`} 1~2 {~1} 3~4", "Text ~a~ 1~2 -2 3~4"],
])("single tildes are text: %j", async (mdx, shown) => {
  const { html, problems } = await buildPage(mdx);
  expect(body(html)).toContain(shown);
  expect(problems).toEqual([]);
});

test("single tildes are text in titles, descriptions, and the page's Markdown", async () => {
  const page = `---\ntitle: 1~2 or 3~4\ndescription: 5~6 or 7~8 <Badge>9~10 or 11~12</Badge>\n---\n\n<Card title="1~2 or 3~4">~~Gone~~ 5~6 or 7~8</Card>`;
  const site = await buildSiteFrom(siteOf({ "index.mdx": page }));
  const main = mainOf(site.read("index.html"));
  expect(main).toMatch(
    /<h1 id="page-title">1~2 or 3~4[\s\S]*5~6 or 7~8[\s\S]*9~10 or 11~12[\s\S]*1~2 or 3~4[\s\S]*<del>Gone<\/del> 5~6 or 7~8/,
  );
  expect(site.read("index.md")).toMatch(/# 1~2 or 3~4[\s\S]*1~2 or 3~4[\s\S]*~~Gone~~ 5~6 or 7~8/);
});

test("single tildes are text in descriptions of OpenAPI documents", async () => {
  const description = "Takes **1~2** or 3~4 days, ~~not~~ ~5 *to 6~ 7*.";
  const openapi = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { summary: "Get", description, responses: { 200: { description } } } } },
  });
  const site = await buildSiteFrom(
    siteOf(
      { "index.mdx": "Text.", "openapi.json": openapi },
      { navigation: { pages: ["index", "openapi.json GET /a"] } },
    ),
  );
  const page = site.paths.find((path) => path.endsWith(".html") && site.read(path).includes("Takes"))!;
  const found = site
    .read(page)
    .match(/Takes <strong>1~2<\/strong> or 3~4 days, <del>not<\/del> ~5 <em>to 6~ 7<\/em>\./g);
  expect(found).toHaveLength(2);
});
