/**
 * Tests API pages: generated pages (routes, groups, file names), pages that name or describe an operation,
 * and the download of documents.
 */

import { dump, load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { type BuiltSite, briefly, buildSiteFrom, mainOf } from "../../../../test/engine/build.ts";
import { openIndex } from "../../../../test/engine/open-index.ts";
import { filesFrom } from "../../../base/files.ts";
import { readRedirectTable, resolvePath } from "../../../host/resolve-path.ts";
import { MemoryStore } from "../../incremental/store.ts";
import type { ExportTarget } from "../../plan/export-target.ts";
import { buildSite } from "../build-site.ts";

type Operations = Record<string, Record<string, unknown>>;

const fine = { responses: { 200: { description: "Fine" } } };

function document(paths: Operations, more: Record<string, unknown> = {}): string {
  const filled = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, { ...fine, ...(operation as object) }]),
      ),
    ]),
  );
  return JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths: filled, ...more });
}

function build(
  files: Record<string, string>,
  navigation: unknown,
  settings: Record<string, unknown> = {},
  target: Partial<ExportTarget> = {},
): Promise<BuiltSite> {
  const docs = { theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation, ...settings };
  return buildSiteFrom(
    { "index.mdx": "---\ntitle: Home\n---\nHome", "docs.json": JSON.stringify(docs), ...files },
    target,
  );
}

const tab = (openapi: unknown, more: object = {}) => ({
  tabs: [
    { tab: "Home", pages: ["index"] },
    { tab: "API", openapi, ...more },
  ],
});

/** Routes of all pages except the home page. */
function routes({ paths }: BuiltSite): string[] {
  return paths
    .filter((path) => path.endsWith(".md") && path !== "index.md" && !path.startsWith("_octavo/"))
    .map((path) => path.slice(0, -3))
    .sort();
}

function titleOf(site: BuiltSite, route: string): string {
  return /^# (.*)/.exec(site.read(`${route}.md`))![1]!;
}

