/** Tests the overview of a document: the page with the texts about the whole API and its tags. */

import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import { briefly, buildSiteFrom } from "../../../../test/engine/build.ts";
import { MemoryStore } from "../../incremental/store.ts";
import type { ExportTarget } from "../../plan/export-target.ts";

const docsJson = (navigation: unknown, more: object = {}) =>
  JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation, ...more });
const tab = (openapi: unknown, more: object = {}) => ({
  tabs: [
    { tab: "Home", pages: ["index"] },
    { tab: "API", openapi, ...more },
  ],
});
const home = { "index.mdx": "---\ntitle: Home\n---\nHome" };

const operation = (summary: string, more: object = {}) => ({
  summary,
  responses: { 200: { description: "Fine" } },
  ...more,
});
const api = (more: object = {}, info: object = {}) =>
  dump({
    openapi: "3.2.0",
    info: { title: "Shop API", version: "2024-05", ...info },
    paths: {
      "/orders": { get: operation("List orders", { tags: ["orders"] }) },
      "/ping": { get: operation("Ping") },
    },
    ...more,
  });
const texts = api(
  {
    externalDocs: { url: "https://example.com/book", description: "Handbook" },
    servers: [
      {
        url: "https://{region}.example.com/v1",
        description: "Production",
        variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where data is stored" } },
      },
    ],
    tags: [
      {
        name: "orders",
        summary: "Orders",
        description: "At most **1000** orders.",
        externalDocs: { url: "https://example.com/orders" },
      },
      { name: "unused", description: "For later." },
      { name: "silent" },
    ],
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key", description: "Ask the *help desk*." },
        login: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: "https://example.com/token", scopes: { write: "Change orders" } },
          },
        },
      },
    },
  },
  {
    summary: "Everything about orders",
    description:
      "# Rules\n\nSee [limits](#section/Limits) and [ping](#operation/ping) and [orders](#tag/orders).\n\n## Limits\n\nTen per second.",
    contact: { name: "Help desk", url: "https://example.com/help", email: "help@example.com" },
    license: { name: "MIT license", identifier: "MIT" },
    termsOfService: "https://example.com/terms",
  },
).replace("summary: Ping", "summary: Ping\n      operationId: ping");

function build(
  files: Record<string, string>,
  navigation: unknown,
  target: Partial<ExportTarget> = {},
  more: object = {},
) {
  return buildSiteFrom({ ...home, "docs.json": docsJson(navigation, more), ...files }, target);
}

const overview = "api-reference/overview";

