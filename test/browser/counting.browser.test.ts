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

describe("feedback on code blocks", () => {
  const files = siteOf(
    { "index.mdx": "Home", "code.mdx": "```js hello.js\nhello();\n```\n\nText.\n" },
    { feedback: { codeBlocks: true } },
  );
  const target = { kind: "cloud", links: "clean" } as const;

  test("sends the code with the reader's comment", async () => {
    const host = await serveAsking(await buildSiteFrom(files, target));
    try {
      await open(host.url, async (page, complaints) => {
        const bodies: unknown[] = [];
        let status = 500;
        await page.route("**/_octavo/feedback", (route) => {
          bodies.push(route.request().postDataJSON());
          return route.fulfill({ status, json: { id: "1" } });
        });
        await page.goto(`${host.url}/code`);
        const button = page.getByRole("button", { name: "Give feedback on this code" });
        await button.focus();
        await page.keyboard.press("Enter");
        const field = page.getByRole("textbox", { name: "Tell us more (optional)" });
        expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
        await field.fill(" It fails. ");
        await button.click();
        expect([await field.count(), await button.getAttribute("aria-expanded")]).toEqual([0, "false"]);
        await button.click();
        expect(await field.inputValue()).toBe(" It fails. ");

        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByText("Couldn't send feedback. Try again.").waitFor();
        expect(complaints.list.splice(0).join()).toContain("500");
        status = 201;
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByText("Thank you for your feedback.").waitFor();
        const body = {
          path: "/code",
          code: "hello();",
          filename: "hello.js",
          lang: "js",
          comment: "It fails.",
        };
        expect(bodies).toEqual([body, body]);
        expect(await field.count()).toBe(0);
      });
    } finally {
      host.close();
    }
  });

  test.each<[string, Record<string, unknown>, object]>([
    ["without the setting", { feedback: {} }, target],
    ["if feedback is turned off", { feedback: { codeBlocks: true, enabled: false } }, target],
    ["without analytics", { feedback: { codeBlocks: true } }, { kind: "air-gapped", links: "html" }],
  ])("%s, there is no script", async (_, settings, other) => {
    const site = await buildSiteFrom(siteOf({ "index.mdx": "Home" }, settings), other);
    expect(site.paths.filter((name) => name.includes("code-feedback"))).toEqual([]);
    expect(String(site.read("index.html"))).not.toContain("code-feedback");
  });
});
