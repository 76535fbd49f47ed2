/**
 * Tests the effects of `api.*` in docs.json, of frontmatter keys and of vendor extensions on reference pages,
 * and their structured data.
 */

import { describe, expect, test } from "vitest";
import { type BuiltSite, briefly, buildSiteFrom } from "../../../../test/engine/build.ts";

const fine = { responses: { 200: { description: "Fine" } } };

function document(operation: object = {}, more: object = {}): string {
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://api.example.com/v1" }],
    paths: { "/users": { get: { ...fine, summary: "List", ...operation } } },
    ...more,
  });
}

async function build(
  api: object,
  text = document(),
  more: object = {},
  files: Record<string, string> = {},
): Promise<BuiltSite> {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index", ...Object.keys(files).map((file) => file.replace(".mdx", ""))] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  const docs = { theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation, api, ...more };
  return buildSiteFrom({
    "index.mdx": "Home",
    "docs.json": JSON.stringify(docs),
    "api.json": text,
    ...files,
  });
}

const pageOf = (site: BuiltSite, route = "api-reference/list") => site.read(`${route}.html`);
const textOf = (html: string) => html.replace(/<[^>]*>/g, "");

/** The settings of the page's playground; undefined without a playground. */
function playgroundOf(site: BuiltSite): Record<string, unknown> | undefined {
  const file = site.paths.find((path) => /_octavo\/api\/.*\/operation-/.test(path));
  return file && JSON.parse(/^octavoOperation\((.*)\)\n$/s.exec(site.read(file))![1]!).settings;
}

describe("the playground", () => {
  const rows: [row: string, api: object, operation: object, mode: string | undefined][] = [
    ["by default", {}, {}, "interactive"],
    ["simple", { playground: { display: "simple" } }, {}, "simple"],
    ["none", { playground: { display: "none" } }, {}, undefined],
    ["auth, without sign-in", { playground: { display: "auth" } }, {}, undefined],
    ["none, set by the operation", {}, { "x-platform": { metadata: { playground: "none" } } }, undefined],
    [
      "interactive, set by the operation",
      { playground: { display: "none" } },
      { "x-mint": { metadata: { playground: "interactive" } } },
      "interactive",
    ],
    ["no server", {}, { servers: [] }, "simple"],
  ];
  test.each(rows)("%s", async (_, api, operation, mode) => {
    const site = await build(api, document(operation));
    expect(playgroundOf(site)?.["mode"]).toBe(mode);
    expect(pageOf(site).includes("Try it")).toBe(mode !== undefined);
  });

  test("the frontmatter of a page sets its own mode", async () => {
    const files = { "own.mdx": "---\ntitle: Own\nopenapi: GET /users\nplayground: none\n---\n" };
    const site = await build({}, document(), {}, files);
    expect([pageOf(site, "own").includes("Try it"), pageOf(site).includes("Try it")]).toEqual([false, true]);
  });

  test.each([
    ["by default", {}, { proxy: true, credentials: false, prefill: false }],
    [
      "without the proxy",
      { playground: { proxy: false, credentials: true } },
      { proxy: false, credentials: true },
    ],
    ["with examples", { examples: { prefill: true } }, { prefill: true }],
  ])("%s", async (_, api, settings) => {
    expect(playgroundOf(await build(api))).toMatchObject(settings);
  });

  test.each([
    ["without the proxy", { playground: { proxy: false } }],
    ["where requests are only shown", { playground: { display: "simple" } }],
  ])("the site's server sends nothing %s", async (_, api) => {
    expect(JSON.parse((await build(api)).read("_octavo/proxy.json"))).toEqual({});
  });

  test("the site's server sends to declared servers only: each value of an enum, else the default", async () => {
    const variable = (name: string, more: object) => ({
      url: `https://{${name}}.example.com`,
      variables: { [name]: { default: "eu", ...more } },
    });
    const site = await build(
      {},
      document({ servers: [variable("region", { enum: ["eu", "us"] }), variable("team", {})] }),
    );
    expect(Object.values(JSON.parse(site.read("_octavo/proxy.json")))).toEqual([
      ["https://eu.example.com", "https://us.example.com"],
    ]);
  });
});

