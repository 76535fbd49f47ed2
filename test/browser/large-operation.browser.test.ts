/** The largest operation of a real document: performance and accessibility. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, temporaryFolder } from "../engine/build.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { looks, seriousFaults, sidewaysScroll, useChromium } from "./chromium.ts";

const source = path.join(corpusOf.openapi, "adyen-balance-platform-v2-3.1.json");

describe.skipIf(!inCorpus(source))("the largest operation page", () => {
  const folder = temporaryFolder();
  const { open } = useChromium();
  let site: BuiltSite;
  let page: string;

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
      }),
      "index.mdx": "Home",
      "api.json": readFileSync(source),
    });
    const pages = site.paths.filter((file) => /^api-reference\/.*\.html$/.test(file));
    page = pages.reduce((largest, file) =>
      site.read(file).length > site.read(largest).length ? file : largest,
    );
    for (const file of site.paths) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), site.read(file));
    }
  }, 120_000);

  const address = () => pathToFileURL(path.join(folder, page)).href;
  const packed = (file: string) => gzipSync(site.read(file), { level: 9 }).length;
  const linked = (kind: "js" | "css") =>
    [...site.read(page).matchAll(new RegExp(`(?:src|href)="([^"]+\\.${kind})"`, "g"))].map((match) =>
      path.posix.join(path.posix.dirname(page), match[1]!),
    );

  test("first load at most 48 KB gzip, script at most 28 KB before the playground opens and 110 KB after", () => {
    const scripts = linked("js").reduce((sum, file) => sum + packed(file), 0);
    const styles = linked("css").reduce((sum, file) => sum + packed(file), 0);
    expect(scripts).toBeLessThanOrEqual(28 * 1024);
    expect(packed(page) + scripts + styles).toBeLessThanOrEqual(48 * 1024);
    const { script, words, operation } = JSON.parse(
      /id="oReference">([^<]*)</.exec(site.read(page))![1]!,
    ) as Record<string, string>;
    const opened = [script!, words!, operation!].map((file) =>
      path.posix.join(path.posix.dirname(page), file),
    );
    expect(scripts + opened.reduce((sum, file) => sum + packed(file), 0)).toBeLessThanOrEqual(110 * 1024);
  });

  test("at most 3,000 elements and 250 KB of HTML", async () => {
    expect(site.read(page).length).toBeLessThanOrEqual(250_000);
    await open(address(), async (tab) => {
      expect(await tab.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(3_000);
    });
  });

  test("reads complete with script off", async () => {
    await open(
      address(),
      async (tab) => {
        const text = await tab.locator("main").innerText();
        for (const heading of ["Body", "Responses"]) expect(text).toContain(heading);
        // Without scripts, all response panels are shown, and large schemas are on separate pages.
        expect(await tab.locator(".o-responses > .o-tab-panel:visible").count()).toBe(
          await tab.locator(".o-responses > .o-tab-panel").count(),
        );
        const cut = tab.locator("a.o-cut").first();
        if (await cut.count()) {
          const href = await cut.evaluate((link) => (link as HTMLAnchorElement).href);
          await tab.goto(href);
          expect(await tab.locator(".o-field, .o-fields, .o-field-root").count()).toBeGreaterThan(0);
        }
      },
      { javaScriptEnabled: false },
    );
  });

  test.each([...looks])(
    "axe finds nothing, with the playground closed and open, and nothing scrolls sideways, %o",
    { timeout: 120_000 },
    async (look) => {
      await open(
        address(),
        async (tab, complaints) => {
          expect(await seriousFaults(tab)).toEqual([]);
          expect(await sidewaysScroll(tab)).toBeLessThanOrEqual(0);
          await tab.getByRole("button", { name: "Try it" }).click();
          await tab.getByRole("button", { name: "Send" }).waitFor();
          await tab.mouse.move(0, 0);
          expect(await seriousFaults(tab)).toEqual([]);
          expect(await sidewaysScroll(tab)).toBeLessThanOrEqual(0);
          // axe can't read style sheets on pages from disk.
          complaints.list.length = 0;
        },
        look,
      );
    },
  );
});
