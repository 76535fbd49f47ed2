/** Views, searches and feedback of a reader in a browser, and cases in which the page sends nothing. */

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  phone,
  seriousFaults,
  settled,
  sidewaysScroll,
  useChromium,
} from "../../../test/browser/chromium.ts";
import { docs } from "../../../test/service/deploying.ts";
import type { TestService } from "../../../test/service/service.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService, sharedService } from "../../../test/shared/service.ts";

const { open } = useChromium();
let service: TestService;
let site: TestSite;

/** `User-Agent` of a normal browser. The default contains "Headless", which isn't counted as human. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const files = (integrations: object = {}) =>
  docs(
    "Acme keeps widgets in order.",
    { "guides/install.mdx": "---\ntitle: Install\n---\n\nInstall widgets.\n" },
    {
      integrations,
      errors: { "404": { redirect: false } },
    },
  );

beforeAll(async () => {
  service = await sharedService();
  site = await newSite(service, files());
});
afterAll(() => service.stop());

const analyticsOf = async ({ organization }: TestSite, what: string) =>
  (await organization.ask(`/v1/analytics/${organization.projectId}/${what}`)).json;
const countOf = async (of: TestSite) => (await analyticsOf(of, "views")).totals.human as number;

/** Returns a list to which the POST requests of the page are added. */
function postRequestsOf(page: Page): string[] {
  const list: string[] = [];
  page
    .context()
    .on(
      "request",
      (request) =>
        request.method() === "POST" && list.push(`${new URL(request.url()).pathname} ${request.postData()}`),
    );
  return list;
}

test("each shown page is one view, also when returning to it", async () => {
  await open(
    `${site.origin}/`,
    async (page, complaints) => {
      await page.waitForLoadState("networkidle");
      const sent = postRequestsOf(page);
      await page.goto(`${site.origin}/guides/install`);
      await expect
        .poll(() => sent)
        .toEqual(['/_octavo/events {"events":[{"type":"view","path":"/guides/install"}]}']);
      await page.goBack();
      await expect.poll(() => sent.length).toBe(2);
      await page.goto(`${site.origin}/not-a-page`);
      await page.waitForLoadState("networkidle");
      expect(sent.slice(1)).toEqual(['/_octavo/events {"events":[{"type":"view","path":"/"}]}']);
      expect(complaints.list.splice(0).join()).toMatch(/404: .*not-a-page/);
    },
    { userAgent },
  );
  await until(async () => (await countOf(site)) === 3, 15_000);
  expect(await analyticsOf(site, "views")).toMatchObject({
    totals: { human: 3, ai: 0, total: 3 },
    views: [
      { path: "/", human: 2 },
      { path: "/guides/install", human: 1 },
    ],
  });
  expect((await analyticsOf(site, "visitors")).totals).toEqual({ human: 1, ai: 0, total: 1 });
});

test("a page in the background counts when it becomes visible", async () => {
  await open(
    `${site.origin}/guides/install`,
    async (page) => {
      await page.addInitScript(
        "Object.defineProperty(document, 'hidden', { get: () => !globalThis.isVisible })",
      );
      await page.waitForLoadState("networkidle");
      const sent = postRequestsOf(page);
      await page.reload();
      await page.waitForLoadState("networkidle");
      expect(sent).toEqual([]);
      await page.evaluate(
        "globalThis.isVisible = true; document.dispatchEvent(new Event('visibilitychange'))",
      );
      await expect.poll(() => sent.length).toBe(1);
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await settled(page);
      expect(sent.length).toBe(1);
    },
    { userAgent },
  );
});

/** Reloads the page, searches for "install" and opens the first result. */
async function readAndSearch(page: Page): Promise<void> {
  await page.reload();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("install");
  await page.locator(".o-hit-title").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/install/);
  await page.waitForLoadState("networkidle");
}

