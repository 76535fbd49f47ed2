/**
 * Bundles without a network: the pages of two sites, from disk and from the bundle server, in a browser that
 * can only reach the loopback interface. No requests go to other hosts, and nothing fails.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumArguments, chromiumPath } from "../../test/browser/chromium-process.ts";
import { WithoutNetwork, whyNoPlaceWithoutNetwork } from "../../test/bundle/without-network.ts";
import { corpusOf, inCorpus } from "../../test/shared/corpus.ts";

const missing = whyNoPlaceWithoutNetwork();
if (missing) console.error(`Bundles are not tried without a network: ${missing}.`);

interface Site {
  name: string;
  docs: string;
  /** A search query, and a pattern that its first result matches. */
  asked: string;
  found: RegExp;
  /** Path of a reference page whose playground has a text field. */
  reference: string;
}

const sites: Site[] = [
  {
    name: "our documentation",
    docs: "docs",
    asked: "quickstart",
    found: /quickstart/i,
    reference: "integrate/reference/projects/get-a-project.html",
  },
  {
    name: "spree",
    docs: path.join(corpusOf.docs, "spree"),
    asked: "create an order",
    found: /order/i,
    reference: "api-reference/admin-api/allowed-origins/create-an-allowed-origin.html",
  },
];

const work = mkdtempSync(path.join(tmpdir(), "octavo-offline-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

let place: WithoutNetwork;
let browser: Browser;

beforeAll(async () => {
  if (missing) return;
  place = new WithoutNetwork();
  await place.ready();
  browser = await chromium.launch({
    executablePath: place.program(chromiumPath()!),
    args: chromiumArguments,
  });
});
afterAll(async () => {
  await browser?.close();
  place?.stop();
});

interface Opened {
  context: BrowserContext;
  /** Errors, and requests to other hosts. */
  complaints: string[];
  requests: number;
}

/** Opens a browser context. `own`: URL prefix of the site; requests to other URLs are reported. */
async function openContext(own: string): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const opened: Opened = { context, complaints: [], requests: 0 };
  const report = (text: string) => opened.complaints.push(text);
  context.on("request", (request) => {
    opened.requests++;
    if (!request.url().startsWith(own) && !/^(?:data|blob):/.test(request.url()))
      report(`asks ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    // Leaving a page aborts its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      report(`${request.url()} ${request.failure()?.errorText}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) report(`${response.status()} ${response.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error") report(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on("weberror", (error) => report(error.error().message));
  return opened;
}

function bundleOf({ name, docs }: Site, kind: string): { archive: string; folder: string; pages: string[] } {
  const folder = path.join(work, `${name}-${kind}`.replaceAll(" ", "-"));
  const archive = `${folder}.tar.gz`;
  if (!existsSync(folder)) {
    const words = [
      "export",
      docs,
      "--output",
      archive,
      "--url",
      "https://docs.example.com",
      "--kind",
      kind,
      "--no-cache",
    ];
    // Exit code 1: the site has errors, but all files are written.
    try {
      execFileSync(process.execPath, ["bin/octavo.js", ...words], { stdio: "pipe" });
    } catch (error) {
      if ((error as { status: number }).status !== 1) throw error;
    }
    mkdirSync(folder);
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
  }
  const pages = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".html") && file !== "404.html",
  );
  // Redirect pages navigate away while they are checked.
  const isStub = (file: string) =>
    readFileSync(path.join(folder, file), "utf8").includes('http-equiv="refresh"');
  return { archive, folder, pages: pages.filter((file) => !isStub(file)) };
}

async function startServer(
  archive: string,
  env: Record<string, string>,
): Promise<{ origin: string; process: ChildProcess }> {
  const volume = mkdtempSync(path.join(work, "volume-"));
  const [name, words] = place.command([process.execPath, "bin/octavo.js", "bundle-server"]);
  const child = spawn(name, words, {
    env: {
      PATH: process.env.PATH,
      PORT: "4000",
      OCTAVO_DATA: volume,
      OCTAVO_BUNDLE_URL: path.resolve(archive),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const served = new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(output)));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (/serving version/.test(output)) resolve();
      });
  });
  await served;
  return { origin: "http://127.0.0.1:4000", process: child };
}

/** Every n-th page, where n is `every`. */
function sampleOf(pages: readonly string[], every: number): string[] {
  return pages.filter((_, index) => index % every === 0);
}

/** Visits all pages in two tabs. */
async function openAll(opened: Opened, addresses: readonly string[]): Promise<void> {
  const waiting = [...addresses];
  const tabs = await Promise.all([opened.context.newPage(), opened.context.newPage()]);
  await Promise.all(
    tabs.map(async (tab) => {
      for (let address = waiting.pop(); address; address = waiting.pop()) {
        await tab.goto(address, { waitUntil: "load" });
        // Lazy images are then requested without scrolling.
        await tab.evaluate(
          "for (const late of document.querySelectorAll('[loading=lazy]')) late.loading = 'eager'",
        );
      }
      await tab.waitForTimeout(500);
      await tab.close();
    }),
  );
}

async function search(page: Page, { asked, found }: Site): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill(asked);
  const first = page
    .getByRole("option")
    .filter({ has: page.locator(".o-hit-title") })
    .first();
  await first.waitFor();
  expect(await first.textContent()).toMatch(found);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("#content-area").textContent()).toMatch(found);
}

async function switchTheme(page: Page): Promise<void> {
  const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
  const before = await isDark();
  await page.locator(".o-theme summary:visible").first().click();
  await page.locator('button[data-mode="dark"]:visible').first().click();
  await expect.poll(isDark).toBe(!before);
}

/** Checks that the playground opens and accepts input. */
async function usePlayground(page: Page): Promise<void> {
  await page.locator(".o-try-it").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Send" }).waitFor();
  const field = dialog.locator("input[type=text]:visible, input[type=password]:visible").first();
  await field.fill("abc");
  expect(await field.inputValue()).toBe("abc");
}

describe.skipIf(missing)("the environment without a network", () => {
  test("blocks requests to other hosts", async () => {
    const opened = await openContext("http://127.0.0.1");
    const tab = await opened.context.newPage();
    for (const address of ["http://192.0.2.1/", "https://docs.example.com/"])
      await expect(tab.goto(address)).rejects.toThrow(
        /ERR_(?:INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NAME_NOT_RESOLVED)/,
      );
    // Blocked requests are recorded as complaints.
    expect(opened.complaints.length).toBeGreaterThanOrEqual(4);
    await opened.context.close();
  });
});

for (const site of sites)
  describe.skipIf(missing || !inCorpus(site.docs))(site.name, () => {
    for (const kind of ["client-hosted", "air-gapped"])
      test(`${kind}, from disk`, { timeout: 400_000 }, async () => {
        const { folder, pages } = bundleOf(site, kind);
        const address = (name: string) => pathToFileURL(path.join(folder, name)).href;
        const opened = await openContext(pathToFileURL(folder).href);
        expect(pages.length).toBeGreaterThan(200);
        // A sample limits the duration of the test. real-sites.long.test.ts opens every page of our
        // documentation from disk and reports requests to other hosts. The air-gapped site differs in the
        // same way on every page.
        const seen = sampleOf(pages, kind === "air-gapped" ? 20 : 10);
        await openAll(opened, seen.map(address));
        expect(opened.requests).toBeGreaterThan(seen.length);

        const tab = await opened.context.newPage();
        await tab.goto(address("index.html"));
        await switchTheme(tab);
        await tab.goto(address(site.reference));
        if (kind === "client-hosted") await usePlayground(tab);
        else expect(await tab.locator(".o-try-it").isVisible()).toBe(false);
        await tab.goto(address("index.html"));
        if (kind === "client-hosted") await search(tab, site);
        else expect(await tab.locator(".o-search-button:visible").count()).toBe(0);
        expect(opened.complaints).toEqual([]);
        await opened.context.close();
      });

    test("from an air-gapped bundle server", { timeout: 400_000 }, async () => {
      const { archive, pages } = bundleOf(site, "client-hosted");
      const env = {
        OCTAVO_KIND: "air-gapped",
        OCTAVO_SEARCH: "local",
        OCTAVO_PLAYGROUND: "true",
        OCTAVO_OUTBOUND_ALLOW: "10.0.0.0/8",
      };
      const server = await startServer(archive, env);
      try {
        const opened = await openContext(server.origin);
        const seen = sampleOf(pages, pages.length > 500 ? 10 : 3);
        await openAll(
          opened,
          seen.map((name) => `${server.origin}/${name}`),
        );
        const tab = await opened.context.newPage();
        await tab.goto(`${server.origin}/`);
        await switchTheme(tab);
        await search(tab, site);
        await tab.goto(`${server.origin}/${site.reference}`);
        await usePlayground(tab);
        expect(opened.complaints).toEqual([]);
        await opened.context.close();
      } finally {
        server.process.kill();
      }
    });
  });
