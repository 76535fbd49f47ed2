/**
 * An air-gapped site behind a proxy that adds `Content-Security-Policy: default-src 'self'`. No page violates
 * the policy, even while a reader uses it, and content that is inline on other sites looks the same. Also
 * tests pages from disk and the playground of a bundle server.
 */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../test/browser/chromium.ts";
import { startBundleServer } from "../../test/bundle/server.ts";
import { root, siteOf } from "../../test/engine/build.ts";
import { filesFrom } from "../base/files.ts";
import { exportSite } from "../engine/export/export-site.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";
import { buildSite } from "../engine/site/build-site.ts";
import { operatorFile, operatorPath } from "../engine/site/features.ts";
import { typeOf } from "../host/content-type.ts";

const svg =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='10'%3E%3C/svg%3E";
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const inline = `---
title: Inline
icon: rocket
---

<p id="object" style={{ color: "rgb(1, 2, 3)", "--own": "4px" }}>Styled</p>
<p id="text" className="mine" style="color: rgb(4, 5, 6)">Styled</p>
<p id="picture" style={{ backgroundImage: \`url("${svg}")\` }}>With a ground</p>
<p id="braces" style="color: rgb(7, 8, 9); --x: {a}">Styled by script</p>

<style>{\`#sheet { color: rgb(10, 11, 12); }\`}</style>

<p id="sheet">By a style element</p>

<img id="data" src="${pixel}" alt="A pixel" />
<img id="drawn" src="${svg}" alt="A drawing" />

export const Counter = () => {
  const [count, setCount] = useState(0);
  return <button id="island" style={{ color: "rgb(13, 14, 15)", paddingLeft: count }} onClick={() => setCount(count + 1)}>{count}</button>;
};

<Counter />

\`\`\`js theme={"github-light"}
const a = 1;
\`\`\`

\`\`\`mermaid
flowchart LR
  a[One] --> b[Two]
\`\`\`

\`\`\`mermaid
sequenceDiagram
  A->>B: Hello
\`\`\`

$$x^2$$

<Color variant="compact"><Color.Item name="blue" value="#0000ff" /></Color>
`;

const api = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/orders": {
      post: {
        summary: "Create an order",
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { code: { type: "string", pattern: "^a+$" } } },
            },
          },
        },
        responses: {
          "200": { description: "Fine", content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    },
  },
});

/** A page for each component of our documentation, and one with many kinds of inline styles and scripts. */
function sources(): Record<string, string> {
  const components = Object.fromEntries(
    readdirSync(path.join(root, "docs/components")).map((name) => [
      `components/${name}`,
      readFileSync(path.join(root, "docs/components", name), "utf8"),
    ]),
  );
  const snippets = Object.fromEntries(
    readdirSync(path.join(root, "docs/snippets")).map((name) => [
      `snippets/${name}`,
      readFileSync(path.join(root, "docs/snippets", name), "utf8"),
    ]),
  );
  const pages = ["inline", ...Object.keys(components).map((name) => name.replace(/\.mdx$/, ""))];
  return siteOf(
    {
      "inline.mdx": inline,
      ...components,
      ...snippets,
      "api.json": api,
      "own.css": `.mine { background: url("${svg}") }`,
    },
    {
      banner: { content: "**News**", color: { light: "#102030", dark: "#405060" }, dismissible: true },
      background: { decoration: "gradient" },
      navigation: {
        groups: [
          { group: "All", icon: "book", pages },
          { group: "API", openapi: "api.json" },
        ],
      },
    },
  ) as Record<string, string>;
}

const work = mkdtempSync(path.join(tmpdir(), "octavo-bare-policy-"));
let browser: Browser;
let server: Server;
let origin = "";
let context: BrowserContext;

async function write(folder: string, target: Partial<ExportTarget>): Promise<string[]> {
  const { site } = await buildSite(filesFrom(sources()), { generator: "test", clock: Date.now });
  const assets = { read: (name: string) => readFileSync(path.join(root, "dist/assets", name)) };
  const paths: string[] = [];
  for await (const file of exportSite(site, { kind: "air-gapped", links: "html", ...target }, { assets })) {
    mkdirSync(path.dirname(path.join(folder, file.path)), { recursive: true });
    writeFileSync(path.join(folder, file.path), file.bytes);
    paths.push(file.path);
  }
  return paths;
}

