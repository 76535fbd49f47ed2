import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const pages = { "index.mdx": "Hi", "more/a.mdx": "Hi" };
const navigation = { groups: [{ group: "Top", pages: ["index", { group: "More", pages: ["more/a"] }] }] };

test.each([
  [true, true],
  [false, false],
  [undefined, false],
])("with drilldown %s, the title of a nested group links to its first page: %s", async (drilldown, leads) => {
  const site = await buildSiteFrom(
    siteOf(pages, { navigation, ...(drilldown === undefined ? {} : { interaction: { drilldown } }) }),
  );
  const html = /<nav id="sidebar"[\s\S]*?<\/nav>/.exec(site.read("index.html"))![0];
  expect(/<a href="more\/a.html"[^>]*>(?:<[^>]*>)*More/.test(html)).toBe(leads);
  expect(html).not.toMatch(/<a [^>]*>(?:<[^>]*>)*Top/);
});

test("a page that is listed in several versions belongs to the default version", async () => {
  const versions = [
    { version: "v2", pages: ["index"] },
    { version: "v1", default: true, pages: ["index"] },
  ];
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Hi" }, { navigation: { versions } }));
  expect(site.read("index.html")).toMatch(/aria-current="[^"]*"[^>]*>(?:<[^>]*>)*v1/);
});

test.each(["tabs", "anchors"])("a page outside the navigation is in none of the %s", async (kind) => {
  const label = kind === "tabs" ? "tab" : "anchor";
  const navigation = {
    [kind]: [
      { [label]: "Guides", pages: ["index"] },
      { [label]: "Reference", pages: ["more/a"] },
    ],
  };
  const site = await buildSiteFrom(siteOf({ ...pages, "more/unlisted.mdx": "Hi" }, { navigation }));
  // On narrow screens, tabs are also in the menu.
  const current = (file: string) => [
    ...new Set(
      [...site.read(file).matchAll(/<a [^>]*aria-current="[^"]*"[^>]*>(?:<[^>]*>)*(Guides|Reference)/g)].map(
        ([, name]) => name,
      ),
    ),
  ];
  expect(current("index.html")).toEqual(["Guides"]);
  expect(current("more/a.html")).toEqual(["Reference"]);
  expect(site.read("more/unlisted.html")).toContain("Reference");
  expect(current("more/unlisted.html")).toEqual([]);
});

test("the pages of a group without a name are shown without a row for it", async () => {
  const site = await buildSiteFrom(
    siteOf(pages, {
      navigation: {
        groups: [
          { group: " ", pages: ["index"] },
          { group: "Top", pages: ["more/a"] },
        ],
      },
    }),
  );
  const html = site.read("index.html");
  const tree = /<ul id="sidebar-content" class="o-tree">[\s\S]*?<\/nav>/.exec(html)![0];
  expect(tree).toMatch(/^<ul id="sidebar-content" class="o-tree"><li><a [^>]*aria-current="page"/);
  expect(tree.match(/class="o-top"/g)).toHaveLength(1);
  expect(html).not.toContain("o-eyebrow");
});

const treeOf = (html: string) =>
  /<ul id="sidebar-content" class="o-tree">[\s\S]*?<\/ul>(?=<a class="o-nav-all"|<\/nav>)/.exec(html)![0];

test("in a large navigation, each page marks only itself, and all links lead from its folder to existing pages", async () => {
  const folders = ["a", "b/deep", "c/much/deeper"];
  const routes = folders.flatMap((folder) =>
    Array.from({ length: 40 }, (_, number) => `${folder}/p${number}`),
  );
  const group = (folder: string) => ({
    group: folder,
    root: `${folder}/p0`,
    pages: routes.filter((route) => route.startsWith(`${folder}/`)).slice(1),
  });
  const site = await buildSiteFrom(
    siteOf(Object.fromEntries(routes.map((route) => [`${route}.mdx`, "Hi"])), {
      navigation: { groups: folders.map(group) },
    }),
  );
  for (const route of routes.filter((_, index) => index % 13 === 0)) {
    const links = [...treeOf(site.read(`${route}.html`)).matchAll(/<a [^>]*href="([^"]*)"([^>]*)>/g)].map(
      ([, href, rest]) => ({
        path: new URL(href!, `http://site/${route}`).pathname.slice(1),
        isCurrent: rest!.includes('aria-current="page"'),
      }),
    );
    expect(links.filter(({ isCurrent }) => isCurrent).map(({ path }) => path)).toEqual([`${route}.html`]);
    expect(routes.map((known) => `${known}.html`)).toEqual(
      expect.arrayContaining(links.map(({ path }) => path)),
    );
  }
});