describe("nothing is sent", () => {
  test.each([
    ["Do Not Track", "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })"],
    [
      "Global Privacy Control",
      "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
    ],
  ])("with %s, except feedback", async (_, script) => {
    await open(
      `${site.origin}/`,
      async (page) => {
        await page.waitForLoadState("networkidle");
        await page.addInitScript(script);
        const sent = postRequestsOf(page);
        const scripts: string[] = [];
        page.on("request", (request) => scripts.push(request.url()));
        await readAndSearch(page);
        expect([sent, scripts.filter((address) => address.includes("analytics"))]).toEqual([[], []]);
        // Explicit feedback is still sent.
        await page.getByRole("button", { name: "Yes" }).click();
        await expect.poll(() => sent.length).toBe(1);
      },
      { userAgent },
    );
  });

  test("without the consent that docs.json requires; with it, everything is sent", async () => {
    const own = await newSite(service, files({ cookies: { key: "consent", value: "yes" } }));
    await open(
      `${own.origin}/`,
      async (page) => {
        const sent = postRequestsOf(page);
        await readAndSearch(page);
        expect(sent).toEqual([]);
        await page.evaluate("localStorage.setItem('consent', 'yes')");
        await readAndSearch(page);
        expect(sent.map((text) => /"type":"([\w-]+)"/.exec(text)?.[1])).toEqual([
          "view",
          "search",
          "search-click",
          "view",
        ]);
      },
      { userAgent },
    );
    expect((await analyticsOf(own, "searches")).searches).toEqual([
      expect.objectContaining({ searchQuery: "install", hits: 1, ctr: 1 }),
    ]);
  });

  test("if docs.json turns telemetry off, and there are no feedback buttons", async () => {
    const own = await newSite(service, files({ telemetry: { enabled: false } }));
    await open(
      `${own.origin}/guides/install`,
      async (page) => {
        const sent = postRequestsOf(page);
        await readAndSearch(page);
        expect(sent).toEqual([]);
        expect(await page.locator(".o-feedback").count()).toBe(0);
        // No feedback buttons for answers either.
        await page.keyboard.press("Control+i");
        await page
          .getByRole("textbox", { name: "Ask a question", exact: true })
          .fill("How do I install widgets?");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Copy answer" }).waitFor();
        expect(await page.getByRole("button", { name: "Good answer" }).count()).toBe(0);
      },
      { userAgent },
    );
  });

  test("by sites of an air-gapped service", async () => {
    const apart = await openTestService({ env: { ...trusting, OCTAVO_KIND: "air-gapped" } });
    try {
      const own = await newSite(apart, files());
      await open(
        `${own.origin}/`,
        async (page) => {
          const sent = postRequestsOf(page);
          await page.reload();
          await page.waitForLoadState("networkidle");
          expect([sent, await page.locator(".o-feedback").count()]).toEqual([[], 0]);
        },
        { userAgent },
      );
    } finally {
      await apart.stop();
    }
  });
});

test("a rating, a reason and a comment by keyboard are stored once", async () => {
  const own = await newSite(service, files());
  await open(
    `${own.origin}/guides/install`,
    async (page, complaints) => {
      await page.getByRole("button", { name: "No", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Thank you for your feedback.").waitFor();
      expect(await page.getByRole("button", { name: "No", exact: true }).getAttribute("aria-pressed")).toBe(
        "true",
      );
      expect((await analyticsOf(own, "feedback")).feedback).toMatchObject([
        { source: "thumbs_only", path: "/guides/install" },
      ]);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Say where widgets come from");
      await page.keyboard.press("Tab");
      await page.keyboard.type("reader@example.com");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect
        .poll(async () => (await analyticsOf(own, "feedback")).feedback)
        .toMatchObject([
          {
            source: "contextual",
            path: "/guides/install",
            helpful: false,
            reason: "incomplete",
            comment: "Say where widgets come from",
            contact: "reader@example.com",
          },
        ]);
      await expect.poll(() => page.locator(".o-feedback form").isVisible()).toBe(false);
      expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("status");
      expect(
        await page.getByRole("button", { name: "Yes", exact: true }).isVisible(),
        "after the details",
      ).toBe(false);

      // The other rating replaces the first one, without its reason. A failed request shows an error and can
      // be repeated.
      await page.reload();
      const sent = postRequestsOf(page);
      const [yes, no] = ["Yes", "No"].map((name) => page.getByRole("button", { name, exact: true })) as [
        Locator,
        Locator,
      ];
      await no.click();
      await page.getByText("Thank you for your feedback.").waitFor();
      await no.click();
      await page.getByRole("radio", { name: "Hard to understand" }).check();
      await page.route("**/_octavo/feedback", (route) => route.fulfill({ status: 503, body: "{}" }));
      await yes.click();
      await page.getByText("Couldn't send feedback. Try again.").waitFor();
      expect(await page.getByRole("radio").count()).toBe(0);
      expect(complaints.list.splice(0)).toHaveLength(2);
      await page.unroute("**/_octavo/feedback");
      await yes.click();
      await page.getByText("Thank you for your feedback.").waitFor();
      const feedback = sent.filter((text) => text.startsWith("/_octavo/feedback"));
      expect(feedback).toHaveLength(3);
      expect(feedback.join()).not.toContain("reason");
      expect((await analyticsOf(own, "feedback")).feedback).toMatchObject([
        { source: "thumbs_only" },
        { reason: "incomplete" },
      ]);
      expect((await analyticsOf(own, "feedback/by-page")).feedback).toEqual([
        { path: "/guides/install", thumbsUp: 1, thumbsDown: 1, code: 0, total: 2 },
      ]);
    },
    { userAgent },
  );
});

test.each(["light", "dark"] as const)(
  "the feedback widget has no axe violations, fits a phone and doesn't shift the page: %s",
  async (colorScheme) => {
    await open(
      `${site.origin}/guides/install`,
      async (page) => {
        await settled(page);
        const shifted = await page.evaluate(`(() => {
          const observer = new PerformanceObserver(() => {});
          observer.observe({ type: "layout-shift", buffered: true });
          return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
        })()`);
        expect(shifted).toBe(0);
        await page.getByRole("button", { name: "Yes", exact: true }).click();
        await page.getByText("Thank you for your feedback.").waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
      },
      { userAgent, colorScheme, viewport: phone },
    );
  },
);

test("without scripts there is no feedback widget", async () => {
  await open(
    `${site.origin}/guides/install`,
    async (page) => expect(await page.locator(".o-feedback").isVisible()).toBe(false),
    {
      javaScriptEnabled: false,
    },
  );
});