let paths: string[];
beforeAll(async () => {
  paths = await write(path.join(work, "site"), {});
  writeFileSync(
    path.join(work, "site", operatorPath),
    operatorFile({
      kind: "air-gapped",
      search: "local",
      assistant: false,
      analytics: false,
      playground: true,
    }),
  );
  await write(path.join(work, "other"), { kind: "client-hosted" });
  server = createServer((request, response) => {
    const name = decodeURI(request.url!.replace(/[?#].*$/s, ""));
    try {
      const bytes = readFileSync(path.join(work, "site", name));
      response
        .writeHead(200, { "content-type": typeOf(name), "content-security-policy": "default-src 'self'" })
        .end(bytes);
    } catch {
      response.writeHead(404, { "content-security-policy": "default-src 'self'" }).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await connectBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    addEventListener(
      "securitypolicyviolation",
      (event) => violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
      true,
    );
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(work, { recursive: true, force: true });
});

async function opened(url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => {
    const error = request.failure()?.errorText;
    // On pages from disk, a script replaces style sheets while they load.
    const isReplaced =
      url.startsWith("file:") && error === "net::ERR_ABORTED" && /\.css$/.test(request.url());
    if (!isReplaced) complaints.push(`failed ${request.url()} ${error}`);
  });
  await page.goto(url, { waitUntil: "load" });
  // A page that redirects is left as soon as it is loaded.
  const { pathname } = new URL(url);
  const file = url.startsWith("file:") ? pathname : path.join(work, "site", pathname);
  if (existsSync(file) && /http-equiv="refresh"/.test(readFileSync(file, "utf8")))
    await page.waitForURL((shown) => shown.href !== url);
  const count = await page.locator(".o-mermaid").count();
  if (count) await expect.poll(() => page.locator(".o-diagram-drawn svg").count()).toBe(count);
  return { page, complaints };
}

const violationsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { violations: string[] }).violations);

test("no page has inline styles, inline scripts or data URLs", () => {
  for (const name of paths.filter((one) => one.endsWith(".html"))) {
    const text = readFileSync(path.join(work, "site", name), "utf8");
    expect([name, text.match(/<style|\sstyle="|<script>|(?:src|href)="data:/)?.[0]]).toEqual([
      name,
      undefined,
    ]);
  }
});

describe("behind default-src 'self'", () => {
  test("no page violates the policy", async () => {
    const pages = paths.filter((name) => name.endsWith(".html"));
    expect(pages.length).toBeGreaterThan(20);
    const found: [string, string[]][] = [];
    for (const name of pages) {
      const { page, complaints } = await opened(`${origin}/${name}`);
      const seen = [...(await violationsOf(page)), ...complaints];
      if (seen.length) found.push([name, seen]);
      await page.close();
    }
    expect(found).toEqual([]);
  }, 180_000);

  test("content that is inline on other sites looks the same", async () => {
    // Without fonts, because a page that loads slowly keeps the fallback font, in which diagrams have another
    // size.
    await context.route("**/*.woff2", (route) => route.abort());
    const { page } = await opened(`${origin}/inline.html`);
    const other = await opened(`${pathToFileURL(work)}/other/inline.html`);
    const look = (one: Page) =>
      one.evaluate(() => [
        ...["object", "text", "braces", "sheet", "island"].map(
          (id) => getComputedStyle(document.getElementById(id)!).color,
        ),
        getComputedStyle(document.getElementById("object")!).getPropertyValue("--own"),
        getComputedStyle(document.querySelector("#banner")!).backgroundColor,
        ...[...document.querySelectorAll(".o-code .line span")].map((span) => getComputedStyle(span).color),
        ...["data", "drawn"].map((id) =>
          String((document.getElementById(id) as HTMLImageElement).naturalWidth),
        ),
        ...[...document.querySelectorAll(".o-diagram-drawn svg")].map((drawn) =>
          String(Math.round(drawn.getBoundingClientRect().width)),
        ),
      ]);
    const seen = await look(page);
    expect(seen.slice(0, 6)).toEqual([
      "rgb(1, 2, 3)",
      "rgb(4, 5, 6)",
      "rgb(7, 8, 9)",
      "rgb(10, 11, 12)",
      "rgb(13, 14, 15)",
      "4px",
    ]);
    expect(seen).toEqual(await look(other.page));
    expect(
      await page.evaluate(() => getComputedStyle(document.getElementById("picture")!).backgroundImage),
    ).toContain("/_octavo/image-");
    await page.close();
    await other.page.close();
    await context.unroute("**/*.woff2");
  });

  test("search, color mode, components and the playground work", async () => {
    const { page } = await opened(`${origin}/inline.html`);
    await page.locator("#island").click();
    await expect.poll(() => page.locator("#island").innerText()).toBe("1");
    await page.evaluate(() => document.documentElement.classList.toggle("dark"));
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("callouts");
    await page.locator(".o-hit-title").first().waitFor();
    await page.keyboard.press("Escape");
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${origin}/${paths.find((name) => name.startsWith("api-reference/"))!}`);
    await page.locator(".o-try-it").first().click();
    await page.locator(".o-pg").waitFor();
    const field = page.locator(".o-pg input[type=text], .o-pg textarea").first();
    if (await field.count()) await field.fill("aaa");
    await page.waitForLoadState("networkidle");
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });
});

describe("from disk", () => {
  test("no page violates its own policy", async () => {
    const found: [string, string[]][] = [];
    // The 404 page has URLs from the root of a host.
    for (const name of paths.filter((one) => one.endsWith(".html") && one !== "404.html")) {
      const { page, complaints } = await opened(`${pathToFileURL(work)}/site/${name}`);
      const seen = [...(await violationsOf(page)), ...complaints];
      if (seen.length) found.push([name, seen]);
      await page.close();
    }
    expect(found).toEqual([]);
  }, 180_000);

  test("search, components and the playground work", async () => {
    const { page } = await opened(`${pathToFileURL(work)}/site/inline.html`);
    await page.locator("#island").click();
    await expect.poll(() => page.locator("#island").innerText()).toBe("1");
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("callouts");
    await page.locator(".o-hit-title").first().waitFor();
    await page.keyboard.press("Escape");
    expect(await violationsOf(page)).toEqual([]);
    const reference = paths.find((name) => name.startsWith("api-reference/"))!;
    await page.goto(`${pathToFileURL(work)}/site/${reference}`);
    await page.locator(".o-try-it").first().click();
    await page.locator(".o-pg").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });
});

test("images in style sheets load from disk, and nothing fails", async () => {
  const { page, complaints } = await opened(`${pathToFileURL(work)}/site/inline.html`);
  const mask = await page.evaluate(
    () => getComputedStyle(document.querySelector("#sidebar i, nav i")!).maskImage,
  );
  expect(mask).toMatch(/^url\("data:/);
  expect(complaints).toEqual([]);
  await page.close();
});

describe("the playground of an air-gapped bundle server", () => {
  let archive = "";
  let api: Server;
  let apiOrigin = "";
  beforeAll(async () => {
    api = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end('{"taken":true}');
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Orders", version: "1" },
      servers: [{ url: apiOrigin }],
      paths: {
        "/orders": { get: { summary: "List orders", responses: { "200": { description: "Fine" } } } },
      },
    });
    const settings = {
      navigation: {
        groups: [
          { group: "Start", pages: ["index"] },
          { group: "API", openapi: "api.json" },
        ],
      },
    };
    const folder = path.join(work, "docs");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(
      siteOf({ "index.mdx": "Hello.", "api.json": document }, settings),
    ))
      writeFileSync(path.join(folder, name), text);
    archive = path.join(work, "bundle.tar.gz");
    execFileSync(
      process.execPath,
      ["bin/octavo.js", "export", folder, "--output", archive, "--kind", "air-gapped"],
      { stdio: "pipe" },
    );
  });
  afterAll(() => {
    api.closeAllConnections();
    api.close();
  });

  /** Opens the operation's page, opens its playground if it has one, and calls `use`. */
  async function tried(
    env: Record<string, string>,
    use: (page: Page, hasPlayground: boolean) => Promise<void>,
  ): Promise<void> {
    const bundle = await startBundleServer({ OCTAVO_BUNDLE_URL: archive, ...env });
    try {
      await bundle.settled();
      const { page } = await opened(`http://127.0.0.1:${bundle.port}/api-reference/list-orders.html`);
      const button = page.locator(".o-try-it").first();
      const isThere = await button.isVisible();
      if (isThere) {
        await button.click();
        await page.locator(".o-pg").waitFor();
      }
      await use(page, isThere);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    } finally {
      await bundle.stop();
    }
  }
  const send = (page: Page) => page.locator(".o-pg").getByRole("button", { name: "Send", exact: true });

  test("shows no playground if it is off", () =>
    tried({}, async (_page, hasPlayground) => {
      expect(hasPlayground).toBe(false);
    }));

  test("sends requests to a host that the operator allows", () =>
    tried({ OCTAVO_PLAYGROUND: "true", OCTAVO_OUTBOUND_ALLOW: new URL(apiOrigin).host }, async (page) => {
      await send(page).click();
      await page.locator(".o-pg").getByText("taken").first().waitFor();
    }));

  test("shows which host to allow if only another host is allowed", () =>
    tried({ OCTAVO_PLAYGROUND: "true", OCTAVO_OUTBOUND_ALLOW: "api.corp.example" }, async (page) => {
      await send(page).click();
      await page
        .getByText(/isn't allowed to call/)
        .first()
        .waitFor();
    }));

  test("builds requests but cannot send them if no host is allowed", () =>
    tried({ OCTAVO_PLAYGROUND: "true" }, async (page, hasPlayground) => {
      expect(hasPlayground).toBe(true);
      expect(await send(page).count()).toBe(0);
    }));
});
