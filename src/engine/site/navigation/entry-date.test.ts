import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";
import { entryDate } from "./entry-date.ts";

test.each([
  ["2026-09-01", "2026-09-01"],
  ["v3 (2026/9/1)", "2026-09-01"],
  ["2026.09.01", "2026-09-01"],
  ["1.9.2026", "2026-09-01"],
  ["2026-09", "2026-09-01"],
  ["September 1, 2026", "2026-09-01"],
  ["Sept. 1st, 2026", "2026-09-01"],
  ["Week of Sep 1 2026", "2026-09-01"],
  ["1 September 2026", "2026-09-01"],
  ["Tue, 1 Sep 2026", "2026-09-01"],
  ["September 2026", "2026-09-01"],
  ["v2.5 June 2026", "2026-06-01"],
  ["1er septembre 2026", "2026-09-01"],
  ["1. September 2026", "2026-09-01"],
  ["1 de septiembre de 2026", "2026-09-01"],
  ["1 сентября 2026", "2026-09-01"],
  ["2026年9月1日", "2026-09-01"],
  ["2026년 9월 1일", "2026-09-01"],
  ["2026-02-30", undefined],
  ["1.2.2026.4", undefined],
  ["v2026.1", undefined],
  ["2.0.1", undefined],
  ["May the update be with you", undefined],
  ["06/12/2026", undefined],
  ["Next", undefined],
  ["", undefined],
])("the date of the entry %j is %s", (label, date) => expect(entryDate(label)).toBe(date));

test("the props `date` and `description` of an entry are both shown, and `date` is the date in the feed", async () => {
  const page =
    '---\nrss: true\n---\n\n<Update label="v2" description="Second" date="2026-08-01">Text.</Update>\n';
  const site = await buildSiteFrom(siteOf({ "index.mdx": page }));
  expect(site.read("index.html")).toMatch(/<p class="o-update-description">Second · 2026-08-01<\/p>/);
  expect(site.read("index.md")).toContain("Second · 2026-08-01");
  expect(site.read("rss.xml")).toContain("<pubDate>Sat, 01 Aug 2026 00:00:00 GMT</pubDate>");
});
