/** Tests differences from `@mdx-js/mdx` that the comparison of real repositories has found. */

import { expect, test } from "vitest";
import { briefly, buildPage, buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

test.each([
  ["- a\n- b\n\n- c", "<ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul>"],
  ["- a\n- b\n  - c\n\n    d", "<ul><li>a</li><li>b<ul><li><p>c</p><p>d</p></li></ul></li></ul>"],
  [
    "1. a\n   - x\n   - y\n\n2. b",
    "<ol><li><p>a</p><ul><li>x</li><li>y</li></ul></li><li><p>b</p></li></ol>",
  ],
])("if an item of a list is loose, all its items contain paragraphs: %j", async (mdx, html) => {
  const page = await buildPage(mdx);
  expect(mainOf(page.html).replace(/>\s+</g, "><")).toContain(html);
});

test.each([
  ["只有，**不**支持用户。", "只有，<strong>不</strong>支持用户。"],
  ["是**不**，也是*对*。", "是<strong>不</strong>，也是<em>对</em>。"],
  [
    "分为：**构造器（A）**和**订阅（B）**本身。",
    "分为：<strong>构造器（A）</strong>和<strong>订阅（B）</strong>本身。",
  ],
  ["他说**「好」**了，`**`和**「不」**了。", "他说<strong>「好」</strong>了"],
  ["| a | b |\n| - | - |\n| **一（A）**二 | **三** |", "<strong>一（A）</strong>二"],
  ["<div>**粗体：**文字 <b>x</b></div>", "<strong>粗体：</strong>文字"],
])("marks next to Chinese text open and close emphasis in turn: %j", async (mdx, html) => {
  expect(mainOf((await buildPage(mdx)).html)).toContain(html);
});

test.each([
  ['Use ["https://a.test/b"] or ["https://a.test/c"].', ["https://a.test/b", "https://a.test/c"]],
  ['Use ["https\\://a.test/b"] here.', ["https://a.test/b"]],
  ["Use 'https://a.test/b'.", ["https://a.test/b"]],
])("a bare URL ends before a quotation mark: %j", async (mdx, urls) => {
  const { html } = await buildPage(mdx);
  expect([...mainOf(html).matchAll(/href="(https:\/\/a[^"]*)"/g)].map(([, url]) => url)).toEqual(urls);
});

test("rows of a table that have too few cells get empty ones, up to a limit", async () => {
  const { html } = await buildPage("| a | b | c |\n| - | - | - |\n| 1 |\n| 1 | 2 | 3 |");
  expect(mainOf(html).match(/<td/g)).toHaveLength(6);
  const head = "| a ".repeat(1_000);
  const wide = await buildPage(`${head}|\n${"| - ".repeat(1_000)}|\n${"| 1 |\n".repeat(1_000)}`);
  expect(mainOf(wide.html).match(/<td/g)).toHaveLength(11_000);
});

test("badges on lines of their own are apart", async () => {
  const { html } = await buildPage('<a href="/a"><b>x</b></a>\n<a href="/b"><b>y</b></a>');
  expect(mainOf(html)).toMatch(/<\/a>\s<a [^>]*href="b"/);
});

test("the title of a definition is that of its links and images", async () => {
  const { html } = await buildPage('[a][x] and ![b][x]\n\n[x]: https://a.test/a.png "The title"');
  expect(mainOf(html).match(/title="The title"/g)).toHaveLength(2);
});

test.each([
  [
    "random bytes",
    Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256),
  ],
  ["UTF-16", new Uint8Array(Buffer.from("## Title\n\nText <b {", "utf16le"))],
  ["a PNG", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48])],
])("a page with binary content is one problem: %s", async (_, bytes) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "[a](/binary)", "binary.mdx": bytes }));
  expect(briefly(site.problems)).toEqual(["page-binary binary.mdx"]);
  expect(site.read("binary.html")).toMatch(/isn(?:'|&#39;|’)t UTF-8 text/);
});

test("text with a few invalid bytes is shown", async () => {
  const bytes = new Uint8Array(Buffer.from("Caf\u00e9 au lait, served with sugar and milk.", "latin1"));
  const site = await buildSiteFrom(siteOf({ "index.mdx": bytes }));
  expect(site.problems).toEqual([]);
  expect(site.read("index.html")).toContain("au lait");
});

test.each([
  ['title: !!js/function "function () {}"', 2, "The tag !!js/function has no effect"],
  ["title: A\ndescription: !secret b", 3, "The tag !secret has no effect"],
])("a YAML tag in frontmatter is reported: %j", async (frontmatter, line, message) => {
  const { problems } = await buildPage(`---\n${frontmatter}\n---\nText`);
  expect(problems).toMatchObject([{ code: "no-effect", line, message }]);
});
