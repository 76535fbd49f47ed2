/** Tests the visibility of pages for each way to hide them. */

import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom } from "../../../../test/engine/build.ts";
import { sectionsIn } from "../../../../test/engine/open-index.ts";

/** Expected visibility of a page. */
interface Matrix {
  sidebar: boolean;
  /** Whether the site's search and assistant find the page. */
  search: boolean;
  sitemap: boolean;
  /** Content of the robots meta tag; `none` for any content other than `noindex`, and without the tag. */
  robots: "noindex" | "none";
  llms: boolean;
}

interface Case {
  frontmatter?: string;
  /** Position of the page in the navigation; absent if it is not listed. */
  listed?: object;
  settings?: object;
}

const inGroup = (group: object = {}) => ({ group: "Group", pages: ["page"], ...group });

const cases: [string, Case, Matrix][] = [
  [
    "an ordinary page",
    { listed: inGroup() },
    { sidebar: true, search: true, sitemap: true, robots: "none", llms: true },
  ],
  [
    "page hidden: true",
    { listed: inGroup(), frontmatter: "hidden: true" },
    { sidebar: false, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "page not in the navigation",
    {},
    { sidebar: false, search: false, sitemap: false, robots: "none", llms: false },
  ],
  [
    "page noindex: true",
    { listed: inGroup(), frontmatter: "noindex: true" },
    { sidebar: true, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "page searchable: false",
    { listed: inGroup(), frontmatter: "searchable: false" },
    { sidebar: true, search: false, sitemap: true, robots: "none", llms: true },
  ],
  [
    "hidden group",
    { listed: inGroup({ hidden: true }) },
    { sidebar: false, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "hidden group with searchable: true",
    { listed: inGroup({ hidden: true, searchable: true }) },
    { sidebar: false, search: true, sitemap: true, robots: "none", llms: true },
  ],
  [
    "hidden group inside a searchable group",
    { listed: { group: "Outer", hidden: true, searchable: true, pages: [inGroup({ hidden: true })] } },
    { sidebar: false, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "page hidden: true in a searchable group",
    { listed: inGroup({ hidden: true, searchable: true }), frontmatter: "hidden: true" },
    { sidebar: false, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "page hidden: false in a hidden group",
    { listed: inGroup({ hidden: true }), frontmatter: "hidden: false" },
    { sidebar: false, search: true, sitemap: true, robots: "none", llms: true },
  ],
  [
    "not in the navigation, seo.indexing: all",
    { settings: { seo: { indexing: "all" } } },
    { sidebar: false, search: true, sitemap: true, robots: "none", llms: true },
  ],
  [
    "page hidden: true, seo.indexing: all",
    { listed: inGroup(), frontmatter: "hidden: true", settings: { seo: { indexing: "all" } } },
    { sidebar: false, search: true, sitemap: true, robots: "none", llms: true },
  ],
  [
    "page noindex: true, seo.indexing: all",
    { listed: inGroup(), frontmatter: "noindex: true", settings: { seo: { indexing: "all" } } },
    { sidebar: true, search: false, sitemap: false, robots: "noindex", llms: false },
  ],
  [
    "robots: noindex for the whole site",
    { listed: inGroup(), settings: { seo: { metatags: { robots: "noindex" } } } },
    { sidebar: true, search: true, sitemap: false, robots: "noindex", llms: false },
  ],
];

describe("hidden pages", () => {
  test.each(cases)("%s", async (_name, { frontmatter = "", listed, settings = {} }, expected) => {
    const docsJson = {
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { groups: [{ group: "Open", pages: ["index"] }, ...(listed ? [listed] : [])] },
      ...settings,
    };
    const site = await buildSiteFrom(
      {
        "docs.json": JSON.stringify(docsJson),
        "index.mdx": "Home.",
        "page.mdx": `---\n${frontmatter}\n---\n\nText of the page.`,
      },
      { origin: "https://docs.example.com" },
    );
    expect(site.problems).toEqual([]);
    expect(seen(site)).toEqual(expected);
    expect(site.read("page.html"), "its address works").toMatch("Text of the page.");
  });
});

function seen(site: BuiltSite): Matrix {
  return {
    sidebar: /<nav id="sidebar"[\s\S]*?<\/nav>/.exec(site.read("index.html"))![0].includes('"page.html"'),
    search: sectionsIn(site).some(({ route }) => route === "page"),
    sitemap: site.read("sitemap.xml").includes("<loc>https://docs.example.com/page</loc>"),
    robots:
      /<meta name="robots" content="([^"]*)"/.exec(site.read("page.html"))?.[1] === "noindex"
        ? "noindex"
        : "none",
    llms:
      site.read("llms.txt").includes("/page.md)") && site.read("llms-full.txt").includes("Text of the page."),
  };
}
