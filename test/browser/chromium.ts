/** Pages in a browser. Each test gets a new context and fails if its page reports an error. */

import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Page,
  type Request,
} from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { root } from "../engine/build.ts";

const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");

export const wide = { width: 1440, height: 900 };
export const phone = { width: 320, height: 640 };

export interface Look {
  colorScheme: "light" | "dark";
  viewport: typeof wide;
}

/**
 * Whether tests open every page in every look, as in `npm run test:long`. Otherwise, they open one page of
 * each kind.
 */
export const isComplete = process.env.TEST_EVERY_PAGE === "true";

/** Color modes and widths that accessibility tests check. Two of them have both modes and both widths. */
export const looks: readonly Look[] = [
  { colorScheme: "light", viewport: wide },
  { colorScheme: "dark", viewport: phone },
  ...(isComplete
    ? ([
        { colorScheme: "light", viewport: phone },
        { colorScheme: "dark", viewport: wide },
      ] as const)
    : []),
];

/** Errors that a page reported while it was open. */
export interface Complaints {
  list: string[];
}

export type Visit = (page: Page, complaints: Complaints) => Promise<void>;

/** The shared browser of the run. Closing it closes only the contexts of this connection. */
export async function connectBrowser(): Promise<Browser> {
  const url = inject("browserUrl");
  if (url === undefined) throw new Error("Chromium wasn't found. Set CHROMIUM_PATH.");
  return chromium.connect(url);
}

/** `open` visits a page in a new context and fails if the page has reported errors. */
export function useChromium(): {
  open(address: string, visit: Visit, options?: BrowserContextOptions): Promise<void>;
} {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());
  return {
    async open(address, visit, options = {}) {
      const context = await browser.newContext({
        viewport: wide,
        colorScheme: "light",
        reducedMotion: "reduce",
        ...options,
      });
      const complaints: Complaints = { list: [] };
      context.on("console", (message) => {
        // Chromium with a window, unlike its headless shell, asks for an icon at the root of the host.
        if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico"))
          complaints.list.push(`console: ${message.text()}`);
      });
      context.on("weberror", (error) => complaints.list.push(`error: ${error.error().message}`));
      const pending = new Set<Request>();
      context.on("request", (request) => pending.add(request));
      context.on("requestfinished", (request) => pending.delete(request));
      context.on("requestfailed", (request) => {
        pending.delete(request);
        const reason = request.failure()?.errorText;
        // Leaving a page aborts its requests.
        if (reason !== "net::ERR_ABORTED") complaints.list.push(`failed: ${request.url()} ${reason}`);
      });
      context.on("response", (response) => {
        if (response.status() >= 400) complaints.list.push(`${response.status()}: ${response.url()}`);
      });
      try {
        const page = await context.newPage();
        pendingRequests.set(page, pending);
        await page.goto(address);
        await visit(page, complaints);
        expect(complaints.list).toEqual([]);
      } finally {
        await context.close();
      }
    },
  };
}

/** Requests that haven't ended, of each page that `open` visits. */
const pendingRequests = new WeakMap<Page, Set<Request>>();

/**
 * Resolves when no request of a page that `open` visits is running, and the page has handled all events and
 * responses so far.
 */
export async function settled(page: Page): Promise<void> {
  const pending = pendingRequests.get(page)!;
  do {
    await expect.poll(() => [...pending].map((request) => request.url())).toEqual([]);
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
    );
  } while (pending.size > 0);
}

/**
 * Reads a download through the connection, because its file belongs to the process that started the browser.
 */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Accessibility problems of the current page that axe rates as serious or critical. */
export async function seriousFaults(page: Page): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + ": " + nodes[0].html))`);
}

/** How far the page can be scrolled horizontally, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}
