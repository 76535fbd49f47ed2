/**
 * An air-gapped service with a real repository, which configures analytics services, fonts and images on
 * other hosts. A browser opens pages of the site and sends no requests to other hosts.
 */

import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { visit } from "../../../test/service/deploying.ts";
import type { RunningService } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { corpusOf, inCorpus } from "../../../test/shared/corpus.ts";
import { startService } from "../../../test/shared/service.ts";

const source = path.join(corpusOf.docs, "mintlify");
const host = "docs.localhost";
const outside = "https://elsewhere.example";
const pages_count = 50;

describe.skipIf(!inCorpus(source))("an air-gapped service", () => {
  let service: RunningService;
  let browser: Browser;
  let pages: string[];

  beforeAll(async () => {
    const folder = path.join(temporaryFolder(), "docs");
    cpSync(source, folder, { recursive: true });
    const file = path.join(folder, "docs.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(
      file,
      JSON.stringify({
        ...settings,
        integrations: {
          ga4: { measurementId: "G-TEST" },
          gtm: { tagId: "GTM-TEST" },
          plausible: { domain: "docs.example.com" },
          posthog: { apiKey: "phc_test" },
          segment: { key: "test" },
        },
        fonts: { family: "Elsewhere", source: `${outside}/font.woff2`, format: "woff2" },
        logo: { light: `${outside}/light.svg`, dark: `${outside}/dark.svg` },
        favicon: `${outside}/favicon.svg`,
        background: { image: `${outside}/ground.png` },
        contextual: { options: ["copy", "view", "chatgpt", "claude", "perplexity", "assistant"] },
        feedback: { thumbsRating: true },
      }),
    );
    appendFileSync(
      path.join(folder, "index.mdx"),
      `\n\n![Picture](${outside}/picture.png)\n\n<iframe src="${outside}/frame" />\n`,
    );
    writeFileSync(
      path.join(folder, "own.css"),
      `@import url("${outside}/own.css");\nbody { background: url(${outside}/body.png) }\n`,
    );
    service = await startService({ env: { OCTAVO_KIND: "air-gapped", OCTAVO_DOCS: folder } });
    await until(async () => (await visit(service, host)).status === 200, 300_000, 1_000);
    const listed = [
      ...(await visit(service, host, "/sitemap.xml")).text.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g),
    ].map(([, at]) => at!);
    // The home page, and pages that are spread over the site.
    pages = [
      ...new Set([
        "/",
        ...Array.from(
          { length: pages_count },
          (_, i) => listed[Math.floor((i * listed.length) / pages_count)]!,
        ),
      ]),
    ];
    browser = await connectBrowser();
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(`sends no requests to other hosts on ${pages_count} pages`, { timeout: 900_000 }, async () => {
    expect(pages.length).toBeGreaterThanOrEqual(pages_count);
    const origin = `http://${host}:${service.port}`;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const away: string[] = [];
    const violations: string[] = [];
    await context.route(
      (url) => url.origin !== origin && /^https?:$/.test(url.protocol),
      (route) => {
        away.push(route.request().url());
        return route.abort();
      },
    );
    const page = await context.newPage();
    page.on("websocket", (socket) => away.push(socket.url()));
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(`${page.url()} ${message.text()}`);
    });
    const offered: string[] = [];
    for (const at of pages) {
      await page.goto(origin + at);
      // Scroll, so that lazy images load.
      for (let height = 0; height < 8; height++) await page.mouse.wheel(0, 2_000);
      await page.waitForLoadState("networkidle");
      const found = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            "[data-feature], .o-try-it, [href*='chatgpt.com'], [href*='claude.ai'], [href*='perplexity.ai'], link[rel~=preconnect], link[rel~=dns-prefetch]",
          ),
        ]
          .filter(
            (element) =>
              element.tagName === "LINK" ||
              element.checkVisibility() ||
              element.closest("[popover], details"),
          )
          .filter((element) => getComputedStyle(element).display !== "none")
          .map((element) => element.outerHTML.slice(0, 200)),
      );
      offered.push(...found.map((html) => `${at} ${html}`));
    }
    expect([away, violations, offered]).toEqual([[], [], []]);
    await context.close();
  });
});
