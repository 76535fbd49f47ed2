/**
 * The first visit of a page: its size, and that nothing moves while the page, its font and images load
 * slowly.
 */

import { copyFileSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, runOctavo, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";

const folder = temporaryFolder();
const { open } = useChromium();
const themes = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"];
const words = "The quick brown fox jumps over the lazy dog, and nobody minds at all. ".repeat(40);
/**
 * Code of many lengths that wraps. With another width, some of its words would move to other lines, and what
 * follows would move, too.
 */
const code = Array.from({ length: 30 }, (_, line) => {
  const words = Array.from({ length: 8 + line }, (_, word) =>
    "x".repeat(1 + ((line * 7 + word * word * 5) % 11)),
  );
  return `\`${words.join(" ")}\``;
}).join("\n\n");
const types: Record<string, string> = {
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  woff2: "font/woff2",
  svg: "image/svg+xml",
  jpg: "image/jpeg",
};
let server: Server;
let origin: string;
/** Files of the last page view, with their size after compression. */
let loaded: { file: string; bytes: number }[] = [];

beforeAll(async () => {
  for (const theme of themes) {
    const files = siteOf(
      {
        "index.mdx": `---\ntitle: Home\n---\n\nWords.\n\n![A picture](/picture.jpg)\n\n${words}\n\n## Part\n\n${words}`,
      },
      {
        theme,
        colors: { primary: "#3538cd" },
        navbar: { links: [{ label: "Status", href: "https://example.com/status" }] },
        navigation: { groups: [{ group: "Start", pages: ["index"] }] },
      },
    );
    if (theme === "mint") files["code.mdx"] = `---\ntitle: Code\n---\n\n${code}`;
    const docs = writeFiles(path.join(folder, `${theme}-docs`), files);
    copyFileSync(path.join(root, "docs/images/themes/mint-light.jpg"), path.join(docs, "picture.jpg"));
    await runOctavo(["build", docs, "--out", path.join(folder, theme)]);
  }
  const german = "Die Größe der Gärten überrascht fünf müde Käfer. ".repeat(60);
  const germanDocs = writeFiles(
    path.join(folder, "german-docs"),
    siteOf(
      { "index.mdx": `---\ntitle: Übersicht\n---\n\n${german}\n\n## Öffnen\n\n${german}` },
      {
        navigation: { languages: [{ language: "de", groups: [{ group: "Erklärungen", pages: ["index"] }] }] },
      },
    ),
  );
  await runOctavo(["build", germanDocs, "--out", path.join(folder, "german")]);
  server = createServer((request, response) => {
    const file = decodeURIComponent(request.url!.replace(/[?#].*/s, ""));
    const send = () => {
      const bytes = readFileSync(path.join(folder, file));
      loaded.push({ file, bytes: /woff2$/.test(file) ? bytes.length : gzipSync(bytes, { level: 9 }).length });
      response.writeHead(200, {
        "Content-Type": types[file.split(".").pop()!] ?? "text/plain",
        "Cache-Control": "no-store",
      });
      // The second part of a page starts in the middle of its header.
      const rest = /html$/.test(file) ? bytes.indexOf('<details class="o-menu o-theme') : 0;
      response.write(bytes.subarray(0, rest));
      setTimeout(() => response.end(bytes.subarray(rest)), rest > 0 ? 500 : 0);
    };
    setTimeout(send, /woff2$/.test(file) ? 500 : /jpg$/.test(file) ? 1000 : 0);
  }).listen(0);
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
}, 120_000);

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Adds up the layout shifts of a page from its start. */
const observeShifts = (page: Page) =>
  page.evaluate(() => {
    Object.assign(globalThis, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as never as { value: number }[])
        (globalThis as never as { shifted: number }).shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
const showFonts = (page: Page) =>
  page.evaluate(
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))",
  );

test.each([1440, 768, 412, 390, 320])(
  "code that wraps keeps its lines when its font arrives late, %i px wide",
  async (width) => {
    loaded = [];
    const checkLines = async (page: Page) => {
      await observeShifts(page);
      await expect.poll(() => loaded.some(({ file }) => /jetbrains-mono/.test(file))).toBe(true);
      await showFonts(page);
      expect(await page.evaluate("shifted")).toBeLessThan(0.001);
    };
    await open(`${origin}/mint/code.html`, checkLines, { viewport: { width, height: 900 } });
  },
);

test("a page in a language with other letters preloads them, too, and its lines stay in place", async () => {
  loaded = [];
  await open(`${origin}/german/index.html`, async (page) => {
    await observeShifts(page);
    await expect.poll(() => loaded.filter(({ file }) => /woff2$/.test(file)).length).toBe(2);
    await showFonts(page);
    expect(await page.evaluate("shifted")).toBeLessThan(0.001);
    expect(await page.evaluate("document.documentElement.dataset.fonts")).toMatch(
      /inter-basic-\w+\.woff2 \S*inter-western-/,
    );
  });
});

const sum = (files: typeof loaded) => files.reduce((total, { bytes }) => total + bytes, 0);

describe.each(themes)("the first visit of a page in %s", (theme) => {
  test("loads at most 40 KB, and 50 KB with its font, and keeps its lines in place when header, font and image arrive late", async () => {
    loaded = [];
    await open(`${origin}/${theme}/index.html`, async (page) => {
      await observeShifts(page);
      await expect.poll(() => loaded.filter(({ file }) => /woff2$/.test(file)).length).toBeGreaterThan(0);
      await expect
        .poll(() => page.evaluate("document.querySelector('#content-area img').naturalWidth"))
        .toBeGreaterThan(0);
      await showFonts(page);
      // The adjusted system font has the same line heights, but not exactly the same widths. Browsers call
      // 0.1 a good score.
      expect(await page.evaluate("shifted")).toBeLessThan(0.001);
    });
    const site = loaded.filter(({ file }) => !/favicon|picture/.test(file));
    expect(sum(site.filter(({ file }) => !/woff2$/.test(file)))).toBeLessThan(40 * 1024);
    expect(sum(site)).toBeLessThan(50 * 1024);
    console.log(site.map(({ file, bytes }) => `${path.basename(file)} ${bytes}`).join(", "), sum(site));
    // The font for code is only loaded by pages with code. In this theme, it's also the font of the text.
    expect(site.some(({ file }) => /jetbrains-mono/.test(file))).toBe(theme === "linden");
  });
});
