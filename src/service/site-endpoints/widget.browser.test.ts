/** The assistant on another website, which has a strict content security policy. */

import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults, sidewaysScroll, useChromium, wide } from "../../../test/browser/chromium.ts";
import { type OtherWebsite, startOtherWebsite } from "../../../test/browser/other-website.ts";
import { bodyOf } from "../../../test/service/ask-assistant.ts";
import { docs } from "../../../test/service/deploying.ts";
import { send, type TestService } from "../../../test/service/service.ts";
import { newSite, rowsOf, type TestSite } from "../../../test/service/test-sites.ts";
import { sharedService } from "../../../test/shared/service.ts";

const { open } = useChromium();
const canary = "violet-otter-42";
const narrow = { width: 390, height: 844 };
let service: TestService;
let website: OtherWebsite;
let site: TestSite;

/** Documentation that the other website may show, with a restricted page. */
const files = (origins: string[]) =>
  docs(
    "Acme keeps widgets in order.",
    {
      "guides/install.mdx":
        "---\ntitle: Install\n---\n\nStart here.\n\n## With one command\n\nInstall Acme with one command:\n\n```sh\nnpm install acme\n```\n\nIt needs Node 20.\n",
      "staff.mdx": `---\ntitle: Staff password\ngroups: ["staff"]\n---\n\nThe staff password is ${canary}.\n`,
    },
    { assistant: { support: "https://help.example/contact#form", widget: { origins } } },
  );

beforeAll(async () => {
  service = await sharedService();
  website = await startOtherWebsite();
  site = await newSite(service, files([website.origin]));
});
afterAll(async () => {
  await website.stop();
  await service.stop();
});

const launcher = (page: Page) => page.getByRole("button", { name: "Ask the assistant" });
const field = (page: Page) => page.getByRole("textbox", { name: "Ask a question", exact: true });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Assistant" });
const source = (page: Page) => page.getByRole("link", { name: /With one command/ }).first();

async function askOnPage(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}

describe("on an allowed website", () => {
  test("a visitor asks with the keyboard only, and the cited page opens on the documentation site", async () => {
    await open(website.pageWith(site.origin), async (page) => {
      await launcher(page).focus();
      await page.keyboard.press("Enter");
      await field(page).waitFor();
      await page.keyboard.type("How do I install Acme with one command?");
      await page.keyboard.press("Enter");
      await source(page).waitFor();
      expect(await source(page).getAttribute("href")).toBe(`${site.origin}/guides/install#with-one-command`);
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();

      const [opened] = await Promise.all([
        page.context().waitForEvent("page"),
        source(page)
          .focus()
          .then(() => page.keyboard.press("Enter")),
      ]);
      await opened.waitForURL(`${site.origin}/guides/install#with-one-command`);
      await opened.close();

      await page.keyboard.press("Escape");
      await expect.poll(() => dialog(page).count()).toBe(0);
      expect(await page.evaluate("document.activeElement.shadowRoot.activeElement.textContent")).toBe(
        "Ask the assistant",
      );
    });

    const [row] = await rowsOf(site);
    expect(row).toMatchObject({ resolutionStatus: "answered", pageUrl: null });
  });

  test("a follow-up question continues the conversation, a rating is stored, and support gets its ID", async () => {
    await open(website.pageWith(site.origin), async (page) => {
      await launcher(page).click();
      await askOnPage(page, "How do I install Acme?");
      await askOnPage(page, "And with one command?");
      const rated = page.waitForResponse((response) => response.url().endsWith("/assistant/feedback"));
      await page.getByRole("button", { name: "Good answer" }).last().click();
      expect((await rated).status()).toBe(204);

      const [first, second] = (await rowsOf(site)).toReversed().slice(-2);
      expect(second.conversationId).toBe(first.conversationId);
      const support = page.getByRole("link", { name: "Contact support" });
      expect(await support.getAttribute("href")).toBe(
        `https://help.example/contact?threadId=${first.conversationId}#form`,
      );
    });
  });

  test.each([
    { viewport: wide, colorScheme: "light" },
    { viewport: wide, colorScheme: "dark" },
    { viewport: narrow, colorScheme: "light" },
    { viewport: narrow, colorScheme: "dark" },
  ] as const)("axe finds nothing, and nothing scrolls sideways: %o", async (look) => {
    await open(
      website.pageWith(site.origin),
      async (page) => {
        await launcher(page).waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        await launcher(page).click();
        await field(page).waitFor();
        await askOnPage(page, "How do I install Acme with one command?");
        expect(await seriousFaults(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
        const box = (await dialog(page).boundingBox())!;
        const isFull = look.viewport === narrow;
        expect(isFull ? box : { ...narrow, x: 0, y: 0 }).toEqual({ ...narrow, x: 0, y: 0 });
      },
      look,
    );
  });

  test("a website opens the widget with its own button, and events have no text", async () => {
    await open(
      website.pageWith(site.origin, 'data-button="none" data-theme="dark" data-side="left"'),
      async (page) => {
        await page.evaluate(() => {
          const seen: string[] = [];
          Object.assign(globalThis, { seen });
          for (const type of ["open", "ask", "close"])
            addEventListener(`octavo:${type}`, (event) =>
              seen.push(`${event.type} ${(event as CustomEvent).detail}`),
            );
        });
        await page.waitForFunction("window.octavoWidget");
        expect(await launcher(page).count()).toBe(0);
        await page.evaluate('octavoWidget.ask("How do I install Acme with one command?")');
        await source(page).waitFor();
        expect((await dialog(page).boundingBox())!.x).toBeLessThan(100);
        await page.evaluate("octavoWidget.close()");
        await expect
          .poll(() => page.evaluate("seen"))
          .toEqual(["octavo:open null", "octavo:ask null", "octavo:close null"]);
      },
    );
  });

  test("a restricted page never reaches the widget", async () => {
    await open(website.pageWith(site.origin), async (page) => {
      await launcher(page).click();
      await askOnPage(page, "What is the staff password?");
      expect(await dialog(page).textContent()).not.toContain(canary);
      expect(await dialog(page).textContent()).not.toContain("Staff password");
    });
  });

  test("before it opens, the widget loads less than 15 KB", async () => {
    await open(website.pageWith(site.origin), async (page) => {
      await launcher(page).waitFor();
      const names = (await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name)",
      )) as string[];
      const bodies = await Promise.all(
        names.map(async (name) =>
          Buffer.from(
            await (await fetch(name.replace(/\/\/[\w-]+\.localhost/, "//127.0.0.1"), {})).arrayBuffer(),
          ),
        ),
      );
      expect(names.map((name) => new URL(name).pathname)).toEqual([
        "/_octavo/widget.js",
        "/octavo.config.js",
      ]);
      expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(15_000);
    });
  });
});

