/** Answers in the dashboard: what their Markdown can and can't put on a page. */

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { AnswerMarkdown } from "./answer-markdown.tsx";

const html = (text: string, isAnswered = true) =>
  renderToString(h(AnswerMarkdown, { text, siteUrl: "https://docs.example.com", isAnswered })).replace(
    /^<div class="d-answer">|<\/div>$/g,
    "",
  );
const link = (href: string, text: string) =>
  `<p><a href="${href}" rel="noopener noreferrer nofollow">${text}</a></p>`;

test.each([
  ["**Bold**, `code` [1]", "<p><strong>Bold</strong>, <code>code</code> <sup>[1]</sup></p>"],
  ["## Install", "<p><strong>Install</strong></p>"],
  ["- One\n- Two", "<ul><li>One</li><li>Two</li></ul>"],
  ["```sh\n<b>\n```", '<pre tabindex="0"><code>&lt;b></code></pre>'],
  ["[Keys](/guides/keys)", link("https://docs.example.com/guides/keys", "Keys")],
  ["[Keys](guides/keys#a)", link("https://docs.example.com/guides/keys#a", "Keys")],
  ["[Other](https://example.org/x)", link("https://example.org/x", "Other")],
])("%j", (text, expected) => {
  expect(html(text)).toBe(expected);
});

test("a citation links to its source, if there is one", () => {
  const props = { text: "A [1] [2]", siteUrl: "https://docs.example.com", isAnswered: true };
  expect(renderToString(h(AnswerMarkdown, { ...props, sourceIds: ["source-1"] }))).toContain(
    '<p>A <sup><a href="#source-1">[1]</a></sup> <sup>[2]</sup></p>',
  );
});

test.each([
  ["[x](javascript:alert(1))", "<p>x</p>"],
  ["[x](JaVaScRiPt:alert)", "<p>x</p>"],
  ["[x](java\tscript:alert)", undefined],
  ["[x](data:text/html;base64,PHNjcmlwdD4=)", "<p>x</p>"],
  ["[x](vbscript:x)", "<p>x</p>"],
  ["[x](https://user:pass@evil.example)", "<p>x</p>"],
  ['[x](<https://a.example/"onmouseover=alert(1)>)', undefined],
  ["![pixel](https://evil.example/p.png)", "<p>pixel</p>"],
  ["<script>alert(1)</script>", "<p>&lt;script>alert(1)&lt;/script></p>"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)></p>"],
  ['<a href="javascript:alert(1)">x</a>', undefined],
  ["**<svg onload=alert(1)>**", "<p><strong>&lt;svg onload=alert(1)></strong></p>"],
  ["[<img src=x>](/a)", undefined],
  ["`</code><script>`", "<p><code>&lt;/code>&lt;script></code></p>"],
])("hostile: %j", (text, expected) => {
  const written = html(text);
  if (expected !== undefined) expect(written).toBe(expected);
  const tags = [...written.matchAll(/<([a-z]+)([^>]*)>/g)];
  for (const [, name, attributes] of tags) {
    expect(["p", "a", "span", "strong", "code", "em"]).toContain(name);
    expect(attributes).toMatch(/^(?: href="https?:\/\/[^"]*" rel="noopener noreferrer nofollow")?$/);
  }
});

test("a claim needs a source only in an answer", () => {
  expect(html("Keys expire. [?]")).toBe("<p>Keys expire. <sup>[no source]</sup></p>");
  expect(html("The documentation doesn't cover this. [?]", false)).not.toContain("source]");
});

test("deep and unclosed nesting ends", () => {
  expect(html(`${"> ".repeat(10_000)}x`).length).toBeLessThan(30_000);
  expect(html("[".repeat(20_000)).length).toBeLessThan(30_000);
  expect(html("**_".repeat(10_000)).length).toBeLessThan(200_000);
});
