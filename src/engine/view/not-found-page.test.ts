import { describe, expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

const lost = (description: string) => ({ errors: { "404": { title: "Lost", description } } });

describe("the 404 page", () => {
  test("shows the author's text, with components", async () => {
    const site = await buildSiteFrom(
      siteOf(
        { "index.mdx": "Hi" },
        lost('Write to us:\n\n<Card title="Support" href="/index">We help <Nope /></Card>'),
      ),
    );
    const html = mainOf(site.read("404.html"));
    expect(html).toContain('<a href="/index.html">Support</a>');
    expect(site.problems).toMatchObject([
      { code: "unknown-component", file: "docs.json", line: expect.any(Number) },
    ]);
  });

  test("runs code in the author's text", async () => {
    const site = await buildSiteFrom(
      siteOf({ "index.mdx": "Hi" }, lost("Error {[4, 0, 4].map(String).join('')}")),
    );
    expect(mainOf(site.read("404.html"))).toContain("Error 404");
    expect(site.problems).toEqual([]);
  });

  test("starts every URL at the site's root", async () => {
    const files = siteOf({ "index.mdx": "Hi", "a/b.mdx": "Hi" });
    expect((await buildSiteFrom(files)).read("404.html")).not.toMatch(/(?:href|src)="(?!\/|#|https)/);
    const below = await buildSiteFrom(files, { origin: "https://acme.test/docs" });
    expect(below.read("404.html")).toContain('href="/docs/a/b.html"');
  });

  test("lists only the pages that readers may see", async () => {
    const site = await buildSiteFrom(
      siteOf({ "index.mdx": "Hi", "seen.mdx": "Hi", "hidden.mdx": "---\nhidden: true\n---\nHi" }),
    );
    expect(site.read("_octavo/pages.js")).toMatch(
      /octavoPages\?\.\(\[\["Home","\/index\.html"\],\["Seen","\/seen\.html"\]\]\)\n$/,
    );
  });

  test("offers search and marks no tab as current", async () => {
    const navigation = {
      tabs: [
        { tab: "Guides", pages: ["index"] },
        { tab: "API", pages: ["api"] },
      ],
    };
    const html = (await buildSiteFrom(siteOf({ "index.mdx": "Hi", "api.mdx": "Hi" }, { navigation }))).read(
      "404.html",
    );
    expect(html).toMatch(/<main[\s\S]*<button [^>]*data-feature="search"/);
    expect(/<nav class="o-sections nav-tabs"[\s\S]*?<\/nav>/.exec(html)![0]).not.toContain("aria-current");
  });
});

test.each([
  [{}, "/"],
  [{ origin: "https://example.com/docs" }, "/docs/"],
])("a page called 404 is shown for unknown paths at any depth, for the target %j", async (target, base) => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": "Hi", "404.mdx": "Nothing grows here. [Home](/)", "a/404.mdx": "Error 404." }),
    target,
  );
  expect(site.problems).toEqual([]);
  const html = site.read("404.html");
  expect(html).toContain("Nothing grows here.");
  expect(
    html
      .match(/<(?:link|script|a)\s[^>]*(?:href|src)="(?!#|https?:)[^"]*"/g)!
      .filter((tag) => !tag.includes(`="${base}`)),
  ).toEqual([]);
  expect(site.read("a/404.html")).toContain("Error 404.");
  expect(JSON.parse(site.read("_octavo/redirects.json")).notFound).toBe("page");
  expect(site.read("sitemap.xml")).not.toMatch(/<loc>(?:[^<]*\.com\/docs)?\/404</);
  expect(html).toContain('content="noindex"');
});
