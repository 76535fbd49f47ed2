/** Files for agents: pointers to llms.txt, links in Markdown, and the order of a page's text. */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

const clean = { kind: "cloud", links: "clean" } as const;
const linked = [
  "See [Keys](/guides/keys#rotate), [Keys](/guides/keys.md), ![Plant](/plant.svg), and [the web](https://example.com/a).",
  "`[code](/guides/keys)` stays.",
  "```md\n[code](/guides/keys)\n```",
  "[Here](#here)",
].join("\n\n");
const files = siteOf({
  "index.mdx": `---\ndescription: All about plants.\n---\n\n${linked}\n`,
  "guides/keys.mdx": "## Rotate\n\nText.",
  "hidden.mdx": "---\nhidden: true\n---\n\nText.",
  "plant.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
});

describe("pointers to llms.txt", () => {
  test.each([
    ["with the site's URL", { ...clean, origin: "https://docs.acme.dev" }, "https://docs.acme.dev/"],
    ["below a path", { ...clean, origin: "https://acme.dev/docs" }, "https://acme.dev/docs/"],
  ])("%s, pages and Markdown start with its URL", async (_, target, root) => {
    const site = await buildSiteFrom(files, target);
    const body = /<body[^>]*>(.*)<header id="navbar"/s.exec(site.read("guides/keys.html"))?.[1];
    expect(body).toContain(`For AI agents: ${root}llms.txt lists all pages.<`);
    expect(site.read("guides/keys.md")).toContain(
      `# Keys\n\n> Index of this documentation: [llms.txt](${root}llms.txt)\n\n`,
    );
  });

  test("without the site's URL, the URL on pages is relative", async () => {
    const site = await buildSiteFrom(files);
    expect(site.read("index.html")).toContain("For AI agents: ./llms.txt lists all pages.<");
    expect(site.read("guides/keys.html")).toContain("For AI agents: ../llms.txt lists all pages.<");
    expect(site.read("guides/keys.md")).toContain("> Index of this documentation: [llms.txt](/llms.txt)\n");
  });

  test("people don't see or hear the pointer on pages, and search engines don't quote it", async () => {
    const site = await buildSiteFrom(files);
    expect(site.read("index.html")).toMatch(
      /<p class="o-sr" aria-hidden="true" data-nosnippet[^>]*>For AI agents: [^<]*<\/p>/,
    );
  });

  test("the head links to llms.txt", async () => {
    const site = await buildSiteFrom(files);
    expect(site.read("guides/keys.html")).toContain(
      '<link rel="describedby" type="text/markdown" href="../llms.txt">',
    );
  });

  test("a hidden page doesn't name its Markdown", async () => {
    const html = (await buildSiteFrom(files)).read("hidden.html");
    expect(html).toContain("For AI agents: ./llms.txt lists all pages.<");
    expect(html).not.toContain("hidden.md");
  });
});

describe("links in Markdown", () => {
  test.each([
    ["with the site's URL", { ...clean, origin: "https://docs.acme.dev" }, "https://docs.acme.dev"],
    ["below a path", { ...clean, origin: "https://acme.dev/docs" }, "https://acme.dev/docs"],
    ["without the site's URL", {}, ""],
  ])("%s", async (_, target, root) => {
    const site = await buildSiteFrom(files, target);
    for (const file of ["index.md", "llms-full.txt"]) {
      const text = site.read(file);
      expect(text).toContain(
        `See [Keys](${root}/guides/keys#rotate), [Keys](${root}/guides/keys), ![Plant](${root}/plant.svg), and [the web](https://example.com/a).`,
      );
      expect(text).toContain("`[code](/guides/keys)` stays.\n\n```md\n[code](/guides/keys)\n```");
      expect(text).toContain("[Here](#here)");
    }
  });

  test("in the reference of an API", async () => {
    const document = {
      openapi: "3.1.0",
      info: { title: "API", version: "1" },
      paths: {
        "/keys": {
          get: {
            description: "Not [code](/guides/keys).",
            responses: { 200: { description: "See [Keys](/guides/keys)." } },
          },
        },
      },
    };
    const site = await buildSiteFrom(
      {
        ...files,
        ...siteOf(
          { "index.mdx": "Text.", "guides/keys.mdx": "Text." },
          { navigation: { pages: ["index", "guides/keys", "GET /keys"] }, api: { openapi: "api.json" } },
        ),
        "api.json": JSON.stringify(document),
      },
      { ...clean, origin: "https://docs.acme.dev" },
    );
    const file = site.paths.find((path) => /keys\.md$/.test(path) && path !== "guides/keys.md")!;
    expect(site.read(file)).toContain("See [Keys](https://docs.acme.dev/guides/keys).");
  });
});

