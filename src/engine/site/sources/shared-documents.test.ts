/** Tests OpenAPI documents that several pages or languages use. */

import { expect, test } from "vitest";
import { briefly, buildSiteFrom, mainOf, siteOf } from "../../../../test/engine/build.ts";

test("a document that can't be read gives one problem, not one for each page", async () => {
  const pages = {
    "a.mdx": "---\nopenapi: GET /a\n---\n",
    "b.mdx": "---\nopenapi: api.yaml GET /b\n---\n",
    "c.mdx": "---\nopenapi-schema: C\n---\n",
  };
  const navigation = { groups: [{ group: "Pages", pages: ["a", "b", "c", "GET /d"], openapi: "api.yaml" }] };
  const site = await buildSiteFrom(
    siteOf({ ...pages, "api.yaml": "openapi: 3.1.0\n  info: [" }, { navigation }),
  );
  expect(briefly(site.problems)).toEqual([expect.stringMatching(/^openapi-syntax api\.yaml/)]);
  const missing = await buildSiteFrom(siteOf({ "a.mdx": pages["a.mdx"] }));
  expect(briefly(missing.problems)).toEqual(["openapi-operation-missing a.mdx:2"]);
});

test("a document in two languages has one page for each operation, which both list", async () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/x": { get: { summary: "Get x", responses: { 200: { description: "OK" } } } } },
  };
  const language = (code: string, page: string) => ({
    language: code,
    groups: [
      { group: `API ${code}`, openapi: "api.json" },
      { group: "Guide", pages: [page] },
    ],
  });
  const site = await buildSiteFrom(
    siteOf(
      {
        "index.mdx": "[x](/api-reference/get-x)",
        "fr/index.mdx": "Texte.",
        "api.json": JSON.stringify(document),
      },
      { navigation: { languages: [language("en", "index"), language("fr", "fr/index")] } },
    ),
    { origin: "https://docs.example.com" },
  );
  expect(site.problems).toEqual([]);
  expect(site.paths.filter((file) => /^api-reference\/.*\.html$/.test(file))).toEqual([
    "api-reference/get-x.html",
  ]);
  expect(mainOf(site.read("api-reference/get-x.html"))).toContain("Get x");
  expect(site.read("api-reference/get-x.html")).not.toContain("hreflang");
  expect(site.read("fr.html")).toContain('href="api-reference/get-x.html"');
});

test("the menu of versions leads to the same operation in a different document", async () => {
  const document = (summary: string) => ({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/x": { get: { summary, responses: { 200: { description: "OK" } } } } },
  });
  const version = (name: string) => ({
    version: name,
    groups: [{ group: `API ${name}`, openapi: { source: `${name}.json`, directory: name } }],
  });
  const site = await buildSiteFrom(
    siteOf(
      { "v1.json": JSON.stringify(document("Get x")), "v2.json": JSON.stringify(document("Read x")) },
      { navigation: { versions: [version("v2"), version("v1")] } },
    ),
  );
  expect(site.read("v2/read-x.html")).toContain('href="../v1/get-x.html"');
});
