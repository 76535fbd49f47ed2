/** Opens and uses pages, and reports each script that ran or was blocked. */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { typeOf } from "../../src/host/content-type.ts";
import type { BuiltSite } from "../engine/build.ts";
import type { useChromium } from "./chromium.ts";

/** A policy that allows only Octavo's inline scripts, which are the same on every page. */
function strictPolicy(site: BuiltSite, showsImages: boolean): string {
  const inline = [...site.read("index.html").matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    (match) => `'sha256-${createHash("sha256").update(match[1]!).digest("base64")}'`,
  );
  return `default-src 'self'; script-src 'self' ${inline.join(" ")}; style-src 'self' 'unsafe-inline'; img-src 'self' data:${showsImages ? " https:" : ""}; connect-src 'self' http://127.0.0.1:9; object-src 'none'; base-uri 'none'`;
}

/**
 * Opens files of a site, with a strict policy or without one. Resolves with the reported events.
 * `showsImages`: whether the site's authors show images from other hosts, so requests for images aren't
 * reported.
 */
export async function crawl(
  open: ReturnType<typeof useChromium>["open"],
  site: BuiltSite,
  files: readonly string[],
  isStrict: boolean,
  showsImages = false,
): Promise<string[]> {
  const policy = isStrict ? strictPolicy(site, showsImages) : undefined;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://x").pathname.slice(1)) || "index.html";
    if (!site.paths.includes(path)) return void response.writeHead(404).end();
    response
      .writeHead(200, {
        "content-type": typeOf(path),
        ...(policy ? { "content-security-policy": policy } : {}),
      })
      .end(site.read(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
      const isExpected = showsImages && request.resourceType() === "image";
      if (!isExpected && !request.url().startsWith(origin) && !request.url().startsWith("data:"))
        events.push(`request to ${request.url()}`);
    });
    page.on("console", (message) => {
      // Requests to a relative server are expected; external scripts and images aren't.
      if (message.text().startsWith("VIOLATION")) events.push(`${message.text()} on ${page.url()}`);
    });
    for (const file of files) {
      await page.goto(`${origin}/${file.split("/").map(encodeURIComponent).join("/")}`);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        // Clicks everything that opens something.
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
          for (const details of document.querySelectorAll<HTMLDetailsElement>("dialog details"))
            details.open = true;
        });
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
      }
    }
    // Failed requests of the page are reported by the events above.
    complaints.list.length = 0;
  });
  server.closeAllConnections();
  server.close();
  return events;
}
