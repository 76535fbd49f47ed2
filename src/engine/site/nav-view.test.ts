import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const pages = { "index.mdx": "Hi", "more/a.mdx": "Hi" };
const navigation = { groups: [{ group: "Top", pages: ["index", { group: "More", pages: ["more/a"] }] }] };

test.each([
  [true, true],
  [false, false],
  [undefined, false],
])("with drilldown %s, the title of a nested group links to its first page: %s", async (drilldown, leads) => {
  const site = await buildSiteFrom(siteOf(pages, { navigation, ...(drilldown === undefined ? {} : { interaction: { drilldown } }) }));
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
  const tree = /<ul class="o-tree">[\s\S]*?<\/nav>/.exec(html)![0];
  expect(tree).toMatch(/^<ul class="o-tree"><li><a [^>]*aria-current="page"/);
  expect(tree.match(/class="o-top"/g)).toHaveLength(1);
  expect(html).not.toContain("o-eyebrow");
});