/** The groups and entries in the sidebar of a page. */
function sidebar(site: BuiltSite, route: string): string {
  const nav =
    /<nav[^>]*id="sidebar[\s\S]*?<\/nav>|<aside[^>]*id="sidebar[\s\S]*?<\/aside>|id="sidebar"[\s\S]*?<\/nav>/.exec(
      site.read(`${route}.html`),
    )![0];
  return [...nav.matchAll(/<p><span>([^<]*)|<b class="o-m[^>]*>([^<]*)<\/b><span>(?:<[^>]*>)*([^<]*)/g)]
    .map(([, group, method, label]) => (group ? `${group}:` : `${method} ${label}`))
    .join(" | ");
}

async function routesOf(paths: Operations, more: Record<string, unknown> = {}): Promise<string[]> {
  return routes(await build({ "api.json": document(paths, more) }, tab("api.json")));
}

describe("routes", () => {
  const rows: [row: string, path: string, operation: string, body: object, route: string, title?: string][] =
    [
      [
        "1",
        "/users",
        "get",
        { tags: ["user-management"], summary: "List users" },
        "user-management/list-users",
        "List users",
      ],
      [
        "2",
        "/users",
        "post",
        { tags: ["user-management"], summary: "Create a user (beta)" },
        "user-management/create-a-user-beta",
      ],
      [
        "3",
        "/users/{id}",
        "get",
        { tags: ["user-management"] },
        "user-management/get-users",
        "GET /users/{id}",
      ],
      [
        "4",
        "/users/{id}",
        "delete",
        { tags: ["user-management"], summary: "Delete user's data" },
        "user-management/delete-users-data",
      ],
      ["5", "/users/{id}", "patch", {}, "patch-users", "PATCH /users/{id}"],
      [
        "6",
        "/v1/orders/{orderId}/items/{itemId}",
        "get",
        {},
        "get-v1orders-items",
        "GET /v1/orders/{orderId}/items/{itemId}",
      ],
      [
        "7",
        "/x",
        "put",
        { tags: ["Billing & Plans"], summary: "Update  order item" },
        "billing-&-plans/update-order-item",
      ],
      ["8", "/", "get", {}, "get-root", "GET /"],
      ["15", "/x", "get", { summary: "Get A/B ratio: 50% & more, ok?" }, "get-ab-ratio:-50%-&-more-ok"],
      ["16", "/under_score-name.json", "get", {}, "get-under_score-namejson", "GET /under_score-name.json"],
      [
        "17",
        "/x",
        "get",
        { summary: "Café ñandú 日本語 🚀 -- test --- x" },
        "café-ñandú-日本語-🚀--test---x",
      ],
      ["18", "/x", "get", { tags: ["B", "A"], summary: "X" }, "b/x"],
      ["19", "/x", "get", { tags: ["Admin/Users v1.0 (new)"], summary: "X" }, "adminusers-v10-new/x"],
      ["20", "/x", "get", { summary: "Get {id} thing" }, "get--thing"],
      ["21", "/opid", "get", { operationId: "theName" }, "get-opid", "GET /opid"],
      ["22", "/empty", "get", { summary: "" }, "get-empty", "GET /empty"],
      ["a tag of dots", "/x", "get", { tags: [".."], summary: "X" }, "x"],
      ["a slash as tag", "/x", "get", { tags: ["/"], summary: "../../etc" }, "etc"],
      ["a control character", "/x", "get", { summary: "a\u0000b\\c" }, "abc"],
    ];
  test.each(rows)("%s: %s", async (_, path, method, body, route, title) => {
    const files = { "api.json": document({ [path]: { [method]: body } }) };
    // With clean URLs, the URL path of a page is its route. In a bundle, file names can differ from the
    // route.
    const site = await build(files, tab("api.json"), {}, { kind: "cloud", links: "clean" });
    expect(routes(site)).toEqual([`api-reference/${route}`]);
    if (title) expect(titleOf(site, `api-reference/${route}`)).toBe(title);
  });

  test("equal names in one folder are numbered, regardless of case", async () => {
    const paths = {
      "/a": { get: { summary: "Same name" } },
      "/b": { get: { summary: "Same name" } },
      "/c": { get: { summary: "same name" } },
      "/d": { get: { summary: "Same Name", tags: ["user-management"] } },
    };
    expect(await routesOf(paths)).toEqual([
      "api-reference/same-name",
      "api-reference/same-name-1",
      "api-reference/same-name-2",
      "api-reference/user-management/same-name",
    ]);
  });

  test("an operation with x-hidden or x-excluded has no page, no group and no navigation entry", async () => {
    const site = await build(
      {
        "api.json": document({
          "/a": { get: { summary: "Seen" } },
          "/b": { get: { summary: "Secret canary", "x-hidden": true, tags: ["Ghost"] } },
          "/c": { get: { summary: "Secret canary", "x-excluded": true } },
        }),
      },
      tab("api.json"),
    );
    expect(routes(site)).toEqual(["api-reference/seen"]);
    const all = site.paths
      .filter((path) => !path.endsWith("api.json"))
      .map((path) => site.read(path))
      .join("\n");
    expect(all).not.toMatch(/Secret canary|Ghost/);
  });

  test("x-platform.href is the whole path of the page; x-mint is an alias of x-platform", async () => {
    const site = await build(
      {
        "api.json": document({
          "/a": {
            get: { summary: "Href op", "x-platform": { href: "/deprecated-endpoints/Legacy-Endpoint" } },
          },
          "/b": { get: { summary: "Other", "x-mint": { href: "legacy" } } },
        }),
      },
      tab("api.json"),
    );
    expect(routes(site)).toEqual(["deprecated-endpoints/legacy-endpoint", "legacy"]);
    expect(titleOf(site, "deprecated-endpoints/legacy-endpoint")).toBe("Href op");
    expect(sidebar(site, "legacy")).toBe("API Reference: | GET Href op | GET Other");
  });

  const href = (address: string) => ({ get: { "x-platform": { href: address } } });

  test("equal hrefs are numbered, which is reported", async () => {
    const site = await build(
      { "api.json": document({ "/a": href("/a/b/Same"), "/b": href("/a/b/same") }) },
      tab("api.json"),
    );
    expect(routes(site)).toEqual(["a/b/same", "a/b/same-1"]);
    expect(site.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "openapi-href /a/b/same is already used by GET /a, so GET /b is at /a/b/same-1",
    ]);
  });

  test.each([
    ["/index", "openapi-route-taken docs.json:1", []],
    ["/guides/index", undefined, ["guides"]],
  ])("an href that ends with index is normalized: %s", async (address, brief, expected) => {
    const site = await build({ "api.json": document({ "/a": href(address) }) }, tab("api.json"));
    expect(briefly(site.problems)).toEqual(brief ? [brief] : []);
    expect(routes(site)).toEqual(expected);
  });

  test("an href of /index is the home page of a site that has none", async () => {
    const docs = {
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { openapi: "api.json" },
    };
    const site = await buildSiteFrom({
      "docs.json": JSON.stringify(docs),
      "api.json": document({ "/a": href("/index") }),
    });
    expect(site.read("index.html")).toContain("GET /a");
  });

  test("an absolute href is a link in the navigation, not a page", async () => {
    const site = await build(
      {
        "api.json": document({
          "/a": { get: { summary: "A" } },
          "/b": { get: { summary: "B", "x-platform": { href: "https://example.com/b" } } },
        }),
      },
      tab("api.json"),
    );
    expect(routes(site)).toEqual(["api-reference/a"]);
    expect(site.read("api-reference/a.html")).toContain('href="https://example.com/b"');
  });

  test.each(["javascript:alert(1)", "//evil.example", "/../../x", "data:text/html,x"])(
    "href %s is dropped and reported",
    async (href) => {
      const site = await build(
        { "api.json": document({ "/a": { get: { summary: "A", "x-platform": { href } } } }) },
        tab("api.json"),
      );
      expect(routes(site)).toEqual(["api-reference/a"]);
      expect(briefly(site.problems)).toEqual(["openapi-href api.json"]);
    },
  );

  test("a webhook with a long summary is named by its key, and shows the summary", async () => {
    const summary = `This event occurs when a rule is created. See "[About rules](https://example.com)". ${"More text about it. ".repeat(3)}`;
    const post = { summary, description: "A rule was created.", responses: { 200: { description: "OK" } } };
    const other = { get: { summary, responses: { 200: { description: "OK" } } } };
    const site = await build(
      {
        "api.json": document({ "/a": other }, { webhooks: { "rule-created": { post } } }),
        "own.mdx": "---\nopenapi: api.json webhook rule-created\n---\n",
      },
      tab("api.json", { pages: ["own", "webhook rule-created"] }),
    );
    const pages = ["own", "api-reference/rule-created"].filter((at) => site.paths.includes(`${at}.md`));
    expect(pages).not.toEqual([]);
    for (const page of pages) {
      const html = site.read(`${page}.html`);
      expect(html).toMatch(/<h1[^>]*>Rule.created|<h1[^>]*>Own/i);
      expect(html).toContain('<a href="https://example.com"');
      expect(site.read(`${page}.md`)).toContain("This event occurs when a rule is created.");
    }
  });

  test("webhooks are named by their key or their summary", async () => {
    const webhooks = {
      orderUpdated: { post: fine },
      "plant.created": { post: { ...fine, summary: "Plant created", tags: ["Hooks"] } },
    };
    const site = await build({ "api.json": document({}, { webhooks }) }, tab("api.json"));
    expect(routes(site)).toEqual(["api-reference/hooks/plant-created", "api-reference/orderupdated"]);
    expect(titleOf(site, "api-reference/orderupdated")).toBe("Orderupdated");
    expect(titleOf(site, "api-reference/hooks/plant-created")).toBe("Plant created");
  });

  const products = document({ "/products": { get: { summary: "List products", tags: ["Products"] } } });

  test("a document with its own directory", async () => {
    const site = await build({ "api.json": products }, tab({ source: "api.json", directory: "prod" }));
    expect(routes(site)).toEqual(["prod/products/list-products"]);
  });

  test.each([
    ["", "products/list-products"],
    ["/ref/", "ref/products/list-products"],
  ])("directory %j determines the route", async (directory, route) => {
    expect(routes(await build({ "api.json": products }, tab({ source: "api.json", directory })))).toEqual([
      route,
    ]);
  });

  test("two documents never share a route", async () => {
    const users = document({ "/users": { get: { summary: "List users", tags: ["Users"] } } });
    const site = await build(
      { "a.json": users, "b.json": users },
      {
        tabs: [
          { tab: "Home", pages: ["index"] },
          { tab: "A", openapi: "a.json" },
          { tab: "B", openapi: "b.json" },
        ],
      },
    );
    expect(routes(site)).toEqual(["api-reference/users/list-users", "api-reference/users/list-users-1"]);
  });

  test("an entry without the trailing slash of its path", async () => {
    const site = await build(
      { "api.json": document({ "/orders/": { get: { summary: "Orders" } } }) },
      tab("api.json", { pages: ["GET /orders"] }),
    );
    expect(routes(site)).toEqual(["api-reference/orders"]);
    expect(site.read("api-reference/orders.md")).toContain("GET /orders/");
  });

  test("a child's own document does not take the parent's directory, and the parent still has its pages", async () => {
    const v1 = document({ "/old": { get: { summary: "Old" } } });
    const site = await build(
      { "v1.json": v1, "v2.json": products },
      tab(
        { source: "v1.json", directory: "ref" },
        { groups: [{ group: "G", openapi: "v2.json", pages: ["GET /products"] }] },
      ),
    );
    expect(routes(site)).toEqual(["api-reference/products/list-products", "ref/old"]);
  });
});

describe("which pages are generated", () => {
  const two = document({
    "/a": { get: { summary: "A" }, delete: { summary: "Delete A" }, post: { summary: "Post A" } },
    "/b": { get: { summary: "B" } },
  });

  test("shows the method of an operation without a summary once", async () => {
    const site = await build(
      { "api.json": document({ "/a": { get: {} }, "/b": { delete: {} } }) },
      tab("api.json"),
    );
    expect(sidebar(site, "api-reference/get-a")).toBe("API Reference: | GET /a | DEL /b");
  });

  test("an element without pages gets all operations, methods in their fixed order", async () => {
    const site = await build({ "api.json": two }, tab("api.json"));
    expect(sidebar(site, "api-reference/a")).toBe(
      "API Reference: | GET A | POST Post A | DEL Delete A | GET B",
    );
  });

  test("if some operations are listed, no pages are generated for the others", async () => {
    const site = await build(
      { "api.json": two },
      tab("api.json", { groups: [{ group: "G", pages: ["GET /a"] }] }),
    );
    expect(routes(site)).toEqual(["api-reference/a"]);
  });

  const group = (pages: unknown[], more: object = {}) => ({
    groups: [{ group: "G", openapi: "api.json", pages, ...more }],
  });
  test.each([
    ["ordinary pages", group(["index", "x"])],
    ["a root page", group(["index"], { root: "x" })],
    ["groups", group([{ group: "H", pages: ["index", { group: "I", pages: ["x"] }] }])],
    ["pages of a tab", tab("api.json", { pages: ["x"] })],
    ["pages of an anchor", { anchors: [{ anchor: "API", openapi: ["api.json"], pages: ["index", "x"] }] }],
    ["pages of a dropdown", { dropdowns: [{ dropdown: "API", openapi: "api.json", pages: ["index", "x"] }] }],
    ["pages of a version", { versions: [{ version: "1", openapi: "api.json", pages: ["index", "x"] }] }],
    ["pages of the navigation", { openapi: "api.json", pages: ["index", "x"] }],
  ])("with %s, the pages of all operations follow", async (_, navigation) => {
    const site = await build({ "api.json": two, "x.mdx": "X" }, navigation);
    expect(briefly(site.problems)).toEqual([]);
    expect(sidebar(site, "api-reference/a")).toMatch(/(^|\| )GET A \| POST Post A \| DEL Delete A \| GET B$/);
    expect(site.read("api-reference/a.html")).toContain("<span>API Reference</span>");
  });

  test("an operation that the division lists isn't repeated below it", async () => {
    const pages = [
      "index",
      "api.json POST /a",
      { group: "H", pages: ["api.json GET /b", "other", "api-reference/a"] },
    ];
    const files = {
      "api.json": two,
      "other.mdx": "---\nopenapi: DELETE /a\n---\n",
      "api-reference/a.mdx": "---\ntitle: Own\n---\nX",
    };
    const site = await build(files, group(pages));
    expect(briefly(site.problems)).toEqual([]);
    expect(routes(site)).toEqual(["api-reference/a", "api-reference/b", "api-reference/post-a", "other"]);
    expect(site.read("api-reference/b.html")).not.toContain("API Reference");
  });

  test.each([
    ["in a group", group(["index", "GET /b"])],
    ["in a group below it", group(["index", { group: "H", pages: ["GET /b"] }])],
  ])("an entry without a document %s selects the operations", async (_, navigation) => {
    const site = await build({ "api.json": two }, navigation);
    expect(routes(site)).toEqual(["api-reference/b"]);
    expect(briefly(site.problems)).toEqual([]);
  });

  test("entries that name their document need no default, and methods may be lower case", async () => {
    const site = await build(
      { "api.json": two },
      { pages: ["index", "api.json GET /a", "/api.json get /b"] },
    );
    expect(routes(site)).toEqual(["api-reference/a", "api-reference/b"]);
    expect(briefly(site.problems)).toEqual(["nav-operation-case docs.json:1"]);
  });

  test("with an array of documents, each document has its own set of pages, in order", async () => {
    const other = document({ "/c": { get: { summary: "C" } } });
    const site = await build(
      { "a.json": two, "b.json": other },
      tab(["b.json", { source: "a.json", directory: "a" }]),
    );
    expect(routes(site)).toEqual(["a/a", "a/b", "a/delete-a", "a/post-a", "api-reference/c"]);
  });

  test("api.openapi is the default document of entries, and generates no pages by itself", async () => {
    const site = await build(
      { "api.json": two },
      { pages: ["index", "GET /b"] },
      { api: { openapi: "api.json" } },
    );
    expect(routes(site)).toEqual(["api-reference/b"]);
  });

  test("the same operation listed twice keeps one page", async () => {
    const site = await build(
      { "api.json": two },
      tab("api.json", {
        groups: [
          { group: "G", pages: ["GET /a"] },
          { group: "H", pages: ["GET /a"] },
        ],
      }),
    );
    expect(routes(site)).toEqual(["api-reference/a"]);
  });

  const wrong: [string, unknown, string, RegExp][] = [
    [
      "an entry without a document",
      { pages: ["index", "GET /a"] },
      "nav-operation docs.json:1",
      /No OpenAPI document/,
    ],
    [
      "an unknown path",
      tab("api.json", { pages: ["GET /aa"] }),
      "openapi-operation-missing docs.json:1",
      /no path \/aa/,
    ],
    [
      "an unknown method",
      tab("api.json", { pages: ["PATCH /a"] }),
      "openapi-operation-missing docs.json:1",
      /has no PATCH/,
    ],
    [
      "an unknown webhook",
      tab("api.json", { pages: ["webhook x"] }),
      "openapi-operation-missing docs.json:1",
      /no webhook "x"/,
    ],
    ["an unknown document", tab("apy.json"), "openapi-missing docs.json:1", /apy\.json/],
    [
      "an unknown document in an entry",
      { pages: ["index", "x.json GET /a"] },
      "openapi-missing docs.json:1",
      /x\.json/,
    ],
  ];
  test.each(wrong)("%s is reported", async (_, navigation, brief, message) => {
    const site = await build({ "api.json": two }, navigation);
    expect(briefly(site.problems)).toEqual([brief]);
    expect(site.problems[0]!.message).toMatch(message);
  });

  test("a document with spaces in its name", async () => {
    const site = await build(
      {
        "my api.json": two,
        "p.mdx": "---\nopenapi: my api.json POST /a\n---",
        "how to get started.mdx": "Start",
      },
      { pages: ["index", "my api.json GET /a", "my api GET /b", "p", "how to get started"] },
    );
    expect(briefly(site.problems)).toEqual([]);
    expect(routes(site)).toEqual(["api-reference/a", "api-reference/b", "how to get started", "p"]);
    expect(site.read("p.html")).toContain("o-m-post");
  });

  test.each([
    ["true", []],
    ["false", ["openapi-hidden-value api.json:1"]],
    ['"yes"', ["openapi-hidden-value api.json:1"]],
    ["null", ["openapi-hidden-value api.json:1"]],
  ])("x-hidden: %s hides the operation", async (value, briefs) => {
    const hidden = document({
      "/a": { get: { summary: "A" } },
      "/b": { get: { summary: "B", "x-hidden": JSON.parse(value) } },
    });
    const site = await build({ "api.json": hidden }, tab("api.json"));
    expect(routes(site)).toEqual(["api-reference/a"]);
    expect(briefly(site.problems)).toEqual(briefs);
  });

  test("the entry of a hidden operation is reported", async () => {
    const hidden = document({ "/a": { get: { summary: "A", "x-hidden": true } }, "/b": { get: {} } });
    const site = await build({ "api.json": hidden }, tab("api.json", { pages: ["GET /a", "GET /b"] }));
    expect(routes(site)).toEqual(["api-reference/get-b"]);
    expect(briefly(site.problems)).toEqual(["nav-operation-hidden docs.json:1"]);
  });

  const shapes: [value: unknown, code: string, message: RegExp, pages: number][] = [
    [5, "config-value", /must be a path or URL, a list/, 0],
    [{ directory: "x" }, "config-required", /requires a source/, 0],
    [[], "config-value", /at least one/, 0],
    ["", "config-value", /is empty/, 0],
    ["ftp://example.com/a.json", "config-value", /isn't an https URL/, 0],
    [{ source: 7 }, "config-value", /openapi\.source/, 0],
    [[null], "config-value", /must be a path or URL/, 0],
    [{ source: "api.json", dir: "x" }, "config-value", /"dir" isn't a supported key/, 4],
    [{ source: "api.json", directory: 7 }, "config-value", /openapi\.directory/, 4],
    [[{ source: "api.json", directory: "../x" }], "config-value", /openapi\.directory/, 4],
  ];
  test.each(shapes)("openapi: %j is reported", async (value, code, message, pages) => {
    const inNavigation = await build({ "api.json": two }, tab(value));
    const [found] = inNavigation.problems.filter(({ severity }) => severity === "error");
    expect(found).toMatchObject({ code, file: "docs.json", message: expect.stringMatching(message) });
    expect(routes(inNavigation)).toHaveLength(pages);
    const asDefault = await build({ "api.json": two }, { pages: ["index"] }, { api: { openapi: value } });
    expect(briefly(asDefault.problems.slice(0, 1))[0]).toMatch(/^config-(?:value|required) docs\.json/);
  });

  test("a page in the folder with the same route takes precedence, which is reported", async () => {
    const site = await build({ "api.json": two, "api-reference/b.mdx": "Mine" }, tab("api.json"));
    expect(site.read("api-reference/b.md")).toContain("Mine");
    expect(briefly(site.problems)).toEqual(["openapi-route-taken docs.json:1"]);
  });
});

describe("file names", () => {
  const get = (summary: string, more: object = {}) => ({ get: { summary, ...more } });
  const odd = document({
    "/a": get("Get user: details"),
    "/b": get('x/a|b*c "d"'),
    "/c": get("<script>alert(1)</script>"),
    "/d": get("Con"),
    "/e": get("Ends with dots . . .", { tags: ["lpt1"] }),
    "/f": get("é".repeat(300)),
    "/g": get("Plain"),
  });
  const navigation = {
    groups: [
      { group: "Pages", pages: ["index", "Guide", "guide", "aux.b"] },
      { group: "API", openapi: { source: "api.json", directory: "" } },
    ],
  };
  const pages = { "Guide.mdx": "Upper", "guide.mdx": "Lower", "aux.b.mdx": "Aux", "images/a:b.png": "png" };

  test("every file of a bundle can be unpacked everywhere, and the pages link to one another", async () => {
    const docs = {
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation,
      interaction: { drilldown: true },
    };
    const index =
      "---\ntitle: Home\n---\n[User](/get-user:-details) [Lower](/guide) ![Picture](/images/a:b.png)";
    const site = await buildSiteFrom({
      "index.mdx": index,
      "docs.json": JSON.stringify(docs),
      "api.json": odd,
      ...pages,
    });
    const seen = new Set<string>();
    for (const file of site.paths) {
      for (const name of file.split("/")) {
        expect(name).not.toMatch(/[<>:"|?*\\\u0000-\u001f]|[. ]$/);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(160);
      }
      const comparable = file.normalize("NFC").toLowerCase();
      expect(seen.has(comparable), file).toBe(false);
      seen.add(comparable);
    }
    const html = site.read("index.html");
    const files = [...html.matchAll(/<a href="([^"#]+\.html)"/g)].map(([, href]) =>
      decodeURIComponent(href!),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(site.paths).toContain(file);
    expect(html).not.toContain('href="#"');
    expect(files).toContain("get-user--details.html");
    expect(html).toContain('src="images/a-b.png"');
    expect(site.read("guide-2.html")).toContain("Lower");
    const search = site.paths
      .filter((path) => path.includes("_octavo/search"))
      .map((path) => site.read(path))
      .join("");
    expect(search).toContain("get-user--details");
    expect(search).not.toContain("get-user:-details");
  });

  test("hosts answer at the path of the page, even if its file has a different name", async () => {
    const docs = { theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation };
    const files = { "index.mdx": "Home", "docs.json": JSON.stringify(docs), "api.json": odd, ...pages };
    const site = await buildSiteFrom(files);
    const table = readRedirectTable(new TextEncoder().encode(site.read("_octavo/redirects.json")));
    const ask = (path: string) => resolvePath(path, { has: (file) => site.paths.includes(file) }, table);
    expect(ask("/get-user:-details")).toEqual({ status: 200, path: "get-user--details.html" });
    expect(ask("/get-user--details.html")).toEqual({ status: 200, path: "get-user--details.html" });
    expect(ask("/lpt1/ends-with-dots--")).toMatchObject({ status: 200 });
    expect(ask("/images/a:b.png")).toEqual({ status: 200, path: "images/a-b.png" });
    expect(ask("/guide")).toEqual({ status: 200, path: "guide-2.html" });
    expect(ask("/Guide")).toEqual({ status: 200, path: "Guide.html" });
    expect(ask("/Get-User:-Details")).toEqual({
      status: 308,
      location: "/get-user:-details",
      at: "get-user--details.html",
    });
    expect(ask("/Nothing")).toEqual({ status: 404 });
    const live = await buildSiteFrom(files, { kind: "cloud", links: "clean" });
    expect(live.paths).toContain("get-user:-details.html");
  });
});

describe("groups, titles and metadata", () => {
  test("elements with the same document and directory share its pages", async () => {
    const users = document({ "/users": { get: { summary: "List users" } } });
    const versions = [
      { version: "v1", openapi: "a.json" },
      { version: "v2", openapi: { source: "a.json", directory: "v2" } },
      {
        version: "v3",
        tabs: [
          { tab: "One", openapi: "a.json" },
          { tab: "Two", openapi: "a.json" },
        ],
      },
    ];
    const site = await build({ "a.json": users }, { versions });
    expect(routes(site)).toEqual(["api-reference/list-users", "v2/list-users"]);
    expect(site.read("v2/list-users.html")).toMatch(/o-tag-plain[^>]*>v2</);
    expect(site.read("api-reference/list-users.html")).not.toMatch(/o-tag-plain[^>]*>v/);
  });

  test("products and languages share the pages and the overview of a document", async () => {
    const info = { title: "Acme", version: "1", description: "About the API." };
    const users = { openapi: "3.1.0", info, paths: { "/users": { get: { summary: "List users" } } } };
    const products = ["Cloud", "Self-hosted"].map((product) => ({ product, openapi: "a.json" }));
    const site = await build({ "a.json": JSON.stringify(users) }, { products });
    expect(site.problems).toEqual([]);
    expect(routes(site)).toEqual(["api-reference/list-users", "api-reference/overview"]);
  });

  test("an entry and a whole set of the same document share a page", async () => {
    const users = document({ "/users": { get: { summary: "List users" } }, "/b": { get: { summary: "B" } } });
    const site = await build(
      { "a.json": users },
      {
        tabs: [
          { tab: "Home", pages: ["index", "a.json GET /users"] },
          { tab: "API", openapi: "a.json" },
        ],
      },
    );
    expect(routes(site)).toEqual(["api-reference/b", "api-reference/list-users"]);
  });

  test("several documents in one element are grouped by their titles", async () => {
    const titled = (title: string, summary: string, tags: string[] = ["t"]) =>
      JSON.stringify({
        openapi: "3.1.0",
        info: { title, version: "1" },
        paths: { "/x": { get: { ...fine, summary, tags } } },
      });
    const site = await build(
      {
        "a.json": titled("Users", "A"),
        "b.json": titled("Orders", "B", []),
        "c.json": titled("Orders", "C"),
      },
      tab(["a.json", "b.json", "c.json"]),
    );
    const nav = site.read("api-reference/t/a.html");
    for (const label of ["Users", "Orders (b.json)", "Orders (c.json)", "t"])
      expect(nav).toContain(`<span>${label}</span>`);
    expect(nav).not.toContain("API Reference");
    expect(nav.match(/<span>t<\/span>/g)).toHaveLength(2);
  });

  test("a child without pages inherits the document and its directory, and generates its pages", async () => {
    const a = document({ "/a": { get: { summary: "A" } } });
    const b = document({ "/b": { get: { summary: "B" } } });
    const anchors = [
      { anchor: "Start", pages: ["index"] },
      {
        anchor: "API",
        openapi: { source: "a.json", directory: "ref" },
        tabs: [
          { tab: "All" },
          { tab: "Own", openapi: "b.json" },
          { tab: "Link", href: "https://example.com" },
          { tab: "GraphQL", graphql: "https://example.com/graphql" },
        ],
      },
    ];
    const site = await build({ "a.json": a, "b.json": b }, { anchors });
    expect(routes(site)).toEqual(["api-reference/b", "ref/a"]);
    expect(briefly(site.problems)).toEqual(["no-effect docs.json:1"]);
  });

  test("a document that none of the children uses is reported", async () => {
    const anchors = [{ anchor: "API", openapi: "a.json", tabs: [{ tab: "Home", pages: ["index"] }] }];
    const site = await build({ "a.json": document({ "/a": { get: {} } }) }, { anchors });
    expect(briefly(site.problems)).toEqual(["nav-openapi-default docs.json:1"]);
  });

  test("x-group names the group, the path contains the tag, and equal labels share a group", async () => {
    const site = await build(
      {
        "api.json": document(
          {
            "/a": { get: { summary: "A", tags: ["first"] } },
            "/b": { get: { summary: "B", tags: ["second"] } },
            "/c": { get: { summary: "C" } },
          },
          {
            tags: [
              { name: "second", "x-group": "All" },
              { name: "first", "x-group": "All" },
            ],
          },
        ),
      },
      tab("api.json"),
    );
    expect(routes(site)).toEqual(["api-reference/c", "api-reference/first/a", "api-reference/second/b"]);
    expect(sidebar(site, "api-reference/first/a")).toBe("All: | GET A | GET B | API Reference: | GET C");
  });

  test("x-platform.metadata overrides title, description and the rest; x-platform wins over x-mint key by key", async () => {
    const site = await build(
      {
        "api.json": document({
          "/a": {
            get: {
              summary: "A",
              description: "Long words",
              deprecated: true,
              "x-mint": { metadata: { title: "Alias" } },
              "x-platform": {
                metadata: { title: "Mine", sidebarTitle: "Short", description: "Own words", tag: "BETA" },
              },
            },
          },
        }),
      },
      tab("api.json"),
    );
    const html = site.read("api-reference/a.html");
    expect(titleOf(site, "api-reference/a")).toBe("Mine");
    expect(sidebar(site, "api-reference/a")).toContain("GET Short");
    expect(html).toMatch(/Own words/);
    expect(html).not.toMatch(/Long words/);
    expect(html).toMatch(/BETA/);
    expect(html).toMatch(/Deprecated/i);
  });

  test.each(["anchor", "tab", "dropdown", "product"])(
    "version of a %s is copied to its pages",
    async (kind) => {
      const division = {
        [kind]: "API",
        version: "v9",
        groups: [
          { group: "G", openapi: "api.json" },
          { group: "H", pages: ["index", "p"] },
        ],
      };
      const site = await build(
        {
          "api.json": document({ "/a": { get: { summary: "A" } } }),
          "p.mdx": "---\nversion: own\n---\nText",
        },
        { [`${kind}s`]: [division] },
      );
      expect(briefly(site.problems)).toEqual([]);
      expect(site.read("api-reference/a.html")).toMatch(/o-tag-plain[^>]*>v9</);
      expect(site.read("index.html")).toMatch(/o-tag-plain[^>]*>v9</);
      expect(site.read("p.html")).toMatch(/o-tag-plain[^>]*>own</);
    },
  );

  test("the version of the division above is the page's", async () => {
    const site = await build(
      { "api.json": document({ "/a": { get: { summary: "A" } } }) },
      { versions: [{ version: "v7", tabs: [{ tab: "API", openapi: "api.json" }] }] },
    );
    expect(site.read("api-reference/a.html")).toMatch(/v7/);
  });

  test("x-platform.content is MDX before the generated text, and Markdown in a remote document", async () => {
    const site = await build(
      {
        "api.json": document({
          "/a": { get: { summary: "A", "x-platform": { content: "<Warning>Mind {1 + 1} gaps</Warning>" } } },
        }),
      },
      tab("api.json"),
    );
    const html = site.read("api-reference/a.html");
    expect(html).toMatch(/o-callout-warning[\s\S]*Mind 2 gaps[\s\S]*id="responses"/);
  });

  test("built-in components in descriptions of a document in the repository", async () => {
    const description =
      "Give {id}.\n\n<Warning>\n    Mind **this** {id} <token>\n</Warning>\n\n`<Note>` <Tooltip tip='a > b'>term</Tooltip> <script>alert(1)</script>";
    const parameters = [
      { in: "query", name: "q", description: "<Note>Old</Note>", schema: { type: "string" } },
    ];
    const site = await build(
      { "api.json": document({ "/a": { get: { summary: "A", description, parameters } } }) },
      tab("api.json"),
    );
    const html = mainOf(site.read("api-reference/a.html"));
    expect(html).toMatch(
      /<p>Give \{id\}\.<\/p><div class="o-callout callout o-callout-warning"(?:(?!<\/div>).)*<p>Mind <strong>this<\/strong> \{id\} &lt;token/s,
    );
    expect(html).toMatch(/<code>&lt;Note(?:>|&gt;)<\/code> <span class="o-tooltip tooltip"/);
    expect(html).toMatch(/o-callout-note(?:(?!<\/div>).)*Old/s);
    expect(html).not.toMatch(/&lt;\/?(?:Warning|Tooltip)|<script>alert/);
    expect(briefly(site.problems)).toEqual([]);
  });

  test("the content and descriptions of a remote document are Markdown, which is reported", async () => {
    const url = "https://api.example.com/openapi.json";
    const operation = {
      summary: "A",
      description: "<Warning>Text</Warning>",
      "x-platform": { content: "<Note>One {1 + 1}</Note>" },
    };
    const plain = { summary: "B", "x-platform": { content: "Plain *text* and `{code}`" } };
    const text = document({ "/a": { get: operation }, "/b": { get: plain } });
    const docs = {
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { openapi: url },
    };
    const { site, problems } = await buildSite(filesFrom({ "docs.json": JSON.stringify(docs) }), {
      generator: "test",
      clock: Date.now,
      fetched: new Map([[url, { text }]]),
    });
    expect(briefly(problems)).toEqual([`openapi-remote-content ${url}`]);
    const html = site.bodies.bodyPart(site.pages.get("api-reference/a")!.storedName, "lead");
    expect(html).toMatch(/&lt;Note>One \{1 \+ 1\}/);
    expect(html).not.toContain("o-callout");
  });

  test("callbacks of an operation are part of its page", async () => {
    const callbacks = {
      onDone: {
        "{$request.body#/url}": {
          post: {
            ...fine,
            requestBody: {
              content: {
                "application/json": { schema: { type: "object", properties: { done: { type: "boolean" } } } },
              },
            },
          },
        },
      },
    };
    const site = await build(
      { "api.json": document({ "/a": { post: { summary: "A", callbacks } } }) },
      tab("api.json"),
    );
    expect(site.read("api-reference/a.html")).toMatch(
      /<details[\s\S]*onDone[\s\S]*\{\$request\.body#\/url\}[\s\S]*done/,
    );
    expect(site.read("api-reference/a.md")).toMatch(/onDone[\s\S]*done/);
  });
});

describe("pages that name their operation", () => {
  const api = document(
    { "/users": { get: { summary: "List users", description: "All of them" } } },
    {
      components: {
        schemas: {
          User: { type: "object", properties: { nick: { type: "string" } } },
          "Two.Words": { type: "string", title: "Two" },
        },
      },
      webhooks: { "user made": { post: { ...fine, summary: "Made" } } },
    },
  );
  const page = (frontmatter: string, body = "") => ({
    "api.json": api,
    "p.mdx": `---\n${frontmatter}\n---\n${body}`,
  });

  const rows: [string, string, RegExp][] = [
    ["a method and a path", "openapi: GET /users", /GET \/users/],
    ["the document before them", "openapi: /api.json GET /users", /GET \/users/],
    ["the document's stem", "openapi: api GET /users", /GET \/users/],
    ["a webhook", "openapi: api.json webhook user made", /user made/],
    ["a schema", "openapi-schema: User", /`nick`/],
    ["a schema with its document", "openapi-schema: api.json User", /`nick`/],
    ["a schema with a title", "openapi-schema: Two.Words", /# Two/],
  ];
  test.each(rows)("%s", async (_, frontmatter, found) => {
    const site = await build(page(frontmatter), { pages: ["index", "p"] });
    expect(briefly(site.problems)).toEqual([]);
    expect(site.read("p.md")).toMatch(found);
  });

  test("the page's text and examples replace the generated ones", async () => {
    const body = "Own words.\n\n<RequestExample>\n```bash Mine\nownrequest\n```\n</RequestExample>";
    const site = await build(page("title: Mine\nopenapi: GET /users", body), { pages: ["index", "p"] });
    const html = site.read("p.html");
    expect(html).toMatch(/Own words[\s\S]*id="responses"/);
    expect(html).toContain("ownrequest");
    expect(html).not.toContain("import requests");
  });

  test("without a title, the summary is the title", async () => {
    const site = await build(page("openapi: GET /users"), { pages: ["index", "p"] });
    expect(titleOf(site, "p")).toBe("List users");
  });

  test("markdown.schema: false removes the API reference from the Markdown, but not from the page", async () => {
    const site = await build(
      page("openapi: GET /users", "Own words."),
      { pages: ["index", "p"] },
      { markdown: { schema: false } },
    );
    expect(site.read("p.md")).toContain("Own words.");
    expect(site.read("p.md")).not.toContain("GET /users");
    expect(site.read("p.html")).toContain("/users");
  });

  test("llms.txt lists the documents that pages show", async () => {
    const site = await build(page("openapi: GET /users"), { pages: ["index", "p"] });
    expect(site.read("llms.txt")).toMatch(/## OpenAPI Specs\n\n- \[T\]\(\/api\.json\)/);
  });

  test.each([
    [
      "openapi: GET /nothing",
      "openapi-operation-missing",
      /api\.json, v2\/other\.json have no path \/nothing/,
    ],
    [
      "openapi: DELETE /users",
      "openapi-operation-missing",
      /api\.json, v2\/other\.json have no DELETE \/users/,
    ],
    ["openapi: api.json webhook gone", "openapi-operation-missing", /api\.json has no webhook "gone"/],
    ["openapi: gone.json GET /nothing", "openapi-missing", /not found: gone\.json/],
    ["openapi: other.json GET /nothing", "openapi-operation-missing", /other\.json has no path \/nothing/],
    ["openapi: nonsense", "openapi-page-operation", /doesn't have the form METHOD/],
    ["openapi-schema: Nobody", "openapi-schema-missing", /has a schema "Nobody"/],
    ["openapi-schema: other.json Nobody", "openapi-schema-missing", /other\.json has no schema "Nobody"/],
    ["openapi-schema: gone.json Nobody", "openapi-missing", /not found: gone\.json/],
  ])("%s is reported to authors, and readers see a placeholder", async (frontmatter, code, message) => {
    const other = document({ "/other": { get: {} } });
    const site = await build(
      { ...page(frontmatter, "Text stays."), "v2/other.json": other },
      { pages: ["index", "p"] },
    );
    expect(briefly(site.problems)).toEqual([`${code} p.mdx:2`]);
    expect(site.problems[0]!.message).toMatch(message);
    expect(site.problems[0]!.severity).toBe(code === "openapi-page-operation" ? "warning" : "error");
    const shown = frontmatter.startsWith("openapi-schema")
      ? "This schema isn't documented yet."
      : "This endpoint isn't documented yet.";
    expect(site.read("p.html")).toMatch(new RegExp(`${shown}[\\s\\S]*Text stays`));
    expect(site.read("p.html")).not.toContain("o-problem");
    expect(site.read("p.html")).not.toMatch(message);
  });

  test("a deprecated operation labels the page that its author writes, unless the page says otherwise", async () => {
    const old = document({ "/old": { get: { deprecated: true } } });
    const site = await build(
      {
        "api.json": old,
        "p.mdx": "---\nopenapi: GET /old\n---\n",
        "q.mdx": "---\nopenapi: GET /old\ndeprecated: false\n---\n",
      },
      { pages: ["index", "p", "q"] },
    );
    expect(mainOf(site.read("p.html"))).toMatch(
      /<h1[^>]*>[^<]*<small class="o-tag o-tag-warning">Deprecated/,
    );
    expect(mainOf(site.read("q.html"))).not.toContain("Deprecated");
    expect(
      site.read("index.html").match(/<small class="o-tag o-tag-warning">Deprecated<\/small>/g),
    ).toHaveLength(1);
  });

  test("a schema page shows the whole schema, with properties that are only for requests or only for responses", async () => {
    const properties = {
      id: { type: "string", readOnly: true },
      password: { type: "string", writeOnly: true },
    };
    const schemas = { Account: { type: "object", properties, additionalProperties: false } };
    const site = await build(
      {
        "api.json": document({ "/a": { get: {} } }, { components: { schemas } }),
        "p.mdx": "---\nopenapi-schema: Account\n---\n",
      },
      { pages: ["index", "p"] },
    );
    for (const text of [mainOf(site.read("p.html")), site.read("p.md")])
      expect(text).toMatch(/id[\s\S]*read-only[\s\S]*password[\s\S]*write-only/);
    expect(site.read("p.md")).toMatch(/"id"[\s\S]*"password"/);
  });

  test("if two documents have the operation, the first by name is shown, which is reported", async () => {
    const site = await build({ ...page("openapi: GET /users"), "zoo.json": api }, { pages: ["index", "p"] });
    expect(briefly(site.problems)).toEqual(["openapi-page-operation p.mdx:2"]);
    expect(site.problems[0]!.message).toBe(
      '"GET /users" is in several documents (api.json, zoo.json), so the first one is used',
    );
    expect(site.problems[0]!.hint).toBe('To choose a document, write "api.json GET /users".');
  });

  test.each([
    ["openapi: api.json GET /users", "v1/api.json GET /users"],
    ["openapi-schema: api.json User", "v1/api.json User"],
  ])("if several documents match the name in %s, the hint names one of them", async (frontmatter, text) => {
    const documents = { "v1/api.json": api, "v2/api.json": api };
    const site = await build(
      { ...documents, "p.mdx": `---\n${frontmatter}\n---\n` },
      { pages: ["index", "p"] },
    );
    expect(site.problems.map(({ hint }) => hint)).toEqual([`To choose a document, write "${text}".`]);
  });

  test("an x-hidden operation can have a page that an author writes", async () => {
    const hidden = document({ "/a": { get: { summary: "A", "x-hidden": true } } });
    const site = await build(
      { "api.json": hidden, "p.mdx": "---\nopenapi: GET /a\n---\n" },
      { pages: ["index", "p"] },
    );
    expect(site.read("p.md")).toContain("GET /a");
  });
});

describe("groups of tags", () => {
  const tagged = (name: string) => ({ get: { summary: name, tags: [name] } });
  const paths = { "/a": tagged("a"), "/b": tagged("b"), "/c": tagged("c") };

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      "parents of tags",
      {
        tags: [
          { name: "b", parent: "a" },
          { name: "c", parent: "b", summary: "Third" },
        ],
      },
      ["a", "b", "Third"],
    ],
    ["x-tagGroups", { "x-tagGroups": [{ name: "Core", tags: ["a", "b"] }] }, ["Core", "a", "b", "c"]],
    ["display names", { tags: [{ name: "a", "x-displayName": "First" }] }, ["First", "b", "c"]],
    [
      "circular parents",
      {
        tags: [
          { name: "a", parent: "b" },
          { name: "b", parent: "a" },
        ],
      },
      ["a", "b", "c"],
    ],
  ])("%s", async (_, more, labels) => {
    const site = await build({ "a.json": document(paths, more) }, tab("a.json"));
    const shown = site.read("api-reference/a/a.html");
    for (const label of labels) expect(shown).toMatch(new RegExp(`>\\s*${label}\\s*<`));
    expect(routes(site)).toHaveLength(3);
  });
});

describe("texts of path items, and links in descriptions", () => {
  const site = build(
    {
      "a.json": JSON.stringify({
        openapi: "3.0.3",
        info: { title: "T", version: "1", description: "See all." },
        paths: {
          "/stock": {
            summary: "Warehouse stock",
            description: "Needs the **warehouse** permission.",
            get: fine,
            post: {
              summary: "Add stock",
              operationId: "add",
              ...fine,
              description: "See [adding](#operation/add) and [gone](#operation/gone).",
            },
            put: {
              summary: "Put",
              responses: {
                200: {
                  description: "x",
                  links: {
                    Next: { operationId: "add", requestBody: "$request.body" },
                    Away: { operationRef: "#/paths/~1stock/get" },
                  },
                },
              },
            },
          },
        },
      }),
    },
    tab("a.json"),
  );

  test("an operation without texts uses those of its path", async () => {
    const page = (await site).read("api-reference/get-stock.md");
    expect(page).toContain("# Warehouse stock");
    expect(page).toContain("Needs the **warehouse** permission.");
    expect((await site).read("api-reference/add-stock.md")).toContain("Needs the **warehouse** permission.");
  });

  test.each(["Stock Items", "stock-items", "Stock_Items"])(
    "a link to the tag %s leads to its first page",
    async (tag) => {
      const description = `See [the items](#tag/${encodeURIComponent(tag)}).`;
      const document = {
        openapi: "3.0.3",
        info: { title: "T", version: "1" },
        paths: {
          "/a": { get: { ...fine, tags: ["Stock Items"], summary: "First" } },
          "/b": { get: { ...fine, summary: "Other", description } },
        },
      };
      const { problems, read } = await build({ "a.json": JSON.stringify(document) }, tab("a.json"));
      expect(problems).toEqual([]);
      expect(read("api-reference/other.html")).toMatch(
        /href="[^"]*stock-items\/first\.html"[^>]*>the items</,
      );
    },
  );

  test("links of responses and descriptions lead to the pages of their operations", async () => {
    const put = (await site).read("api-reference/put.html");
    expect(put).toContain('<a href="../api-reference/add-stock.html">Add stock</a>');
    expect(put).toContain('<a href="../api-reference/get-stock.html">GET /stock</a>');
    expect(put).toContain("$request.body");
    expect((await site).read("api-reference/add-stock.html")).toMatch(
      /href="[^"]*add-stock\.html"[^>]*>adding</,
    );
  });

  test("links to missing operations are reported", async () => {
    expect((await site).problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "dead-anchor Anchor not found: #operation/gone",
    ]);
  });
});

describe("download of the documents", () => {
  const contextual = { contextual: { options: ["download-spec"] } };
  const one = document({ "/a": { get: { summary: "A" } } });

  test.each(["auth", "userAuth"])("with %s in docs.json, pages have no link to the document", async (key) => {
    const site = await build({ "a.json": one }, tab("a.json"), { ...contextual, [key]: { method: "jwt" } });
    expect(site.read("api-reference/a.html")).not.toMatch(/href="[^"]*a\.json"/);
  });

  test("one document is the file itself, which is served at its path", async () => {
    const site = await build({ "apis/v1.json": one }, tab("apis/v1.json"), contextual);
    expect(site.read("api-reference/a.html")).toContain('href="../apis/v1.json"');
    expect(site.read("apis/v1.json")).toBe(one);
    expect(site.read("index.html")).not.toContain("v1.json");
  });

  const restricted = document(
    {
      "/a": {
        get: { summary: "A", tags: ["Open"], responses: { 200: { $ref: "#/components/responses/Shared" } } },
      },
      "/staff": {
        post: {
          summary: "Canary",
          tags: ["Canary"],
          "x-platform": { groups: ["staff"] },
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/CanaryBody" } } },
          },
          responses: { 200: { $ref: "#/components/responses/Shared" } },
        },
      },
    },
    {
      tags: [{ name: "Open" }, { name: "Canary", description: "Canary" }],
      components: {
        responses: {
          Shared: {
            description: "Fine",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Open" } } },
          },
        },
        schemas: {
          CanaryBody: {
            type: "object",
            properties: {
              open: { $ref: "#/components/schemas/Open" },
              own: { $ref: "#/components/schemas/CanaryPart" },
            },
          },
          CanaryPart: { type: "string" },
          Open: { type: "object", properties: { self: { $ref: "#/components/schemas/Open" } } },
          Unused: { type: "string" },
        },
      },
    },
  );

  test.each(["api.json", "api.yaml"])(
    "operations of groups are removed from the file and the archive: %s",
    async (file) => {
      const text = file.endsWith("json") ? restricted : dump(JSON.parse(restricted));
      const site = await build({ [file]: text, "b.json": one }, tab([file, "b.json"]), contextual);
      const served = load(site.read(file)) as {
        paths: object;
        components: { schemas: object };
        tags: unknown[];
      };
      expect(site.read(file)).not.toContain("anary");
      expect(Object.keys(served.paths)).toEqual(["/a"]);
      expect(Object.keys(served.components.schemas).sort()).toEqual(["Open", "Unused"]);
      expect(served.tags).toEqual([{ name: "Open" }]);
      expect(site.read("api-reference/open/a.html")).toContain("api-specs.zip");
      expect(site.paths.filter((path) => site.read(path).includes("anary"))).toEqual([]);
    },
  );

  test("an operation that is public by its metadata stays in the file", async () => {
    const metadata = { playground: "auth", groups: ["staff"], public: true };
    const open = document({ "/a": { get: { summary: "A", "x-platform": { metadata } } } });
    const site = await build({ "api.json": open }, tab("api.json"));
    expect(site.read("api.json")).toBe(open);
  });

  test("a document whose operations are all for groups is not part of a public site", async () => {
    const all = document({ "/a": { get: { summary: "A", "x-platform": { groups: ["staff"] } } } });
    const site = await build({ "api.json": all }, tab("api.json"), contextual);
    expect(site.paths).not.toContain("api.json");
  });

  test("api.stripHidden removes hidden operations from downloads, except those that a page shows", async () => {
    const hidden = document({
      "/a": { get: { summary: "A" } },
      "/b": { get: { summary: "Hidden canary", "x-hidden": true } },
      "/c": { get: { summary: "Shown", "x-hidden": true } },
    });
    const files = { "api.json": hidden, "p.mdx": "---\nopenapi: GET /c\n---\n" };
    const kept = await build(files, tab("api.json"), contextual);
    expect(kept.read("api.json")).toBe(hidden);
    const site = await build(files, tab("api.json"), { ...contextual, api: { stripHidden: true } });
    expect(Object.keys(JSON.parse(site.read("api.json")).paths)).toEqual(["/a", "/c"]);
  });

  test("several documents are an archive with flat and safe names", async () => {
    const other = document({ "/b": { get: { summary: "B" } } });
    const site = await build(
      { "a/api.json": one, "b/api.json": other, "c/con.yaml": other },
      tab(["a/api.json", "b/api.json", "c/con.yaml"]),
      contextual,
    );
    expect(site.read("api-reference/a.html")).toContain("_octavo/api-specs.zip");
    const names = [...site.read("_octavo/api-specs.zip").matchAll(/api[\w-]*\.(?:json|yaml)/g)].map(
      ([name]) => name,
    );
    expect([...new Set(names)]).toEqual(["api.json", "api-2.json", "api-con.yaml"]);
  });

  test("there is no download where readers sign in", async () => {
    const docs = {
      theme: "mint",
      name: "A",
      colors: { primary: "#0D9373" },
      navigation: tab("api.json"),
      ...contextual,
    };
    const site = await buildSiteFrom(
      { "index.mdx": "Home", "api.json": one, "docs.json": JSON.stringify(docs) },
      { readers: "signed-in" },
    );
    expect(site.read("api-reference/a.html")).not.toContain("api.json");
  });
});

describe("pages that describe their operation themselves", () => {
  const body = `Make a user.

<ParamField path="team" type="string">Its team.</ParamField>
<ParamField query="notify" type="boolean" default={true}>Send a mail.</ParamField>
<ParamField header="X-Trace" type="string" />
<ParamField body="profile" type="object" required>
  <Expandable title="profile">
    <ParamField body="nick" type="string" required placeholder="ada">Nick.</ParamField>
    <ParamField body="tags" type="string[]" />
  </Expandable>
</ParamField>
<ResponseField name="id" type="integer">Its number.</ResponseField>
`;
  const rows: [string, string, object, string[]][] = [
    [
      "a URL with a host",
      'api: "POST https://api.example.com/teams/{team}/users"',
      {},
      ["https://api.example.com/teams/"],
    ],
    [
      "a path on the configured server",
      "api: POST /teams/{team}/users",
      { mdx: { server: "https://eu.example.com/v2" } },
      ["https://eu.example.com/v2/teams/"],
    ],
    [
      "bearer from the site",
      "api: POST /teams/{team}/users",
      { mdx: { server: "https://x.example", auth: { method: "bearer" } } },
      ["Authorization: Bearer"],
    ],
    [
      "a key with a configured name",
      "api: POST /teams/{team}/users",
      { mdx: { server: "https://x.example", auth: { method: "key", name: "x-key" } } },
      ["x-key: "],
    ],
    [
      "a content type in the frontmatter",
      "api: POST /teams/{team}/users\ncontentType: multipart/form-data",
      {},
      ["--form"],
    ],
  ];
  test.each(rows)("%s", async (_, frontmatter, api, wanted) => {
    const site = await build(
      { "p.mdx": `---\ntitle: Make\n${frontmatter}\n---\n${body}` },
      { pages: ["index", "p"] },
      { api },
    );
    expect(briefly(site.problems)).toEqual([]);
    const html = site.read("p.html").replace(/<[^>]*>/g, "");
    for (const text of [...wanted, "Make a user", "nick", "Try it"]) expect(html).toContain(text);
  });

  test("authMethod: none removes authentication, and the author's examples replace the generated ones", async () => {
    const page = `---\napi: POST https://x.example/a\nauthMethod: none\n---\n${body}\n<RequestExample>\n\`\`\`bash\nmine\n\`\`\`\n</RequestExample>`;
    const site = await build(
      { "p.mdx": page },
      { pages: ["index", "p"] },
      { api: { mdx: { auth: { method: "bearer" } } } },
    );
    expect(site.read("p.html")).not.toMatch(/Bearer|import requests/);
  });

  test("three words are not an endpoint", async () => {
    const site = await build({ "p.mdx": "---\napi: POST /a b\n---\nText" }, { pages: ["index", "p"] });
    expect(site.read("p.html")).not.toContain("Try it");
  });

  test("a cached page keeps its playground", async () => {
    const store = new MemoryStore(true);
    const files = {
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "A",
        colors: { primary: "#0D9373" },
        navigation: { pages: ["p"] },
      }),
      "p.mdx": `---\napi: GET https://x.example/a\n---\nText`,
    };
    const first = await buildSiteFrom(files, {}, store);
    const second = await buildSiteFrom(files, {}, store);
    expect(second.paths).toEqual(first.paths);
    for (const file of first.paths) expect(second.read(file)).toBe(first.read(file));
  });
});

describe("a document at another path", () => {
  const operation = (summary: string) => ({ get: { summary, responses: { 200: { description: "OK" } } } });
  const documents = {
    "specs/v1/garden.built.json": document({ "/plants": operation("Plants of v1") }),
    "specs/v2/garden.built.json": document({
      "/plants": operation("Plants of v2"),
      "/pots": operation("Pots of v2"),
    }),
    "tools.json": document({ "/tools": operation("Tools") }),
  };

  test.each([
    ["../v2/garden.built.json GET /plants", "specs/v2/garden.built.json", "Plants of v2"],
    ["v2/garden GET /plants", "specs/v2/garden.built.json", "Plants of v2"],
    ["/old/garden.built.json GET /pots", "specs/v2/garden.built.json", "Pots of v2"],
    ["./tools.yaml GET /tools", "tools.json", "Tools"],
    ["moved/elsewhere.json get /tools", "tools.json", "Tools"],
    ["tools.json GET /pots", "specs/v2/garden.built.json", "Pots of v2"],
  ])("%s is found, with a warning that names %s", async (openapi, file, title) => {
    const page = { "specs/pages/a.mdx": `---\nopenapi: ${openapi}\n---\n` };
    const site = await build({ ...documents, ...page }, { pages: ["index", "specs/pages/a"] });
    expect(briefly(site.problems)).toEqual(["openapi-other-document specs/pages/a.mdx:2"]);
    expect(site.problems[0]!.message).toContain(`so ${file} is used`);
    expect(mainOf(site.read("specs/pages/a.html"))).toContain(`${title} `);
  });

  test.each(["none.json GET /plants", "none.json GET /none"])("%s isn't found", async (openapi) => {
    const site = await build(
      { ...documents, "a.mdx": `---\nopenapi: ${openapi}\n---\n` },
      { pages: ["index", "a"] },
    );
    expect(briefly(site.problems)).toEqual(["openapi-missing a.mdx:2"]);
  });

  test("is also found in the navigation", async () => {
    const groups = [
      { group: "A", pages: ["index", "moved/tools.json GET /tools"] },
      { group: "B", openapi: "moved/v1/garden.built.json" },
      { group: "C", openapi: "moved/tools.json" },
    ];
    const site = await build(documents, { groups });
    expect(briefly(site.problems)).toEqual([
      "openapi-missing docs.json:1",
      "openapi-other-document docs.json:1",
      "openapi-other-document docs.json:1",
    ]);
    expect(site.paths).toContain("api-reference/tools.html");
  });
});

describe("an author's page for an operation", () => {
  const tagged = (summary: string) => ({
    get: { summary, tags: ["Plants"], responses: { 200: { description: "OK" } } },
  });
  const files = {
    "api.json": document({ "/plants": tagged("List plants"), "/pots": tagged("List pots") }),
    "guides/plants.mdx": "---\ntitle: All plants\nopenapi: GET /plants\n---\n\nText.\n",
  };
  const linksOf = (html: string) => {
    const [tree = ""] = /<ul id="sidebar-content" class="o-tree">[\s\S]*?<\/nav>/.exec(html) ?? [];
    return [...tree.matchAll(/<li><a href="[./]*([^"]*)"/g)].map(([, href]) => href);
  };

  test.each([
    ["all operations", { openapi: "api.json" }],
    ["single operations", { openapi: "api.json", pages: ["GET /plants", "GET /pots"] }],
  ])("takes the place of the generated page, with %s", async (_, division) => {
    const site = await build(files, {
      tabs: [
        { tab: "Start", pages: ["index"] },
        { tab: "API", ...division },
      ],
    });
    expect(site.problems).toEqual([]);
    expect(linksOf(site.read("api-reference/plants/list-pots.html"))).toEqual([
      "guides/plants.html",
      "api-reference/plants/list-pots.html",
    ]);
    expect(site.read("api-reference/plants/list-plants.html")).toContain("url=../../guides/plants.html");
    expect(site.read("guides/plants.html")).toContain("List pots");
  });

  test.each([
    ["in the navigation", "GET /plants", ["guides/plants"]],
    ["hidden", "GET /plants\nhidden: true", []],
  ])("doesn't replace the generated page if it's %s", async (_, openapi, pages) => {
    const page = { "guides/plants.mdx": `---\nopenapi: ${openapi}\n---\n` };
    const site = await build(
      { ...files, ...page },
      {
        tabs: [
          { tab: "Start", pages: ["index", ...pages] },
          { tab: "API", openapi: "api.json" },
        ],
      },
    );
    expect(linksOf(site.read("api-reference/plants/list-pots.html"))).toEqual([
      "api-reference/plants/list-plants.html",
      "api-reference/plants/list-pots.html",
    ]);
  });
});

describe("schemas that are too deep or too large for a page", () => {
  const object = (properties: object) => ({ type: "object", properties });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const many = (count: number, schema: (index: number) => object) =>
    object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, schema(index)])));
  const schemas = {
    Crate: object({ layer: ref("Layer") }),
    Layer: object({
      tray: object({ slot: object({ seed: ref("Seed"), seeds: { type: "array", items: ref("Seed") } }) }),
    }),
    Seed: object({ dna: ref("Dna"), parent: ref("Seed") }),
    Dna: object({
      marker: { type: "string", enum: ["qzrbcl"] },
      strand: object({ base: object({ pair: ref("Pair") }) }),
    }),
    Pair: object({ bond: { type: "integer", description: "Zwxhydrogen bonds" }, seed: ref("Seed") }),
    Wide: many(200, (index) =>
      index === 190 ? ref("Late") : { type: "string", description: `Text ${index}` },
    ),
    Late: object({ qvlate: { oneOf: [ref("Pair"), ref("Other")] } }),
    Other: object({ qvother: { type: "boolean" } }),
  };
  const posting = (name: string) => ({
    post: { summary: name, requestBody: { content: { "application/json": { schema: ref(name) } } } },
  });
  const files = {
    "api.json": document(
      { "/crates": posting("Crate"), "/wide": posting("Wide") },
      { components: { schemas } },
    ),
  };
  const links = /\[`[^`]+`\]\((\/_octavo\/schemas\/[^)]+\.md)\)/g;
  /** The Markdown of a page and of all schemas that it links to, directly or in another schema. */
  const reachable = (site: BuiltSite, file: string) => {
    const found = new Map<string, string>();
    const waiting = [file];
    for (const path of waiting) {
      if (found.has(path)) continue;
      found.set(path, site.read(path));
      waiting.push(...[...found.get(path)!.matchAll(links)].map(([, link]) => link!.slice(1)));
    }
    return found;
  };

  test.each([
    ["client-hosted", "html"],
    ["cloud", "clean"],
  ] as const)("have Markdown of their own in a %s site", async (kind, style) => {
    const site = await build(files, tab("api.json"), {}, { kind, links: style });
    expect(site.read("api-reference/crate.md")).toMatch(/^ *- `seed` .*\n +- \[`Seed`\]\(/m);
    const crate = [...reachable(site, "api-reference/crate.md").values()].join("\n");
    for (const name of ["`parent`", "`qzrbcl`", "`base`", "`bond`", "Zwxhydrogen bonds"])
      expect(crate).toContain(name);
    const wide = [...reachable(site, "api-reference/wide.md").values()].join("\n");
    for (const name of ["`field199`", "Text 199", "`qvlate`", "`qvother`"]) expect(wide).toContain(name);
  });

  test("are once in llms-full.txt", async () => {
    const site = await build(files, tab("api.json"));
    const text = site.read("llms-full.txt");
    for (const name of ["`strand`", "`bond`", "Text 199", "`qvother`"])
      expect(text.split(name)).toHaveLength(2);
    for (const [, link] of text.matchAll(links))
      expect(text).toContain(`Source: ${link!.replace(/\.md$/, "")}\n`);
    expect(text).not.toContain("Show `");
  });

  test("are found by their fields and values", async () => {
    const index = await openIndex(await build(files, tab("api.json")));
    const first = async (typed: string) => (await index.search({ text: typed, limit: 3 })).hits[0]?.route;
    expect(await Promise.all(["qzrbcl", "zwxhydrogen", "qvlate"].map(first))).toEqual([
      "api-reference/crate",
      "api-reference/crate",
      "api-reference/wide",
    ]);
  });

  test("have no Markdown without markdown.schema", async () => {
    const site = await build(files, tab("api.json"), { markdown: { schema: false } });
    expect(site.paths.filter((path) => /_octavo\/schemas\/.*\.md$/.test(path))).toEqual([]);
    expect(site.read("llms-full.txt")).not.toContain("`bond`");
  });

  test("have Markdown if the page describes its operation itself", async () => {
    const described = {
      "c.mdx": '---\nopenapi: POST /crates\n---\n\n<ParamField body="layer">\n  The layer.\n</ParamField>\n',
    };
    const site = await build({ ...files, ...described }, { pages: ["index", "c"] });
    expect([...reachable(site, "c.md").values()].join("\n")).toContain("Zwxhydrogen bonds");
  });
});
