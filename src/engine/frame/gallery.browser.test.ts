/**
 * Tests the gallery in a browser. To write it to a folder instead:
 * `OCTAVO_GALLERY=/some/folder npx vitest run src/engine/frame/gallery.browser.test.ts`.
 */

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBrowser, isComplete } from "../../../test/browser/chromium.ts";
import { writeGallery } from "../../../test/engine/gallery.ts";
import { galleryPages } from "../../../test/engine/gallery-pages.ts";
import { themes } from "./themes.ts";

const folder = process.env.OCTAVO_GALLERY ?? mkdtempSync(join(tmpdir(), "octavo-gallery-"));
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
let browser: Browser;

beforeAll(async () => {
  await writeGallery(folder);
  browser = await connectBrowser();
}, 60_000);

afterAll(() => browser?.close());

/** A browser context with one page. */
interface Tab {
  context: BrowserContext;
  page: Page;
  /** Errors that the page has reported. */
  errors: string[];
}

async function openTab(options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext({ viewport: wide, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 });
    new PerformanceObserver((list) => {
      const measured = globalThis as unknown as { shifted: number };
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        measured.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return { context, page, errors };
}

const urlOf = (name: string) => pathToFileURL(join(folder, `${name}.html`)).href;

/** Opens a page, runs the check and fails on any error that the page reports. */
async function open(
  name: string,
  options: BrowserContextOptions,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const { context, page, errors } = await openTab(options);
  try {
    await page.goto(urlOf(name));
    await check(page);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
  }
}

const faults =
  "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))";

describe("every page of the gallery", () => {
  const names = [
    ...galleryPages().map((view) => view.path),
    "404",
    ...Object.keys(themes).map((theme) => `theme-${theme}`),
  ];

  // A browser without enough CPU time can paint a table in two steps and report a layout shift of less than
  // .001. Such a run is repeated. A layout shift on every run fails the test.
  const looks = [
    [wide, "light"],
    [phone, "dark"],
  ] as const;
  const opened = names.map((name, index) => ({ name, looks: isComplete ? looks : [looks[index % 2]!] }));
  const tabs = new Map<object, Promise<Tab>>();
  afterAll(async () => {
    for (const tab of tabs.values()) await (await tab).context.close();
  });
  it.each(opened)(
    "$name is accessible and has no layout shift and no horizontal scrolling",
    { retry: 2 },
    async ({ name, looks }) => {
      for (const look of looks) {
        const [viewport, colorScheme] = look;
        const tab = tabs.get(look) ?? openTab({ reducedMotion: "reduce" });
        tabs.set(look, tab);
        const { page, errors } = await tab;
        errors.length = 0;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.goto(urlOf(name));
        expect(await page.evaluate("shifted"), `shift at ${viewport.width}`).toBe(0);
        await page.evaluate(axe);
        expect(await page.evaluate(faults), colorScheme).toEqual([]);
        if (isComplete) {
          await page.emulateMedia({ colorScheme: colorScheme === "light" ? "dark" : "light" });
          expect(await page.evaluate(faults), "the other color mode").toEqual([]);
        }
        for (const width of viewport === wide ? [1440, 1024, 768] : [390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          expect(
            await page.evaluate("document.documentElement.scrollWidth - innerWidth"),
            `at ${width}`,
          ).toBeLessThanOrEqual(0);
        }
        expect(errors).toEqual([]);
      }
    },
  );
});

describe("the page's script", () => {
  it("opens the menu as a dialog that Escape closes", () =>
    open("guide", { viewport: phone }, async (page) => {
      await page.click(".o-menu-button");
      await expect.poll(() => page.locator("dialog.o-drawer #sidebar").isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("dialog.o-drawer").count()).toBe(0);
      expect(await page.locator(".o-shell > #sidebar").count()).toBe(1);
    }));

  it("adds the rest of the tree without moving the current entry", () =>
    open("branch", {}, async (page) => {
      const current = page.locator('.o-tree [aria-current="page"]');
      expect(await current.textContent()).toBe("Authenticate");
      // The rest of the tree is in a separate file. Top-level groups are open.
      await expect.poll(() => page.locator(".o-tree > li:nth-child(3) li:visible").count()).toBe(3);
      expect(await page.locator(".o-tree > li:nth-child(3) li a").first().getAttribute("href")).toBe(
        "./api.html",
      );
      expect(await page.locator(".o-tree > li:nth-child(3) .o-tag-warning").textContent()).toBe("Deprecated");
    }));

  it("stores the selected color mode", () =>
    open("guide", { colorScheme: "light" }, async (page) => {
      await page.click(".o-theme > summary");
      await page.click('button[data-mode="dark"]');
      // A page of another renderer process sees the stored choice a moment later.
      const isDarkAgain = async () => {
        await page.reload();
        return page.evaluate("document.documentElement.classList.contains('dark')");
      };
      await expect.poll(isDarkAgain).toBe(true);
    }));

  it("marks the current section", () =>
    open("guide", {}, async (page) => {
      await page.evaluate("document.getElementById('errors').scrollIntoView({ behavior: 'instant' })");
      await expect.poll(() => page.locator("#table-of-contents [aria-current]").textContent()).toBe("Errors");
    }));

  it("hides a dismissed banner on the next visit", () =>
    open("index", {}, async (page) => {
      await page.click("#banner button");
      // A page in a different renderer process sees the stored choice a moment later.
      const isShownAgain = async () => {
        await page.reload();
        return page.locator("#banner").isVisible();
      };
      await expect.poll(isShownAgain).toBe(false);
    }));

  it("shows one view at a time", () =>
    open("views", {}, async (page) => {
      expect(await page.locator(".o-view:visible").count()).toBe(1);
      await page.click('[data-show-view="Python"]');
      expect(await page.locator('.o-view[data-view="Python"]').isVisible()).toBe(true);
      expect(await page.locator('.o-view[data-view="Node"]').isVisible()).toBe(false);
    }));

  it("filters updates by tag and stores the selection in the URL", () =>
    open("wide", {}, async (page) => {
      await page.click('[data-filter="API"]');
      expect(await page.locator(".o-update:visible").count()).toBe(1);
    }));

  it("closes a menu on Escape and restores the focus", () =>
    open("guide", {}, async (page) => {
      await page.click(".o-page-menu summary");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Escape");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
      expect(await page.locator(".o-page-menu details[open]").count()).toBe(0);
    }));
});

describe.each(Object.keys(themes))("printing in %s", (theme) => {
  it("is black on white in dark mode too", () =>
    open(`theme-${theme}`, { colorScheme: "dark" }, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const colors =
        "[getComputedStyle(document.querySelector('.o-body p')).color, getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.querySelector('.o-main')).backgroundColor]";
      expect(await page.evaluate(colors)).toEqual(["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
      expect(await page.locator("#sidebar:visible, #navbar:visible").count()).toBe(0);
    }));
});

describe("without scripts", () => {
  it("shows the navigation at the URL of the menu button", () =>
    open("guide", { viewport: phone, javaScriptEnabled: false }, async (page) => {
      expect(await page.locator("#sidebar").isVisible()).toBe(false);
      await page.click(".o-menu-button");
      expect(await page.locator("#sidebar .o-tree").isVisible()).toBe(true);
      await page.click(".o-nav-close");
      expect(await page.locator("#sidebar").isVisible()).toBe(false);
    }));

  it("shows every view and no control that needs scripts", () =>
    open("views", { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator(".o-view:visible").count()).toBe(2);
      expect(await page.locator(".o-js:visible").count()).toBe(0);
    }));
});

describe("weight", () => {
  it.each([
    ["octavo.css", 20_000],
    ["page.js", 12_000],
  ])("the size of %s is limited", (file, most_bytes) => {
    expect(gzipSync(readFileSync(join(folder, "_octavo", file)), { level: 9 }).length).toBeLessThan(
      most_bytes,
    );
  });
});
