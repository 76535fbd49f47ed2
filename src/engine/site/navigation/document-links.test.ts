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
  ["a deep field", (description) => documentOf(bodyOf(nested(7, description)))],
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

function nested(levels: number, description: string): object {
  const below = levels === 0 ? { type: "string", description } : nested(levels - 1, description);
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
