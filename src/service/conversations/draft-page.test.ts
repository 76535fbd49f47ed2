import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { draftPage } from "./draft-page.ts";

const sections = [{ title: "Keys", url: "https://docs.example.com/keys#rotate" }];

test("a draft has the questions as headings, and links to related sections", () => {
  const draft = draftPage(
    [
      { question: "How do I rotate a key?", others: ["rotate keys"] },
      { question: "New key when?", others: [] },
    ],
    sections,
  );
  expect(draft.name).toBe("how-do-i-rotate-a-key.mdx");
  expect(draft.content).toBe(`---
title: "How do I rotate a key?"
---

{/* Draft from questions that the assistant couldn't answer. Reword the title and the headings, and add the page to docs.json. */}

## How do I rotate a key?

{/* Also asked as: “rotate keys” */}

## New key when?

{/* Write the answer here. */}

## Related pages

- [Keys](/keys#rotate)
`);
});

test.each([
  "import fs from 'fs'; <script>alert(1)</script> {process.exit()}",
  "` a@b<!-- c",
  "--> {1+1} <img src='https://evil.example/a.png'/> [click](https://evil.example) <b>{6*7}</b>",
  "<!-- [click](https://evil.example) {1+1} <b>bold</b>",
  "How ` https://a.b<!-- c",
  "Two https://a.b/-->{1+1}[click](https://evil.example)<b>{6*7}</b> c",
  "*/} <Card onClick={x}> ${y} `z` {/* --- \n---\n# a",
  '"title": [x](javascript:alert(1)) ![i](//evil.example/x.png) \\ & < | _a_ ~~b~~ $x$ #',
  "<https://evil.example> https://evil.example/ www.evil.example a@evil.example :smile: {{x}}",
  "\u202e\u0000\ud800 ???",
])("questions of readers are text in a draft: %j", async (question) => {
  const { name, content } = draftPage(
    [{ question, others: [question] }],
    [{ title: question, url: `https://docs.example.com/keys#${question}` }],
  );
  expect(name).toMatch(/^[\p{L}\p{N}-]{1,60}\.mdx$/u);
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": content, "keys.mdx": "---\ntitle: Keys\n---\n\nText.\n" }),
  );
  expect(site.problems.filter(({ code }) => code !== "dead-anchor")).toEqual([]);
  const article = /<article[\s\S]*<\/article>/.exec(site.read("index.html"))![0];
  expect(article).not.toMatch(
    /<script>alert|<\w[^>]*\sonclick=|<img|href="(?:javascript|mailto|https?:\/\/(?:www\.)?evil)|<em>a<|<del>|<math|also asked as/i,
  );
  expect(article.match(/<h2/g)).toHaveLength(2);
});

test("questions can't open a comment that another one closes", async () => {
  const attack =
    "--> {1+1} <img src='https://evil.example/a.png'/> [click](https://evil.example) <b>{6*7}</b>";
  const { content } = draftPage(
    [
      { question: "Why ` a@b<!--", others: [attack] },
      { question: "How ` https://a.b<!-- c", others: [] },
      { question: `Two https://a.b/${attack}`, others: ["a --> b"] },
    ],
    [],
  );
  const site = await buildSiteFrom(siteOf({ "index.mdx": content }));
  expect(site.problems).toEqual([]);
  const article = /<article[\s\S]*<\/article>/.exec(site.read("index.html"))![0];
  expect(article.match(/<h2/g)).toHaveLength(3);
  expect(article).not.toMatch(/<img|href="https:|<b>|also asked as/i);
});

test("variables of docs.json aren't filled in where a question has their marks", async () => {
  const question =
    "Is {{secret}} at https://a.example/{{secret}} or {{{secret}}} or {{ secret }}@a.example or `{{secret}}`?";
  const { content } = draftPage(
    [{ question, others: [question] }],
    [{ title: question, url: "https://docs.example.com/keys#{{secret}}" }],
  );
  const site = await buildSiteFrom(
    siteOf(
      { "index.mdx": content, "keys.mdx": "---\ntitle: Keys\n---\n\nText.\n" },
      { variables: { secret: "filled-in", x: "y" } },
    ),
  );
  expect(site.problems.filter(({ code }) => code !== "dead-anchor")).toEqual([]);
  for (const file of site.paths)
    if (/\.(html|md|json|xml|txt)$/.test(file)) expect(site.read(file), file).not.toContain("filled-in");
});
