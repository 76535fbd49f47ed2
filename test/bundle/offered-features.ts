/** A test site with all features, and a function that tries them in a browser. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";
import { docs } from "../service/deploying.ts";

export const outside = "https://elsewhere.example";
const api = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: `${outside}/v1` }],
  paths: {
    "/orders/{id}": {
      get: {
        summary: "Read an order",
        tags: ["Orders"],
        description: `![Picture of the API](${outside}/api.png)`,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { description: "Fine" } },
      },
    },
  },
});

/** Files of a site with all kinds of external content. */
export const files = docs(
  [
    `![A picture](${outside}/picture.png)`,
    `[![A badge](${outside}/badge.svg)](https://example.com)`,
    `<iframe src="${outside}/video" title="A video"></iframe>`,
    `<video src="${outside}/film.mp4" controls></video>`,
    `<div style={{ backgroundImage: "url(${outside}/ground.png)" }}>Ground</div>`,
    "![Not there](/images/none.png)",
  ].join("\n\n"),
  {
    "api.json": api,
    "own.css": `@import url("${outside}/sheet.css");\n@font-face { font-family: Own; src: url(${outside}/own.woff2) }\nbody { font-family: Own; background: url('${outside}/body.png') }\n`,
  },
  {
    navigation: {
      groups: [
        { group: "Start", pages: ["index"] },
        { group: "API", openapi: "api.json", pages: ["GET /orders/{id}"] },
      ],
    },
    integrations: { ga4: { measurementId: "G-TEST" } },
    fonts: { family: "Elsewhere", source: `${outside}/font.woff2`, format: "woff2" },
    logo: { light: `${outside}/logo-light.svg`, dark: `${outside}/logo-dark.svg` },
    favicon: `${outside}/favicon.svg`,
    feedback: { thumbsRating: true },
  },
);
export const features = ["search", "assistant", "analytics", "services", "playground", "outside"] as const;
export type Feature = (typeof features)[number];
/** The features that are expected to be on. */
export type On = readonly Feature[];

/** Signs of each feature: a selector of its elements, and a pattern for its requests. */
const signs: Record<Feature, { shown?: string; asked: RegExp }> = {
  search: { shown: ".o-search-button, [role=combobox]", asked: /\/_octavo\/(?:search|asking)[-/]/ },
  assistant: { shown: "[data-feature=assistant], .o-assistant", asked: /\/_octavo\/assistant/ },
  analytics: { shown: "[data-feature=analytics]", asked: /\/_octavo\/(?:analytics|events|feedback)/ },
  // Analytics services that docs.json configures.
  services: { asked: /\/_octavo\/integrations-|googletagmanager/ },
  playground: { shown: ".o-try-it, .o-pg", asked: /\/_octavo\/playground/ },
  // Embedded external content.
  outside: { shown: `[src^="${outside}"]`, asked: new RegExp(`^${outside}`) },
};

export interface Seen {
  shown: Set<Feature>;
  asked: Set<Feature>;
  /** URLs of requests to other hosts, without those that a policy has blocked. */
  away: string[];
  /** Number of links that replace external content. */
  standIns: number;
  violations: string[];
  policy: string | undefined;
}

/** Opens a site in a browser, tries all features, and returns what was shown and requested. */
export async function look(browser: Browser, origin: string, apiPage: string): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    // The default user agent would identify a headless browser.
    userAgent:
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  });
  const seen: Seen = {
    shown: new Set(),
    asked: new Set(),
    away: [],
    standIns: 0,
    violations: [],
    policy: undefined,
  };
  await context.route(
    (url) => !url.href.startsWith(origin),
    (route) => {
      seen.away.push(route.request().url());
      return route.fulfill({ status: 200, body: "" });
    },
  );
  context.on("request", (request) => {
    const url = request.url();
    for (const feature of features) if (signs[feature].asked.test(url)) seen.asked.add(feature);
  });
  context.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) seen.violations.push(message.text());
  });
  const page = await context.newPage();
  const notice = async () => {
    for (const feature of features) {
      const { shown } = signs[feature];
      if (shown && (await page.locator(shown).filter({ visible: true }).count()) > 0) seen.shown.add(feature);
    }
  };
  for (const at of ["/index.html", apiPage]) {
    const answer = await page.goto(origin + at);
    seen.policy = answer!.headers()["content-security-policy"];
    seen.standIns += await page.locator("a.o-outside, span.o-outside").filter({ visible: true }).count();
    await page.mouse.wheel(0, 5_000);
    await page.mouse.move(700, 20);
    await notice();
    for (const key of ["/", "Control+k", "Control+i"]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
      await notice();
      await page.keyboard.press("Escape");
    }
    const thumb = page.locator("[data-helpful]").first();
    if (await thumb.isVisible()) await thumb.click({ force: true });
    const button = page.locator(".o-try-it").first();
    if (await button.isVisible()) await button.click({ force: true });
    await page.waitForTimeout(500);
    await notice();
  }
  // Visits are reported when a page is left.
  await page.goto("about:blank");
  await page.waitForTimeout(200);
  await context.close();
  return seen;
}

export const allOn = { search: true, assistant: true, analytics: true, playground: true };
export const allOff = { search: false, assistant: false, analytics: false, playground: false };
export const envOf = (choice: object) =>
  Object.fromEntries(
    Object.entries(choice).map(([name, value]) => [`OCTAVO_${name.toUpperCase()}`, String(value)]),
  );
export const onByDefault: On = ["search", "services", "playground", "outside"];

export const apiPage = "/api-reference/orders/read-an-order.html";

export function expectCells(title: string, on: On, seen: () => Seen): void {
  test.each(features.map((feature) => [feature, on.includes(feature) ? "on" : "off"] as const))(
    `%s × ${title}: %s`,
    (feature, state) => {
      const { shown, asked } = seen();
      if (signs[feature].shown) expect([feature, shown.has(feature)]).toEqual([feature, state === "on"]);
      expect([feature, asked.has(feature)]).toEqual([feature, state === "on"]);
    },
  );
}