describe("samples", () => {
  const labels = (html: string) =>
    /data-example="request"[\s\S]*?(?=data-example="response"|<\/aside>|$)/.exec(html)![0];
  const optional = { parameters: [{ in: "query", name: "limit", schema: { type: "integer", default: 7 } }] };

  test("languages in the configured order, by key or alias", async () => {
    const html = labels(
      pageOf(await build({ examples: { languages: ["TS", "nothing", "golang", "curl"] } })),
    );
    const at = ["TypeScript", "Go", "cURL"].map((label) => html.indexOf(label));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at.every((place) => place >= 0)).toBe(true);
    expect(html).not.toMatch(/Python|nothing/);
  });

  test("only required parameters", async () => {
    expect(textOf(labels(pageOf(await build({}, document(optional)))))).toContain("limit=7");
    expect(
      textOf(labels(pageOf(await build({ examples: { defaults: "required" } }, document(optional))))),
    ).not.toContain("limit=7");
  });

  test("only the document's samples", async () => {
    const own = { "x-codeSamples": [{ lang: "bash", source: "mine" }] };
    const html = pageOf(await build({ examples: { autogenerate: false } }, document(own)));
    expect(html).toContain("mine");
    expect(html).not.toMatch(/import requests|Python/);
    expect(pageOf(await build({ examples: { autogenerate: false } }))).not.toMatch(/data-example="request"/);
  });
});

describe("fields", () => {
  const nested = {
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              user: {
                type: "object",
                "x-seen": "inside",
                "x-new": true,
                properties: { nick: { type: "string" } },
              },
            },
          },
        },
      },
    },
  };

  test("initially collapsed or expanded", async () => {
    const fold = (html: string) => /<details class="o-expandable expandable"[^>]*>/.exec(html)![0];
    expect(fold(pageOf(await build({}, document(nested))))).not.toContain("open");
    expect(fold(pageOf(await build({ params: { expanded: "all" } }, document(nested))))).toContain("open");
  });

  test("labels that docs.json sets", async () => {
    const html = pageOf(await build({ params: { post: ["x-new", "x-seen"] } }, document(nested)));
    expect(html).toMatch(/>x-new<\/span>\s*<span[^>]*>inside</);
  });

  const pills: [value: unknown, shown: string[], reported: boolean][] = [
    [0, ["0"], false],
    [-2.5, ["-2.5"], false],
    [true, ["x-p"], false],
    [false, [], false],
    ["", [], false],
    [["a", 1, true], ["a", "1"], false],
    [{ since: "2" }, [], true],
    [["a", { since: "2" }], ["a"], true],
  ];
  test.each(pills)("the value %j of a key in api.params.post", async (value, shown, reported) => {
    const parameters = [{ in: "query", name: "q", schema: { type: "string", "x-p": value } }];
    const site = await build({ params: { post: ["x-p"] } }, document({ parameters }));
    expect([...pageOf(site).matchAll(/o-field-pill">([^<]*)/g)].map(([, text]) => text)).toEqual(shown);
    expect(briefly(site.problems)).toEqual(reported ? ["openapi-pill api.json"] : []);
  });

  test("the URL of the server, always if configured", async () => {
    const endpoint = async (api: object) => pageOf(await build(api)).includes("Base URL");
    expect([await endpoint({}), await endpoint({ url: "full" })]).toEqual([false, true]);
  });
});

describe("navigation", () => {
  test.each([
    ["group", { groups: [{ group: "G", openapi: "api.json", pages: [{ group: "H", pages: ["index"] }] }] }],
    ["tab", { tabs: [{ tab: "A", openapi: "api.json", groups: [{ group: "Start", pages: ["index"] }] }] }],
  ])("a %s with a document and groups has the operations after them", async (_, navigation) => {
    const site = await build({}, document(), { navigation });
    expect(briefly(site.problems)).toEqual([]);
    expect(site.read("llms.txt")).toMatch(/index\.md[\s\S]*api-reference\/list\.md/);
  });
});

test("reference pages have structured data of the type APIReference", async () => {
  const site = await build({}, document(), { seo: { metatags: { canonical: "https://docs.example.com" } } });
  expect(pageOf(site)).toContain('"APIReference"');
});
