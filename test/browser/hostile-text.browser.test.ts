/** Nothing that an OpenAPI document says runs in a reader's browser, whatever the host's headers. */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typeOf } from "../../src/reader/static-site.ts";
import { type BuiltSite, buildSiteFrom } from "../build.ts";
import { useChromium } from "./chromium.ts";
import { hostileDocument, payloads } from "./hostile-document.ts";

const pages = 24;
let site: BuiltSite;
let server: Server;
let policy: string | undefined;
const { open } = useChromium();

beforeAll(async () => {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index"] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation,
      api: { examples: { prefill: true }, params: { expanded: "all", post: ["title"] } },
    }),
    "index.mdx": "Home",
    "api.json": hostileDocument(pages),
  });
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://x").pathname.slice(1)) || "index.html";
    if (!site.paths.includes(path)) return void response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": typeOf(path), ...(policy ? { "content-security-policy": policy } : {}) })
      .end(site.read(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, 120_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Our own inline scripts are the same on every page; only they may run. */
function strictPolicy(): string {
  const inline = [...site.read("index.html").matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    (match) => `'sha256-${createHash("sha256").update(match[1]!).digest("base64")}'`,
  );
  return `default-src 'self'; script-src 'self' ${inline.join(" ")}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:9; object-src 'none'; base-uri 'none'`;
}

test("there are at least 150 payloads", () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(150);
});

describe.each([
  ["without a policy", false],
  ["with a strict policy", true],
])("%s", (_, strict) => {
  test("no page, no playground and no schema of its own runs anything", { timeout: 400_000 }, async () => {
    policy = strict ? strictPolicy() : undefined;
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = site.paths.filter(
      (path) =>
        path.endsWith(".html") &&
        (path.startsWith("api-reference/") || path.startsWith("_octavo/schemas/") || path.startsWith("_octavo/nav/")),
    );
    expect(found.filter((path) => path.startsWith("api-reference/")).length).toBe(pages);
    const events: string[] = [];
    await open(`${origin}/index.html`, async (page, complaints) => {
      const context = page.context();
      await context.exposeFunction("__pwn", () => void events.push(`ran on ${page.url()}`));
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) =>
          console.log(`VIOLATION ${event.violatedDirective} ${event.sample}`),
        );
      });
      context.on("dialog", (dialog) => {
        events.push(`dialog on ${page.url()}`);
        void dialog.dismiss();
      });
      context.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) events.push(`request to ${request.url()}`);
      });
      page.on("console", (message) => {
        // A relative server is on the list of what may be tried; a script or a picture from elsewhere is not.
        if (message.text().startsWith("VIOLATION")) events.push(`${message.text()} on ${page.url()}`);
      });
      for (const path of found) {
        await page.goto(`${origin}/${path.split("/").map(encodeURIComponent).join("/")}`);
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
          // What a curious reader would press.
          for (const element of document.querySelectorAll("[href], [action], [src], [formaction]")) {
            for (const name of ["href", "action", "src", "formaction"]) {
              const address = element.getAttribute(name);
              const scheme = address === null ? "" : new URL(address, location.href).protocol;
              if (/^(?:javascript|vbscript|data):$/.test(scheme) && !address!.startsWith("data:image/"))
                console.log(`VIOLATION address ${address}`);
            }
          }
        });
        const button = page.locator(".o-try-it").first();
        if (await button.isVisible()) {
          await button.click();
          await page.locator("dialog[open]").waitFor();
          await page.evaluate(() => {
            for (const details of document.querySelectorAll<HTMLDetailsElement>("dialog details")) details.open = true;
          });
          await page.waitForTimeout(100);
        }
      }
      // Requests that the page itself tried and could not make are told by the events above.
      complaints.list.length = 0;
    });
    expect(events).toEqual([]);
  });
});