test("the panel of the documentation site has the link to support, and a click on it is recorded", async () => {
  await open(`${site.origin}/guides/install`, async (page) => {
    await page.keyboard.press("Control+i");
    await field(page).waitFor();
    await askOnPage(page, "How do I install Acme with one command?");
    const support = page.getByRole("link", { name: "Contact support" });
    const [{ conversationId }] = await rowsOf(site);
    expect(await support.getAttribute("href")).toContain(`?threadId=${conversationId}#form`);
    // The browser stays on the page, so that the response is seen.
    await page.route("https://help.example/**", (route) => route.fulfill({ status: 204 }));
    const sent = page.waitForResponse((response) => response.url().endsWith("/assistant/hand-over"));
    await support.click();
    expect((await sent).status()).toBe(204);
  });
});

describe("requests from other origins", () => {
  const question = (headers: Record<string, string>, method = "POST") =>
    send({
      port: site.port,
      host: `${site.host}:${site.port}`,
      path: "/_octavo/assistant",
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" ? { body: JSON.stringify(bodyOf("How do I install Acme?")) } : {}),
    });
  const corsHeaders = (headers: Record<string, unknown>) =>
    Object.keys(headers).filter((name) => name.startsWith("access-control-"));

  test.each(["https://evil.example", "null", "http://127.0.0.1"])(
    "%s gets no answer and no permission",
    async (origin) => {
      for (const method of ["OPTIONS", "POST"]) {
        const answer = await question({ origin, "sec-fetch-site": "cross-site" }, method);
        expect([answer.status >= 400, corsHeaders(answer.headers)]).toEqual([true, []]);
      }
    },
  );

  test("an allowed origin gets permission without credentials, and caches don't mix origins", async () => {
    const from = { origin: website.origin, "sec-fetch-site": "cross-site" };
    const preflight = await question(from, "OPTIONS");
    expect(preflight).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": website.origin, vary: expect.stringContaining("Origin") },
    });
    const answer = await question(from);
    expect(answer.headers["access-control-allow-origin"]).toBe(website.origin);
    for (const { headers } of [preflight, answer])
      expect(Object.keys(headers)).not.toContain("access-control-allow-credentials");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect((await question({})).headers.vary).toContain("Origin");
  });
});

test("a site that doesn't list websites has no widget", async () => {
  const without = await newSite(service);
  const { status } = await send({
    port: without.port,
    host: `${without.host}:${without.port}`,
    path: "/_octavo/widget.js",
  });
  expect(status).toBe(404);
});