describe("the page", () => {
  const site = build({ "shop.yaml": texts }, tab("shop.yaml"));

  test.each([
    "# Shop API",
    "Everything about orders",
    "Version: 2024-05",
    "Contact: [Help desk](https://example.com/help) · [help@example.com](mailto:help@example.com)",
    "License: MIT license · MIT",
    "[Terms of service](https://example.com/terms)",
    "[Handbook](https://example.com/book)",
    "## Rules",
    "## Limits",
    "Ten per second.",
    "`https://{region}.example.com/v1`: Production",
    "`{region}` (default `eu`, `us`): Where data is stored",
    "`X-Key` (API key, header)",
    "Ask the *help desk*.",
    "clientCredentials · Token URL: [https://example.com/token](https://example.com/token)",
    "Change orders",
    "## Orders",
    "At most **1000** orders.",
    "[More information](https://example.com/orders)",
    "For later.",
  ])("contains %s", async (text) => {
    expect((await site).read(`${overview}.md`)).toContain(text);
  });

  test("has no section for a tag without texts, and no problems", async () => {
    expect((await site).read(`${overview}.md`)).not.toContain("silent");
    expect(briefly((await site).problems)).toEqual([]);
  });

  test("is the first page of the API, and is in search and llms.txt", async () => {
    const { read, paths } = await site;
    expect(read("api-reference/ping.html")).toMatch(/href="[^"]*overview\.html"[^>]*>(?:<[^>]*>)*Overview/);
    expect(read("api-reference.html")).toContain("overview.html");
    expect(read("llms.txt")).toContain(`/${overview}.md`);
    expect(read("llms-full.txt")).toContain("Ten per second.");
    const passages = paths.filter((path) => path.startsWith("_octavo/passages/")).map((path) => read(path));
    expect(passages.some((text) => text.includes("Ten per second"))).toBe(true);
  });

  test("links to sections, operations and tags lead to them", async () => {
    const html = (await site).read(`${overview}.html`);
    expect(html).toMatch(/href="#limits"[^>]*>limits/);
    expect(html).toMatch(/href="[^"]*api-reference\/ping\.html"[^>]*>ping/);
    expect(html).toMatch(/href="[^"]*orders\/list-orders\.html"[^>]*>orders/);
  });

  test("is in the language of its place in the navigation", async () => {
    const navigation = { languages: [{ language: "de", tabs: [{ tab: "API", openapi: "shop.yaml" }] }] };
    expect((await build({ "shop.yaml": texts }, navigation)).read(`${overview}.md`)).toContain(
      "Lizenz: MIT license",
    );
  });

  test("is compiled again when a text changes, and only then", async () => {
    const store = new MemoryStore(true);
    const md = async (text: string) => {
      const site = await buildSiteFrom(
        { ...home, "docs.json": docsJson(tab("shop.yaml")), "shop.yaml": text },
        {},
        store,
      );
      return site.read(`${overview}.md`);
    };
    expect(await md(texts)).toContain("Ten per second.");
    expect(await md(texts.replace("Ten per second", "Nine per second"))).toContain("Nine per second.");
    expect(await md(texts.replace("For later", "For earlier"))).toContain("For earlier.");
  });
});

describe("a document has an overview", () => {
  test.each<[string, boolean, string]>([
    ["with only a title and a version", false, api()],
    ["with servers", false, api({ servers: [{ url: "https://example.com" }] })],
    ["with a description", true, api({}, { description: "Text" })],
    ["with a summary", true, api({}, { summary: "Text" })],
    ["with a contact", true, api({}, { contact: { email: "help@example.com" } })],
    ["with a license", true, api({}, { license: { name: "MIT" } })],
    ["with terms", true, api({}, { termsOfService: "https://example.com" })],
    ["with external documentation", true, api({ externalDocs: { url: "https://example.com" } })],
    ["with the description of a tag", true, api({ tags: [{ name: "orders", description: "Text" }] })],
    [
      "with values of other types",
      false,
      api({ tags: "x", servers: 3 }, { description: 3, contact: [], license: null }),
    ],
    [
      "if all operations are hidden",
      false,
      api({ paths: { "/a": { get: operation("A", { "x-hidden": true }) } } }, { description: "Text" }),
    ],
  ])("%s: %s", async (_, expected, text) => {
    expect((await build({ "api.yaml": text }, tab("api.yaml"))).paths.includes(`${overview}.md`)).toBe(
      expected,
    );
  });
});

