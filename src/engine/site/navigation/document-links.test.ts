/** Links and images in the texts of OpenAPI documents are checked like those of pages. */

import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom } from "../../../../test/engine/build.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

function build(document: object, more: Record<string, string | Uint8Array> = {}): Promise<BuiltSite> {
  return buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: {
        tabs: [
          { tab: "Home", pages: ["index"] },
          { tab: "API", openapi: "api.json" },
        ],
      },
    }),
    "index.mdx": "# Home\n\n## Orders\n\nText.",
    "images/there.png": png,
    "api.json": JSON.stringify(document, null, 2),
    ...more,
  });
}

const shown = ({ problems }: BuiltSite) =>
  problems.map(({ code, file, line, message }) => `${code} ${file}${line ? ":line" : ""} ${message}`);

/** A document with a text at one place. */
const places: [place: string, document: (text: string) => object][] = [
  ["an operation", (description) => documentOf({ description })],
  ["a path item", (description) => documentOf({}, { description })],
  [
    "a parameter",
    (description) => documentOf({ parameters: [{ name: "a", in: "query", description, schema: {} }] }),
  ],
  ["a body", (description) => documentOf({ requestBody: { description, content: {} } })],
  ["a response", (description) => documentOf({ responses: { 200: { description } } })],
  [
    "a response header",
    (description) =>
      documentOf({
        responses: { 200: { description: "Fine", headers: { "X-A": { description, schema: {} } } } },
      }),
  ],
  ["a field", (description) => documentOf(bodyOf({ properties: { a: { type: "string", description } } }))],
  ["a deep field", (description) => documentOf(bodyOf(nested(7, { description })))],
  [
    "an alternative",
    (description) => documentOf(bodyOf({ oneOf: [{ title: "A", description }, { title: "B" }] })),
  ],
  [
    "a callback",
    (description) => documentOf({ callbacks: { done: { "{$url}": { post: { ...fine, description } } } } }),
  ],
  [
    "a security scheme",
    (description) => ({
      ...documentOf({ security: [{ key: [] }] }),
      components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "K", description } } },
    }),
  ],
  ["the document", (description) => ({ ...documentOf({}), info: { title: "T", version: "1", description } })],
  ["a tag", (description) => ({ ...documentOf({ tags: ["t"] }), tags: [{ name: "t", description }] })],
];

const fine = { responses: { 200: { description: "Fine" } } };

function documentOf(operation: object, item: object = {}): object {
  return {
    openapi: "3.0.3",
    info: { title: "T", version: "1" },
    paths: { "/a": { ...item, post: { summary: "A", ...fine, ...operation } } },
  };
}

function bodyOf(schema: object): object {
  return { requestBody: { content: { "application/json": { schema: { type: "object", ...schema } } } } };
}

function nested(levels: number, texts: object): object {
  const below = levels === 0 ? { type: "string", ...texts } : nested(levels - 1, texts);
  return { type: "object", properties: { [`level${levels}`]: below } };
}

describe.each(places)("in the description of %s", (_, document) => {
  test("dead links and missing images are reported once, with their position", async () => {
    const text = "See [this](/gone) and [this](/gone), ![Diagram](/images/gone.png) and [orders](/#nowhere).";
    expect(shown(await build(document(text))).sort()).toEqual([
      "dead-anchor api.json:line Anchor not found on /: #nowhere",
      "dead-link api.json:line Page not found: /gone",
      "missing-image api.json:line Image not found: /images/gone.png",
    ]);
  });

  test("others aren't reported", async () => {
    const text =
      "See [home](/), [orders](/#orders), [a file](/images/there.png), ![Diagram](/images/there.png) and <https://example.com/x>.";
    expect(shown(await build(document(text)))).toEqual([]);
  });
});

test("links to missing operations are reported in all texts", async () => {
  const document = documentOf({
    operationId: "known",
    description: "[a](#operation/known) [b](#operation/gone)",
    ...bodyOf({ properties: { a: { type: "string", description: "[c](#tag/gone) [d](#operation/known)" } } }),
  });
  expect(shown(await build(document))).toEqual([
    "dead-anchor api.json:line Anchor not found: #operation/gone",
    "dead-anchor api.json:line Anchor not found: #tag/gone",
  ]);
});

/** A document with a URL at one place. */
const urlPlaces: [place: string, document: (url: string) => object][] = [
  ["externalDocs of an operation", (url) => documentOf({ externalDocs: { url } })],
  ["externalDocs of a field", (url) => documentOf(bodyOf({ properties: { a: { externalDocs: { url } } } }))],
  ["externalDocs of a deep field", (url) => documentOf(bodyOf(nested(7, { externalDocs: { url } })))],
  ["externalDocs of the document", (url) => ({ ...documentOf({}), externalDocs: { url } })],
  [
    "externalDocs of a tag",
    (url) => ({ ...documentOf({ tags: ["t"] }), tags: [{ name: "t", externalDocs: { url } }] }),
  ],
  [
    "termsOfService",
    (url) => ({ ...documentOf({}), info: { title: "T", version: "1", termsOfService: url } }),
  ],
  [
    "externalValue of a parameter's example",
    (externalValue) =>
      documentOf({
        parameters: [{ name: "a", in: "query", schema: {}, examples: { a: { externalValue } } }],
      }),
  ],
  [
    "externalValue of a body's example",
    (externalValue) =>
      documentOf({ requestBody: { content: { "text/plain": { examples: { a: { externalValue } } } } } }),
  ],
];

describe.each(urlPlaces)("%s", (_, document) => {
  test.each([
    ["/gone", ["dead-link api.json:line Page not found: /gone"]],
    ["/#nowhere", ["dead-anchor api.json:line Anchor not found on /: #nowhere"]],
    ["javascript:alert(1)", ["dead-link api.json:line Links can't have this scheme: javascript:alert(1)"]],
    ["/#orders", []],
    ["https://example.com/x", []],
  ])("%s", async (url, wanted) => {
    expect(shown(await build(document(url)))).toEqual(wanted);
  });
});

test("links with unsafe schemes on pages are reported, too", async () => {
  const more = {
    "index.mdx": '# Home\n\n## Orders\n\n[a](javascript:x) <Card href="file:///x" title="a" />',
  };
  expect(shown(await build(documentOf({}), more))).toEqual([
    "dead-link index.mdx:line Links can't have this scheme: javascript:x",
    "dead-link index.mdx:line Links can't have this scheme: file:///x",
  ]);
});
