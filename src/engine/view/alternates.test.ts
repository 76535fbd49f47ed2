import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const files = {
  "index.mdx": "Text.",
  "setup.mdx": "Text.",
  "only.mdx": "Text.",
  "es/index.mdx": "Texto.",
  "es/setup.mdx": "Texto.",
  "ja/setup.mdx": "---\nnoindex: true\n---\n\nText.",
};
const navigation = {
  languages: [
    { language: "en", default: true, pages: ["index", "setup", "only"] },
    { language: "es", pages: ["es/index", "es/setup"] },
    { language: "jp", pages: ["ja/setup"] },
  ],
};
const origin = "https://docs.example.com";

function alternatesIn(text: string): string[] {
  return [...text.matchAll(/rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(
    ([, language, href]) => `${language} ${href}`,
  );
}

describe("links to translations", () => {
  const setup = [`en ${origin}/setup`, `x-default ${origin}/setup`, `es ${origin}/es/setup`];
  const home = [`en ${origin}/`, `x-default ${origin}/`, `es ${origin}/es`];
  test.each([
    ["index.html", home],
    ["es.html", home],
    ["setup.html", setup],
    ["es/setup.html", setup],
    ["only.html", []],
    ["ja/setup.html", []],
  ])("in %s are the same on each translation", async (file, links) => {
    expect(alternatesIn((await buildSiteFrom(siteOf(files, { navigation }), { origin })).read(file))).toEqual(
      links,
    );
  });

  test("are in the sitemap", async () => {
    const sitemap = (await buildSiteFrom(siteOf(files, { navigation }), { origin })).read("sitemap.xml");
    expect(sitemap).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"');
    expect(alternatesIn(sitemap)).toEqual([...home, ...setup, ...home, ...setup]);
  });

  test("are left out if the site's URL is unknown, or if the pages are for groups", async () => {
    expect(alternatesIn((await buildSiteFrom(siteOf(files, { navigation }))).read("setup.html"))).toEqual([]);
    const restricted = { ...files, "es/setup.mdx": "---\ngroups: [staff]\n---\n\nTexto." };
    const site = await buildSiteFrom(siteOf(restricted, { navigation }), { origin, readers: "signed-in" });
    expect(alternatesIn(site.read("setup.html"))).toEqual([]);
  });
});
