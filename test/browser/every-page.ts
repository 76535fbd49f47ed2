/** Defines tests that open every page of a site from disk. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { filesBelow, temporaryFolder } from "../engine/build.ts";
import { runCli } from "../engine/run-cli.ts";
import { looks, phone, seriousFaults, sidewaysScroll, useChromium, wide } from "./chromium.ts";

export interface Subject {
  /** The documentation folder. Undefined if it is missing. */
  docs: string | undefined;
  /** Pages that axe checks: the home page, a long guide, and a page with many components. */
  looked: string[];
  /** Whether pages request files that are missing in the folder. */
  isTrimmed?: boolean;
}

/** Builds a site and opens each of its pages from disk. */
export function describePages(name: string, { docs, looked, isTrimmed = false }: Subject): void {
  const folder = temporaryFolder();
  const { open } = useChromium();
  describe.skipIf(!docs)(name, () => {
    const out = path.join(folder, "site");
    const address = (file: string) => pathToFileURL(path.join(out, file)).href;
    // Excludes the OAuth redirect page, which is empty.
    const pages = () =>
      filesBelow(out).filter(
        (file) =>
          file.endsWith(".html") &&
          file !== "404.html" &&
          file !== "_octavo/oauth.html" &&
          !/http-equiv="refresh"/.test(readFileSync(path.join(out, file), "utf8")),
      );
    beforeAll(async () => {
      const { code, out: words, err } = await runCli(["build", docs!, "--out", out]);
      expect(code, err + words).toBe(0);
    });

    // Playwright limits the time of each page, and the number of pages isn't limited.
    test("every page: no error, no failed or external request, styled, no sideways scroll at 320 px", {
      timeout: 1_200_000,
    }, async () => {
      await open("about:blank", async (page, complaints) => {
        page.on("request", (request) => {
          if (/^(?:https?|wss?):/.test(request.url())) complaints.list.push(`request: ${request.url()}`);
        });
        // Every other page is opened at the width of the previous one, because changing the width takes as
        // long as a layout.
        let sizes = [wide, phone];
        for (const file of pages()) {
          await page.goto(address(file));
          for (const size of sizes) {
            await page.setViewportSize(size);
            expect(
              await page.evaluate("getComputedStyle(document.querySelector('#navbar, #o-navbar')).position"),
              file,
            ).toMatch(/sticky|fixed/);
            if (size === phone)
              expect(await sidewaysScroll(page), `${file} at 320 px`).toBeLessThanOrEqual(0);
          }
          sizes = sizes.toReversed();
          // Ignores files of the author that are missing. The corpus has no images.
          if (isTrimmed)
            complaints.list = complaints.list.filter((line) => !/ERR_FILE_NOT_FOUND|https?:/.test(line));
          expect(complaints.list, file).toEqual([]);
        }
      });
    });

    test("links between pages lead there", async () => {
      await open(address(pages().find((file) => !file.startsWith("_octavo/"))!), async (page) => {
        const link = page.locator('#sidebar .o-tree a:not([aria-current]):not([target="_blank"])').first();
        const label = (await link.innerText()).trim().split("\n")[0]!;
        await link.click();
        await page.waitForLoadState();
        expect(page.url()).toMatch(/^file:.*\.html/);
        expect((await page.locator("#sidebar .o-tree [aria-current]").first().innerText()).trim()).toContain(
          label,
        );
      });
    });

    test("axe finds nothing serious or critical, light and dark, wide and narrow", {
      timeout: 300_000,
    }, async () => {
      const files = [...looked, "404.html"].filter((file) => existsSync(path.join(out, file)));
      expect(files.length).toBeGreaterThan(1);
      for (const file of files) {
        for (const look of looks) {
          await open(
            address(file),
            async (page, complaints) => {
              expect(await seriousFaults(page), `${file}, ${look.colorScheme}`).toEqual([]);
              complaints.list = [];
            },
            look,
          );
        }
      }
    });
  });
}
