/** Time from a key press to search results. Runs alone, so that other work doesn't affect it. */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSiteFrom, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { type AskingHost, serveAsking } from "./asking-fixture.ts";
import { useChromium } from "./chromium.ts";

const { open } = useChromium();

const sources = siteOf({
  "index.mdx": "---\ntitle: Home\n---\n\nWelcome to the garden.\n",
  "watering.mdx":
    "---\ntitle: Watering plants\n---\n\n## In summer\n\nWater every evening.\n\n## In winter\n\nHardly any water.\n",
  "pruning.mdx": "---\ntitle: Pruning\n---\n\n## Tools\n\nSharp scissors, and water for your hands.\n",
});

const folder = temporaryFolder();
let host: AskingHost;

beforeAll(async () => {
  const bundle = await buildSiteFrom(sources, { kind: "client-hosted", links: "html" });
  writeFiles(folder, Object.fromEntries(bundle.paths.map((file) => [file, bundle.read(file)])));
  host = await serveAsking(await buildSiteFrom(sources, { kind: "cloud", links: "clean" }));
});
afterAll(() => host.close());

test.each([
  ["from disk", () => pathToFileURL(path.join(folder, "index.html")).href],
  ["from a server", () => host.url],
])("%s, within 100 ms of the first key", async (_name, url) => {
  let best = Number.POSITIVE_INFINITY;
  for (let reader = 0; reader < 3; reader++) {
    await open(url(), async (page) => {
      await page.keyboard.press("/");
      await page.locator("dialog.o-search").waitFor();
      await page.waitForTimeout(500);
      await page.evaluate(`
        const field = document.querySelector(".o-search input");
        field.addEventListener("input", () => { globalThis.typed = performance.now(); }, { once: true, capture: true });
        new MutationObserver((_, observer) => {
          if (!document.querySelector('.o-search .o-hit-title')) return;
          globalThis.shown = performance.now();
          observer.disconnect();
        }).observe(document.querySelector(".o-search"), { childList: true, subtree: true });
      `);
      await page.keyboard.type("w");
      await page.locator(".o-hit-title").first().waitFor();
      best = Math.min(best, await page.evaluate("globalThis.shown - globalThis.typed"));
    });
  }
  expect(best).toBeLessThan(100);
});
