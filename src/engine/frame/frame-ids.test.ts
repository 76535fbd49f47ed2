import { expect, test } from "vitest";
import { buildSiteFrom } from "../../../test/engine/build.ts";
import { withFrameIds } from "./frame-ids.ts";

const idsOf = (html: string) => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);

test("the content has its ids, and the parts of its page have others, in HTML and in styles", async () => {
  const site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "A",
      colors: { primary: "#123456" },
      navigation: { pages: ["a", "b", "c", "d"] },
    }),
    "a.mdx": "## Pagination\n\n## Pagination\n\n## Related",
    "b.mdx": "---\nrelated: [a]\n---\n[a](/a#pagination) [b](/a#pagination-2)\n\n## Assistant",
    "c.mdx": '<div id="footer">Text</div>',
    "d.mdx": "## One\n\n## Two",
  });
  expect(site.problems).toEqual([]);
  const [a, c, d] = ["a", "c", "d"].map((name) => site.read(`${name}.html`));
  expect(idsOf(a!)).toEqual(
    expect.arrayContaining(["pagination", "pagination-2", "related", "o-pagination", "o-navbar"]),
  );
  expect(idsOf(c!)).toEqual(expect.arrayContaining(["footer", "o-pagination"]));
  expect(idsOf(d!)).toEqual(expect.arrayContaining(["pagination", "navbar", "table-of-contents"]));
  for (const html of [a!, c!, d!]) expect(new Set(idsOf(html)).size).toBe(idsOf(html).length);

  const sheets = (html: string) =>
    [...html.matchAll(/rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href!);
  expect(sheets(a!).filter((href) => /-ids-/.test(href))).toHaveLength(2);
  expect(sheets(d!).filter((href) => /-ids-/.test(href))).toEqual([]);
  for (const href of sheets(a!)) expect(site.read(href)).not.toMatch(/#(?:navbar|pagination|sidebar)\b/);
});

test("sites without such headings have no further styles", async () => {
  const site = await buildSiteFrom({ "index.mdx": "## One" });
  expect(site.paths.filter((path) => /-ids-/.test(path))).toEqual([]);
});

test("only whole names are replaced", () => {
  const css = "#sidebar-content>a,#sidebar:hover{color:#fff}#sidebars,.x #table-of-contents-content{}";
  expect(withFrameIds(css)).toBe(
    "#o-sidebar-content>a,#o-sidebar:hover{color:#fff}#sidebars,.x #o-table-of-contents-content{}",
  );
});

test("authors' styles for the content area don't apply to custom pages", async () => {
  const site = await buildSiteFrom({ "index.mdx": "---\nmode: custom\n---\nText" });
  const ids = idsOf(site.read("index.html"));
  expect(ids).toContain("o-content-area");
  expect(ids).not.toContain("content-area");
  expect(site.read("index.html")).toContain('href="#o-content-area"');
});
