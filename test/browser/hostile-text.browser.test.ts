/** No payload in an OpenAPI document runs in a reader's browser, with any headers of the host. */

import { beforeAll, describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";
import { crawl } from "./hostile-crawl.ts";
import { hostileDocument, payloads } from "./hostile-document.ts";

const pages = 24;
let site: BuiltSite;
const { open } = useChromium();

beforeAll(async () => {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index"] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation,
      api: { examples: { prefill: true }, params: { expanded: "all", post: ["title"] } },
    }),
    "index.mdx": "Home",
    "api.json": hostileDocument(pages),
  });
}, 120_000);
test("there are at least 150 payloads", () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(150);
});

describe.each([
  ["without a policy", false],
  ["with a strict policy", true],
])("%s", (_, strict) => {
  test("no page, no playground and no schema of its own runs anything", { timeout: 400_000 }, async () => {
    const found = site.paths.filter(
      (path) =>
        path.endsWith(".html") &&
        (path.startsWith("api-reference/") || path.startsWith("_octavo/schemas/") || path.startsWith("_octavo/nav/")),
    );
    expect(found.filter((path) => path.startsWith("api-reference/")).length).toBe(pages);
    expect(await crawl(open, site, found, strict)).toEqual([]);
  });
});
