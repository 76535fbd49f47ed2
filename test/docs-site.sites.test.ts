/** Checks the URLs and the migration guide of our documentation against what a build does. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildSite } from "../src/engine/site/build-site.ts";
import { docsFolderFiles } from "../src/io/docs-folder-files.ts";
import { buildSiteFrom, readFiles } from "./engine/build.ts";
import { openIndex, sectionsIn } from "./engine/open-index.ts";

const docs = path.resolve(import.meta.dirname, "../docs");

/** URLs of earlier versions of our documentation that differ from today's. */
const earlier = [
  "apis/machines",
  "components/headings-and-passages",
  "integrate/reference/analytics/count-questions-by-who-asked",
  "integrate/reference/analytics/delete-a-conversations-turn",
  "integrate/reference/analytics/list-views-of-pages",
  "integrate/reference/analytics/list-visitors-of-pages",
  "integrate/reference/analytics/list-what-is-searched-for",
  "integrate/reference/operator/invite-somebody-to-an-organization",
  "organize/look",
  "organize/machines",
  "self-host/any-host",
  "self-host/cluster",
  "self-host/kinds",
  "service/people",
  "service/several-machines",
  "write/author-components",
];

test("old URLs redirect to pages", { timeout: 120_000 }, async () => {
  const { site } = await buildSite(docsFolderFiles(docs).files, { generator: "test", clock: Date.now });
  const routes = new Set([...site.pages.values()].map((page) => `/${page.route}`));
  const { redirects } = JSON.parse(readFileSync(path.join(docs, "docs.json"), "utf8")) as {
    redirects: Record<string, string>[];
  };
  const targets = new Map(redirects.map(({ source, destination }) => [source, destination!]));
  expect(earlier.filter((url) => !routes.has(targets.get(`/${url}`) ?? ""))).toEqual([]);
});

test("a page of a problem or an operation precedes no guide, unless its name is searched", {
  timeout: 120_000,
}, async () => {
  const site = await buildSiteFrom(readFiles(docs));
  const index = await openIndex(site);
  const pages = sectionsIn(site).filter(({ anchor }) => anchor === "");
  const isDerived = (route: string) => /^(?:problems|integrate\/reference|shop)\//.test(route);
  const words = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
      .filter((word) => !/^(?:an?|the|of)$/.test(word))
      .join(" ");
  const names = new Set(pages.filter(({ route }) => isDerived(route)).map(({ title }) => words(title)));
  const titles = pages.filter(({ route }) => !isDerived(route)).map(({ title }) => title);
  // Typed too fast.
  const misspelled = titles.filter((title) => !title.includes(" ")).map((title) => title + title.at(-1));
  const queries = [
    ...titles,
    ...misspelled,
    ...titles.map((title) => title.split(" ").slice(0, 2).join(" ")),
  ];
  const wrong: string[] = [];
  for (const query of new Set(queries)) {
    const first = (await index.search({ text: query, limit: 1 })).hits[0]?.route;
    if (first === undefined || (isDerived(first) && !names.has(words(query))))
      wrong.push(`${query}: ${first}`);
  }
  expect(wrong).toEqual([]);
});

const guide = readFileSync(path.join(docs, "migrate/mintlify.mdx"), "utf8");
const rows = [...guide.matchAll(/^\| `("[^`]+)` \| .* \| (?:–|\[([\w-]+)\]\(.*\)) \|$/gm)].map(
  ([, key, code]) => [key!, code] as const,
);

test("the migration guide lists settings", () => expect(rows.length).toBeGreaterThan(5));

test.each(rows)("a migrated docs.json with %s is reported as %s", async (key, code) => {
  const config = {
    theme: "mint",
    name: "A",
    colors: { primary: "#123456" },
    navigation: { pages: ["index"] },
  };
  const { problems } = await buildSiteFrom({
    "docs.json": JSON.stringify({ ...config, ...JSON.parse(`{${key}}`) }),
    "index.mdx": "# Hello",
  });
  expect(problems.map((problem) => problem.code)).toEqual(code ? [code] : []);
});