describe("the place of the page", () => {
  const described = api({}, { description: "About everything" });

  test.each<[string, Record<string, string>, unknown, string[]]>([
    [
      "the directory",
      { "a.yaml": described },
      tab({ source: "a.yaml", directory: "ref/v1" }),
      ["ref/v1/overview"],
    ],
    ["the root", { "a.yaml": described }, tab({ source: "a.yaml", directory: "" }), ["overview"]],
    [
      "one for each document",
      { "a.yaml": described, "b.yaml": described },
      tab(["a.yaml", "b.yaml"]),
      [overview, `${overview}-1`],
    ],
    [
      "an operation takes precedence",
      { "a.yaml": described.replace("summary: Ping", "summary: Overview") },
      tab("a.yaml"),
      [overview, `${overview}-1`],
    ],
    [
      "a written page at its path replaces it",
      { "a.yaml": described, [`${overview}.mdx`]: "Mine" },
      tab("a.yaml"),
      [overview],
    ],
    [
      "a written page with the document replaces it",
      { "a.yaml": described, "start.mdx": "---\nopenapi: a.yaml\n---\nMine" },
      tab("a.yaml"),
      ["start"],
    ],
    [
      "also if the navigation lists the page",
      { "a.yaml": described, "start.mdx": "---\nopenapi: a.yaml\n---\nMine" },
      tab("a.yaml", { groups: [{ group: "Start", pages: ["start"] }] }),
      ["start"],
    ],
  ])("%s", async (_, files, navigation, expected) => {
    const { paths, read } = await build(files, navigation);
    const about = paths
      .filter((path) => /(?:overview(?:-\d)?|start)\.md$/.test(path))
      .map((path) => path.slice(0, -3))
      .sort();
    expect(about).toEqual(expected);
    const menu = read(
      paths.find((path) => path.endsWith("ping.html") || /overview(?:-\d)?\.html$/.test(path))!,
    );
    expect(about.filter((route) => !menu.includes(`${route.split("/").at(-1)}.html"`))).toEqual([]);
  });

  test.each(["a.yaml", "/a.yaml", "a", "apis/../a.yaml"])(
    "a written page with openapi: %s shows its own text and the overview",
    async (name) => {
      const page = `---\nopenapi: ${name}\n---\nRead this first.\n\n## Mine`;
      const { read, problems } = await build(
        { "a.yaml": described, "start.mdx": page },
        tab("a.yaml", { pages: ["start", "GET /ping"] }),
      );
      expect(read("start.md")).toMatch(
        /# Shop API[\s\S]*Read this first\.[\s\S]*## Mine[\s\S]*About everything/,
      );
      expect(read("start.html")).toContain("Read this first.");
      expect(briefly(problems)).toEqual(name.includes("..") ? ["openapi-other-document start.mdx:2"] : []);
    },
  );

  test.each([
    ["openapi: gone.yaml", "openapi-missing"],
    ["openapi: nonsense", "openapi-page-operation"],
  ])("%s in the frontmatter: %s", async (line, code) => {
    const { problems } = await build(
      { "a.yaml": api(), "b.yaml": api(), "start.mdx": `---\n${line}\n---\nText` },
      { pages: ["index", "start"] },
    );
    expect(problems.map((found) => `${found.code} ${found.file}:${found.line}`)).toEqual([
      `${code} start.mdx:2`,
    ]);
  });

  test.each<[string, string[], string]>([
    ["a description", [], described],
    ["tags and a license", ["openapi-unpublished shop.yaml"], texts],
  ])("if the navigation lists operations, %s: %j", async (_, expected, text) => {
    const { problems } = await build({ "shop.yaml": text }, tab("shop.yaml", { pages: ["GET /ping"] }));
    expect(briefly(problems)).toEqual(expected);
  });
});

describe("hostile and restricted texts", () => {
  test("scripts, unsafe URLs and expressions are text", async () => {
    const text = api(
      { externalDocs: { url: "javascript:alert(1)", description: "<script>alert(2)</script>" } },
      {
        description: "<script>alert(3)</script> {process.exit()} <img src=x onerror=alert(4)>",
        contact: { name: "A", url: "javascript:alert(5)" },
      },
    );
    const html = (await build({ "a.yaml": text }, tab("a.yaml"))).read(`${overview}.html`);
    expect(html).not.toMatch(/<script>alert|href="javascript|<img[^>]*onerror/);
  });

  test("the text of a tag is left out if all its operations are hidden or for groups", async () => {
    const text = api({
      tags: ["open", "staff", "gone", "free"].map((name) => ({ name, description: `About ${name}` })),
      paths: {
        "/a": {
          get: operation("A", { tags: ["open"] }),
          post: operation("B", { tags: ["open", "staff"], "x-platform": { groups: ["staff"] } }),
        },
        "/c": { get: operation("C", { tags: ["gone"], "x-hidden": true }) },
      },
    });
    const page = (
      await build({ "a.yaml": text }, tab("a.yaml"), { readers: "signed-in" }, { auth: { method: "jwt" } })
    ).read(`${overview}.md`);
    expect(page.match(/About \w+/g)).toEqual(["About open", "About free"]);
  });
});
