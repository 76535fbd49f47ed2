/** Variables can't make a page much larger than its text. */

import { expect, test } from "vitest";
import { briefly, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

test("values are left out and reported once after 4,000,000 characters", async () => {
  const site = await buildSiteFrom(
    siteOf(
      { "index.mdx": `Text.\n\n${"{{long}} ".repeat(3_000)}\n\nEnd.` },
      { variables: { long: "x".repeat(1_000_000) } },
    ),
  );
  expect(briefly(site.problems)).toEqual(["too-much-work index.mdx:3"]);
  expect(site.problems[0]!.message).toBe("The variables on this page are longer than 4,000,000 characters");
  expect(site.read("index.html")).toContain("End.");
});
