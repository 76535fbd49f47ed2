/** A site's own names for things: a query with one name also finds pages that only use another one. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { openIndex } from "../../../test/engine/open-index.ts";

import { aliasesIn } from "./site-aliases.ts";

test.each([
  [
    "an abbreviation after its words",
    "Use a bill of materials (BOM) for each product.",
    ["BOM, bill of materials"],
  ],
  [
    "an abbreviation before its words",
    "The BOM (bill of materials) lists parts.",
    ["BOM, bill of materials"],
  ],
  [
    "words with hyphens, and a plural",
    "Set up point-of-sale (POS) and stock keeping units (SKUs).",
    ["POS, point-of-sale", "SKU, stock keeping units"],
  ],
  ["a term with another name", "A **kiln run**, also called **firing**, takes a day.", ["kiln run, firing"]],
  ["another name in parentheses", "A _batch_ (formerly known as a lot) has one owner.", ["batch, lot"]],
  ["other words in parentheses", "The report (PDF) is sent by mail (see GitHub).", []],
  ["a term that isn't emphasized", "It's also called **firing**.", []],
])("%s", (_name, text, expected) => {
  expect(aliasesIn(text)).toEqual(expected);
});

test("words with letters outside the basic plane are read completely", () => {
  const long = (start: string) => start + "𝐚".repeat(39);
  const words = [..."abcdefg"].map(long).join(" ");
  expect(aliasesIn(`${words} (ABCDEFG)`)).toEqual([`ABCDEFG, ${words}`]);
  expect(
    aliasesIn(`zz${"x".repeat(15)} ${[..."bcd"].map(long).join(" ")} ee${"𝐚".repeat(15)} (XBCDE)`),
  ).toEqual([]);
  expect(
    aliasesIn(`𝐚${"a".repeat(40)} ${[..."bcdefg"].map((letter) => letter.repeat(40)).join(" ")} (ABCDEFG)`),
  ).toEqual([]);
});

test("long runs of letters take linear time, and commas don't add names", () => {
  const start = process.cpuUsage();
  for (const text of [
    `${"a".repeat(1_990)} (`,
    `${"Aa ".repeat(660)}(`,
    "**a ".repeat(490),
    "_".repeat(1_990),
  ])
    for (let round = 0; round < 20; round++) expect(aliasesIn(text)).toEqual([]);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  expect(aliasesIn(`${"a".repeat(100_000)} (AB)`)).toEqual([]);
  expect(aliasesIn("**install**, also called **a, b, c**")).toEqual([]);
});

test("a query with one name finds a page that only uses the other", async () => {
  const files = {
    "index.mdx": "---\ntitle: Start\n---\n\nEach product has a bill of materials (BOM).",
    "import.mdx": "---\ntitle: Import\n---\n\nUpload a BOM as a spreadsheet.",
    "other.mdx": "---\ntitle: Costs\n---\n\nEach order has a price in euros.",
  };
  const index = await openIndex(await buildSiteFrom(siteOf(files)));
  const routes = async (text: string) =>
    (await index.search({ text, limit: 5 })).hits.map(({ route }) => route);
  expect(await routes("upload the bill of materials")).toEqual(expect.arrayContaining(["import"]));
  expect((await routes("bill of materials spreadsheet"))[0]).toBe("import");
});

test("a page that only some readers may read doesn't define names for others", async () => {
  const files = {
    "index.mdx": "---\ntitle: Start\n---\n\nWelcome.",
    "secret.mdx":
      "---\ntitle: Plans\ngroups: [staff]\n---\n\nThe new orbital payment hub (OPH) comes in May.",
  };
  const site = await buildSiteFrom(siteOf(files), { kind: "cloud", readers: "signed-in" });
  const heads = site.paths
    .filter((path) => /search.*head/.test(path))
    .map((path) => [path, site.read(path)] as const);
  expect(heads.filter(([, text]) => text.includes("OPH"))).toHaveLength(1);
});
