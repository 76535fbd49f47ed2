/** Assistant and analytics of a bundle server: responses to readers, and logs on the volume. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../test/browser/chromium.ts";
import { type OtherWebsite, startOtherWebsite } from "../../test/browser/other-website.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";
import { send } from "../../test/service/service.ts";
import { guide } from "../../test/service/test-sites.ts";

const work = mkdtempSync(path.join(tmpdir(), "octavo-asked-bundle-"));
const archive = path.join(work, "bundle.tar.gz");
const paths = [
  "/_octavo/assistant",
  "/_octavo/assistant/feedback",
  "/_octavo/assistant/hand-over",
  "/_octavo/events",
  "/_octavo/feedback",
];
const question = {
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "How do I install Acme?" }] }],
};

let browser: Browser;
let website: OtherWebsite;
beforeAll(async () => {
  website = await startOtherWebsite();
  const settings = {
    assistant: { support: "https://example.com/contact", widget: { origins: [website.origin] } },
  };
  const files = {
    ...guide,
    "docs.json": JSON.stringify({ ...JSON.parse(guide["docs.json"]!), ...settings }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(work, "docs", name)), { recursive: true });
    writeFileSync(path.join(work, "docs", name), text);
  }
  const words = ["export", path.join(work, "docs"), "--output", archive, "--kind", "client-hosted"];
  execFileSync(process.execPath, ["bin/octavo.js", ...words], { stdio: "pipe" });
  browser = await connectBrowser();
});
afterAll(async () => {
  await browser?.close();
  await website.stop();
  rmSync(work, { recursive: true, force: true });
});

const post = ({ port }: BundleServer, at: string, body: object, headers: Record<string, string> = {}) =>
  send({
    port,
    path: at,
    host: `docs.example.com:${port}`,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Events in the log of a bundle server, without their times. */
function logged({ folder }: BundleServer): Record<string, unknown>[] {
  const at = path.join(folder, "analytics");
  return readdirSync(at).flatMap((name) =>
    readFileSync(path.join(at, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => {
        const { time, ...event } = JSON.parse(line) as Record<string, unknown>;
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
        return event;
      }),
  );
}

describe("with assistant and analytics off", () => {
  test("the endpoints do not exist, and nothing is logged", async () => {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: archive });
    await server.settled();
    for (const at of paths) expect([at, (await post(server, at, question)).status]).toEqual([at, 404]);
    expect((await server.get("/_octavo/assistant")).status).toBe(404);
    expect(readdirSync(server.folder)).not.toContain("analytics");
    await server.stop();
  });
});

