/** Checks the URLs and the migration guide of our documentation against what a build does. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildSite } from "../src/engine/site/build-site.ts";
import { docsFolderFiles } from "../src/io/docs-folder-files.ts";
import { buildSiteFrom } from "./engine/build.ts";

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
