import { expect, test } from "vitest";
import { briefly, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

test("an author's files and redirects don't replace files in _octavo/", async () => {
  const own = {
    "_octavo/security.json": "own",
    "_octavo/proxy.json": "own",
    "_octavo/redirects.json": "own",
    "_octavo/other.json": "own",
    "_octavo/sign-in.mdx": "own",
  };
  const settings = {
    navigation: { pages: ["index"] },
    redirects: [{ source: "/_octavo/sign-in", destination: "/" }],
  };
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text.", ...own }, settings), {
    readers: "signed-in",
    links: "clean",
  });
  expect(briefly(site.problems).sort()).toEqual(
    Object.keys(own)
      .sort()
      .map((file) => `unsafe-path ${file}`),
  );
  expect(site.paths).not.toContain("_octavo/other.json");
  expect(site.paths).not.toContain("_octavo/proxy.json");
  expect(JSON.parse(site.read("_octavo/security.json"))).toHaveProperty("kind");
  expect(JSON.parse(site.read("_octavo/redirects.json"))).toHaveProperty("redirects");
  expect(site.read("_octavo/sign-in.html")).toMatch("o-sign-in-form");
});