describe("with assistant and analytics on", () => {
  let server: BundleServer;
  beforeAll(async () => {
    server = await startBundleServer({
      OCTAVO_BUNDLE_URL: archive,
      OCTAVO_ASSISTANT: "true",
      OCTAVO_ANALYTICS: "true",
    });
    await server.settled();
  });
  afterAll(async () => {
    await server.stop();
  });

  test("a reader asks, gets an answer with its source, rates it and the page, and the log has all of it", async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      userAgent:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    });
    const page = await context.newPage();
    const failed: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(`${origin}/guides/install.html`);
    await page.keyboard.press("Control+i");
    await page.getByRole("textbox", { name: "Ask a question", exact: true }).fill("How do I install Acme?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Good answer" }).click();
    await expect.poll(() => page.locator(".o-assistant").innerText()).toContain("npm install acme");
    const source = page.locator(".o-assistant a[href*='guides/install']").first();
    expect((await server.get(new URL((await source.getAttribute("href"))!, origin).pathname)).status).toBe(
      200,
    );
    await page.locator(".o-feedback [data-helpful=true]").click();
    await page.locator(".o-feedback [role=status]", { hasText: "Thank you" }).waitFor();
    await page.goto("about:blank");
    await expect
      .poll(() => logged(server))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: "view", path: "/guides/install" }),
          expect.objectContaining({
            type: "question",
            query: "How do I install Acme?",
            resolutionStatus: "answered",
          }),
          expect.objectContaining({ type: "answer-feedback", helpful: true }),
          expect.objectContaining({ type: "feedback", path: "/guides/install", helpful: true }),
        ]),
      );
    expect(failed).toEqual([]);
    await context.close();
  });

  test("a visitor of another website asks in the widget, below a path, and contacts support", async () => {
    const below = await startBundleServer({
      OCTAVO_BUNDLE_URL: archive,
      OCTAVO_ASSISTANT: "true",
      OCTAVO_ANALYTICS: "true",
      OCTAVO_BASE_PATH: "/docs",
    });
    await below.settled();
    const context = await browser.newContext();
    const page = await context.newPage();
    const docs = `http://localhost:${below.port}/docs`;
    await page.goto(website.pageWith(docs, 'data-questions="How do I install Acme?"'));
    await page.getByRole("button", { name: "Ask the assistant" }).click();
    await page.getByRole("button", { name: "How do I install Acme?" }).click();
    const source = page.getByRole("link", { name: /With one command/ }).first();
    const href = (await source.getAttribute("href"))!;
    expect(href).toBe(`${docs}/guides/install.html#with-one-command`);
    expect((await below.get(new URL(href).pathname)).status).toBe(200);
    const support = page.getByRole("link", { name: "Contact support" });
    expect(await support.getAttribute("href")).toMatch(/^https:\/\/example\.com\/contact\?threadId=\w{26}$/);
    const sent = page.waitForResponse((response) => response.url().endsWith("/assistant/hand-over"));
    await support.evaluate((link) => {
      link.addEventListener("click", (event) => event.preventDefault());
      (link as HTMLElement).click();
    });
    expect((await sent).status()).toBe(204);
    await context.close();
    await expect.poll(() => logged(below)).toContainEqual({ type: "hand-over", turnId: expect.any(String) });
    await below.stop();
  });

  test("a follow-up question is understood in the context of the previous question", async () => {
    const first = await post(server, "/_octavo/assistant", question);
    const threadId = /"threadId":"(\w+)"/.exec(first.text)![1]!;
    const messages = [{ id: "2", role: "user", parts: [{ type: "text", text: "And how do I remove it?" }] }];
    expect((await post(server, "/_octavo/assistant", { messages, threadId })).text).toContain(
      "npm uninstall acme",
    );
  });

  test("the response says that the pages do not answer a question", async () => {
    const messages = [
      { id: "3", role: "user", parts: [{ type: "text", text: "Which planets have rings?" }] },
    ];
    const { text } = await post(server, "/_octavo/assistant", { messages });
    expect(text).toContain('"resolutionStatus":"unanswered"');
    expect(text).not.toContain("source-url");
  });

  test.each(paths)("%s: a request from another site is refused", async (at) => {
    expect((await post(server, at, question, { origin: "https://elsewhere.example" })).status).toBe(403);
  });

  test("missing pages, programs and invalid requests are not counted", async () => {
    const before = logged(server).length;
    const view = (page: string, userAgent: string) =>
      post(
        server,
        "/_octavo/events",
        { events: [{ type: "view", path: page }] },
        { "user-agent": userAgent },
      );
    const person =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    expect((await view("/not/there", person)).status).toBe(204);
    expect((await view("/guides/install", "Googlebot/2.1")).status).toBe(204);
    expect((await post(server, "/_octavo/events", { events: [{ type: "other" }] })).status).toBe(400);
    expect((await post(server, "/_octavo/feedback", { path: "/not/there", helpful: true })).status).toBe(400);
    expect((await view("/guides/install", person)).status).toBe(204);
    await expect.poll(() => logged(server).length).toBe(before + 1);
  });

  test("the log contains nothing that identifies a reader", async () => {
    const text = JSON.stringify(logged(server));
    expect(text).not.toMatch(/127\.0\.0\.1|Mozilla/);
  });
});
