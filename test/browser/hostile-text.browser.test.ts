/** No payload in an OpenAPI document runs in a reader's browser. */

import { beforeAll, expect, test } from "vitest";
import type { BuiltSite } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";
import { crawl } from "./hostile-crawl.ts";
import { documentFiles, hostileDocumentSite, payloads } from "./hostile-document.ts";

let site: BuiltSite;
const { open } = useChromium();

beforeAll(async () => {
  site = await hostileDocumentSite();
}, 120_000);

test("there are at least 150 payloads", () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(150);
});

// `hostile-site.long.test.ts` opens all of these pages, with a strict policy.
test("no page, no playground and no schema of its own runs anything", { timeout: 400_000 }, async () => {
  const files = documentFiles(site).filter((_, index) => index % 3 === 0);
  expect(await crawl(open, site, files, false)).toEqual([]);
});
