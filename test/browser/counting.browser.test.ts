/** Tests which pages report views, for each kind of deployment and setting, and the size of the script. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, root, siteOf } from "../engine/build.ts";
import { serveAsking } from "./asking-fixture.ts";
import { useChromium } from "./chromium.ts";

const { open } = useChromium();
const sources = siteOf({ "index.mdx": "Home", "guides/start.mdx": "Start" });
const scriptOf = ({ paths }: BuiltSite) => paths.find((name) => /^_octavo\/analytics-\w+\.js$/.test(name));

test("the script has at most 2 KB", () => {
  expect(readFileSync(path.join(root, "dist/assets/analytics.js")).length).toBeLessThanOrEqual(2_048);
});

/** Opens a page. Returns its analytics and feedback requests, and whether the feedback widget is visible. */
async function shown(
  site: BuiltSite,
  operatorFile?: string,
): Promise<{ asked: string[]; hasWidget: boolean }> {
  const read = (file: string) =>
    file === "octavo.config.js" && operatorFile !== undefined ? operatorFile : site.read(file);
  const host = await serveAsking({ ...site, read: read as BuiltSite["read"] });
  const result = { asked: [] as string[], hasWidget: false };
  try {
    await open(host.url, async (page) => {
      await page.goto(
        `${host.url}/${site.paths.includes("octavo.config.js") ? "guides/start.html" : "guides/start"}`,
      );
      await page.waitForLoadState("networkidle");
      result.hasWidget = await page.locator(".o-feedback").isVisible();
    });
    result.asked = host.asked
      .filter((name) => /analytics|events|feedback/.test(name))
      .map((name) => name.replace(/-\w+\.js/, ".js"));
  } finally {
    host.close();
  }
  return result;
}

const everything = {
  asked: expect.arrayContaining(["/_octavo/analytics.js", "/_octavo/events"]),
  hasWidget: true,
};
const nothing = { asked: [], hasWidget: false };

describe("a page", () => {
  test("of a hosted site tells of itself and asks its reader", async () => {
    expect(await shown(await buildSiteFrom(sources, { kind: "cloud", links: "clean" }))).toEqual(everything);
  });

  test.each<[string, string | undefined, object]>([
    ["as it is", undefined, nothing],
    ["with analytics: true", 'octavoConfig = { "analytics": true };', everything],
    ["with analytics: false", 'octavoConfig = { "analytics": false };', nothing],
    ["with an empty file", "", nothing],
  ])("of a client-hosted bundle, %s", async (_, file, expected) => {
    expect(await shown(await buildSiteFrom(sources, { kind: "client-hosted", links: "html" }), file)).toEqual(
      expected,
    );
  });

  test("of an air-gapped bundle has nothing of it, whatever the operator's file says", async () => {
    const site = await buildSiteFrom(sources, { kind: "air-gapped", links: "html" });
    expect(scriptOf(site)).toBe(undefined);
    expect(String(site.read("guides/start.html"))).not.toMatch(/o-counting|o-feedback|_octavo\/events/);
    expect(await shown(site, 'octavoConfig = { "analytics": true };')).toEqual(nothing);
  });

  test.each([
    ["of an author's preview", {}, { kind: "cloud", links: "clean", readers: "author" }],
    [
      "of a site without telemetry",
      { integrations: { telemetry: { enabled: false } } },
      { kind: "cloud", links: "clean" },
    ],
    ["of a service that does not count", {}, { kind: "cloud", links: "clean", analytics: false }],
  ] as const)("%s has nothing of it", async (_, settings, target) => {
    const site = await buildSiteFrom(siteOf({ "index.mdx": "Home" }, settings), target);
    expect(scriptOf(site)).toBe(undefined);
    expect(String(site.read("index.html"))).not.toMatch(/o-counting|o-feedback|_octavo\/events/);
  });

  test("for an address that leads nowhere counts searches, and not itself", async () => {
    const site = await buildSiteFrom(sources, { kind: "cloud", links: "clean" });
    const told = /id="oCounting">([^<]+)</.exec(String(site.read("404.html")))![1]!;
    expect(JSON.parse(told)).toMatchObject({ events: "/_octavo/events" });
    expect(JSON.parse(told)).not.toHaveProperty("path");
  });
});