test("the badge of a deprecated page is in the language of the page whose navigation lists it", async () => {
  const languages = [
    { language: "en", pages: ["index", "old"] },
    { language: "de", pages: ["de", "old"] },
  ];
  const files = { "index.mdx": "Hi", "de.mdx": "Hallo", "old.mdx": "---\ndeprecated: true\n---\n\nOld" };
  const site = await buildSiteFrom(siteOf(files, { navigation: { languages } }));
  expect(treeOf(site.read("index.html"))).toContain("Deprecated");
  expect(treeOf(site.read("de.html"))).toContain("Veraltet");
});

/** Languages with versions, or versions with languages. Returns the link of a menu entry on a page. */
async function switchLink(
  order: "languages" | "versions",
  page: string,
  entry: string,
): Promise<string | undefined> {
  const routes = [
    "index",
    "setup",
    "old/index",
    "old/setup",
    "old/extra",
    "de/index",
    "de/setup",
    "de/old/index",
    "de/old/setup",
  ];
  const listed = (language: string, version: string) =>
    routes.filter(
      (route) =>
        route.startsWith("de/") === (language === "de") && route.includes("old/") === (version === "old"),
    );
  const versions = (language: string) =>
    ["new", "old"].map((version) => ({
      version,
      groups: [{ group: "G", pages: listed(language, version) }],
    }));
  const languages = (version: string) =>
    ["en", "de"].map((language) => ({
      language,
      groups: [{ group: "G", pages: listed(language, version) }],
    }));
  const navigation =
    order === "languages"
      ? { languages: ["en", "de"].map((language) => ({ language, versions: versions(language) })) }
      : { versions: ["new", "old"].map((version) => ({ version, languages: languages(version) })) };
  const files = Object.fromEntries(routes.map((route) => [`${route}.mdx`, "Hi"]));
  const site = await buildSiteFrom(siteOf(files, { navigation }), { links: "clean" });
  expect(site.problems).toEqual([]);
  return new RegExp(`<a (?:[^>]* )?href="([^"]*)"[^>]*>(?:<[^>]*>)*${entry}<`).exec(
    site.read(`${page}.html`),
  )?.[1];
}

test.each([
  ["setup", "Deutsch", "/de/setup"],
  ["old/setup", "Deutsch", "/de/old/setup"],
  ["old/extra", "Deutsch", "/de/old"],
  ["de/setup", "old", "/de/old/setup"],
  ["de/old/setup", "new", "/de/setup"],
  ["de/old/setup", "English", "/old/setup"],
  ["de", "old", "/de/old"],
])("on /%s, the menu entry %s opens %s", async (page, entry, href) => {
  expect(await switchLink("languages", page, entry)).toBe(href);
  expect(await switchLink("versions", page, entry)).toBe(href);
});

test("a home page outside the navigation shows the navigation of the first tab, without marks", async () => {
  const tabs = [
    { tab: "Guides", groups: [{ group: "Start", pages: ["more/a"] }] },
    { tab: "Reference", pages: ["more/b"] },
  ];
  const site = await buildSiteFrom(siteOf({ ...pages, "more/b.mdx": "Hi" }, { navigation: { tabs } }));
  const html = /<nav id="sidebar"[\s\S]*?<\/nav>/.exec(site.read("index.html"))![0];
  expect(html).toContain('href="more/a.html"');
  expect(site.read("index.html")).not.toContain("aria-current");
});
