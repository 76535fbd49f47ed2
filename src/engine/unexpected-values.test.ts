/**
 * Tests that a site is built and exported, whatever the values in docs.json, frontmatter, attributes and
 * OpenAPI documents are.
 */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../test/engine/build.ts";

/** Builds a site, and generates all of its pages, feeds and indexes. Returns the codes of its problems. */
async function codesOf(pages: Sources, settings: Record<string, unknown> = {}): Promise<string[]> {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Home", "b.mdx": "Page", ...pages }, settings));
  for (const file of site.paths) if (/\.(?:html|md|xml|txt)$|\/search\//.test(file)) site.read(file);
  return site.problems.map(({ code }) => code);
}

/** A value for which `String` throws. */
const noText = "{ toString: 1 }";

describe("frontmatter", () => {
  test.each([
    [`keywords: [${noText}]`, []],
    ["icon: { name: 5 }", ["frontmatter-value"]],
    ["contextual: { options: [null] }", ["frontmatter-value"]],
    ["contextual: { options: [{ title: a }] }", ["frontmatter-value"]],
    ["__proto__: { title: { a: 1 } }", []],
    ['canonical: /elsewhere\ncontextual: { options: [{ title: a, href: "https://a.example/?m=$mcp" }] }', []],
  ])("%s", async (frontmatter, codes) => {
    expect(await codesOf({ "index.mdx": `---\n${frontmatter}\n---\n\nText` })).toEqual(codes);
  });
});

describe("docs.json", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      "an icon's name is a number",
      { navigation: { groups: [{ group: "A", icon: { name: 5 }, pages: ["index", "b"] }] } },
      ["config-value"],
    ],
    ...["constructor", "__proto__"].flatMap((name): [string, Record<string, unknown>, string[]][] => [
      [
        `a version is called ${name}`,
        { navigation: { versions: [{ version: name, pages: ["index", "b"] }] } },
        [],
      ],
      [
        `a language is called ${name}`,
        { navigation: { languages: [{ language: name, pages: ["index", "b"] }] } },
        ["config-value"],
      ],
    ]),
    [
      "a redirect has a lone surrogate",
      { redirects: [{ source: "/\ud800", destination: "/b\ud800" }] },
      ["dead-link"],
    ],
    ["a link has a lone surrogate", { navbar: { links: [{ label: "A", href: "/\ud800" }] } }, ["dead-link"]],
  ])("%s", async (_name, settings, codes) => {
    expect(await codesOf({}, settings)).toEqual(codes);
  });

  test("a page's text is cut inside a character for a URL", async () => {
    const options = [{ title: "Ask", href: "https://a.example/?q=$page" }];
    expect(
      await codesOf({ "index.mdx": `${"x".repeat(3_999)}${"😀".repeat(9)}` }, { contextual: { options } }),
    ).toEqual([]);
    expect(await codesOf({ "index.mdx": `a${"😀".repeat(4_000)}` }, { contextual: { options } })).toEqual([]);
  });
});

test.each([
  `<Update label={${noText}}>Text</Update>`,
  `<Update label="A" tags={[${noText}]} rss={{ title: ${noText}, description: 5 }}>Text</Update>`,
  `<CodeBlock language="js" highlight={[${noText}]}>a</CodeBlock>`,
  `<Card title="A" icon={{ name: ${noText} }} />`,
  `<svg><animate attributeName={${noText}} /></svg>`,
  `<Prompt description="A" actions={["cursor"]}>a{"😀".repeat(5_000)}</Prompt>`,
  '## A{"\\ud800"}\n\n[a](</b{"\\ud800"}>)',
])("an attribute: %s", async (mdx) => {
  expect(await codesOf({ "index.mdx": `---\nrss: true\n---\n\n${mdx}` })).not.toContain("page-crashed");
});

test.each<[string, object]>([
  ["the version is an object", { openapi: { toString: 1 }, paths: {} }],
  [
    "the variable of a server is an object",
    {
      servers: [
        { url: "https://{a}", variables: { a: { default: { toString: 1 }, enum: [{ toString: 1 }] } } },
      ],
    },
  ],
  [
    "a summary has a lone surrogate",
    { paths: { "/a": { get: { summary: "A\ud800", responses: { 200: { description: "A" } } } } } },
  ],
])("an OpenAPI document: %s", async (_name, parts) => {
  const paths = { "/a": { get: { responses: { 200: { description: "A" } } } } };
  const document = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths, ...parts };
  const navigation = {
    tabs: [
      { tab: "A", pages: ["index", "b"] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  expect(await codesOf({ "api.json": JSON.stringify(document) }, { navigation })).not.toContain(
    "page-crashed",
  );
});