test("the parts of a row are apart in a page's text", async () => {
  const site = await buildSiteFrom(
    siteOf({
      "index.mdx":
        '<ParamField query="limit" type="integer" default="20" required>Text.</ParamField>\n\n<Tree>\n<Tree.File name="docs.json" comment="Settings" />\n</Tree>\n\n<Tooltip headline="Quarto" tip="Four leaves.">term</Tooltip>',
    }),
  );
  const words = mainOf(site.read("index.html"))
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ");
  expect(words).toContain("limit integer default 20 required");
  expect(words).toContain("docs.json Settings");
  expect(words).toContain("Quarto Four leaves.");
});

describe("indexes", () => {
  const origin = "https://acme.dev/docs";
  const long = "Describes plants and how to care for them. ".repeat(7);
  const page = `---\ndescription: ${long}\n---\n\nText.`;
  const pagesOf = (routes: readonly string[]) =>
    siteOf(Object.fromEntries(routes.map((route) => [`${route}.mdx`, page])));
  const numbered = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`);

  test.each<[name: string, routes: string[], indexes: string[]]>([
    ["a small site", ["index", ...numbered("guides/a", 20)], ["llms.txt"]],
    [
      "a large site",
      [
        "index",
        "start",
        ...numbered("q", 40),
        ...numbered("guides/a", 120),
        ...numbered("api/v1/b", 90),
        ...numbered("api/v2/b", 90),
        "faq/one",
      ],
      ["api/llms.txt", "api/v1/llms.txt", "guides/llms.txt", "llms.txt"],
    ],
    [
      "a large site below one folder",
      numbered("de/x/p", 200),
      ["de/llms.txt", "de/x/llms-2.txt", "de/x/llms.txt", "llms.txt"],
    ],
    ["a large site without folders", numbered("p", 200), ["llms-2.txt", "llms.txt"]],
    [
      "a large site with many small folders",
      numbered("f", 700).map((folder) => `${folder}/page-with-a-name`),
      ["llms-2.txt", "llms-3.txt", "llms-4.txt", "llms-5.txt", "llms-6.txt", "llms.txt"],
    ],
  ])("%s: each page is in one index, and llms.txt leads to all indexes", async (_, routes, expected) => {
    const site = await buildSiteFrom(pagesOf(routes), { ...clean, origin });
    const paths = site.paths.filter(
      (path) => /(?:^|\/)llms(?:-\d+)?\.txt$/.test(path) && !path.startsWith("."),
    );
    expect(paths).toEqual(expected);
    const urls: string[] = [];
    const seen: string[] = [];
    const visit = (path: string) => {
      seen.push(path);
      const text = site.read(path);
      expect(text.length).toBeLessThanOrEqual(50_000);
      for (const [, url] of text.matchAll(/\]\(https:\/\/acme\.dev\/docs\/([^)]+)\)/g))
        if (url!.endsWith(".txt")) visit(url!);
        else urls.push(url!);
    };
    visit("llms.txt");
    expect(seen.sort()).toEqual(expected);
    expect(urls.sort()).toEqual(routes.map((route) => `${route}.md`).sort());
    expect(site.read(".well-known/llms.txt")).toBe(site.read("llms.txt"));
  });

  test("an author's file replaces an index", async () => {
    const files = { ...pagesOf([...numbered("guides/a", 200), "index"]), "guides/llms.txt": "Own index." };
    const site = await buildSiteFrom(files, { ...clean, origin });
    expect(site.read("guides/llms.txt")).toBe("Own index.");
    expect(site.read("llms.txt")).toContain("- [Guides](https://acme.dev/docs/guides/llms.txt): 200 pages");
  });
});
