/**
 * Tests a reference page in a browser: disclosures, synchronized selections, links, and reading without
 * scripts.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phone, seriousFaults, sidewaysScroll, useChromium, wide } from "../../../test/browser/chromium.ts";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { galleryPages } from "../../../test/engine/gallery-pages.ts";
import { contextOf, operationDocument } from "../../../test/engine/reference-page.ts";
import { renderPage } from "../frame/render-page.tsx";
import { readOperation } from "../openapi/request/operation.ts";
import type { SchemaCut } from "./context.ts";
import { renderOperation } from "./operation-page.tsx";
import { renderSchemaFragment } from "./schema-page.tsx";

const folder = temporaryFolder();
/** URL of a page on disk. Bundles are opened from disk. */
const at = (name: string) => pathToFileURL(path.join(folder, name)).href;
/**
 * Serves the pages over HTTP, because scripts can't read the rules of style sheets that were loaded from
 * disk.
 */
const server = createServer((request, answer) => {
  const file = path.join(folder, path.basename(request.url ?? ""));
  answer.setHeader(
    "Content-Type",
    file.endsWith(".css") ? "text/css" : file.endsWith(".js") ? "text/javascript" : "text/html",
  );
  answer.end(existsSync(file) ? readFileSync(file) : "");
});

const document = operationDocument(
  {
    servers: [
      { url: "https://one.example.com/v1" },
      { url: "https://two.example.com", description: "Second" },
    ],
    parameters: [
      {
        in: "query",
        name: "filter",
        schema: { type: "string", enum: Array.from({ length: 20 }, (_, i) => `value_${i}`) },
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/Node" },
          example: { label: "x", lines: Array.from({ length: 60 }, String) },
        },
        "text/csv": { schema: { type: "string", description: "Lines" } },
      },
    },
    "x-codeSamples": [
      { lang: "bash", label: "Own sample", source: "curl https://one.example.com/v1/things/1" },
    ],
    callbacks: { done: { "{$request.body#/url}": { post: { responses: { 200: { description: "ok" } } } } } },
    responses: {
      200: {
        description: "Fine",
        content: {
          "application/json": { schema: { type: "object", properties: { ok: { type: "boolean" } } } },
        },
      },
      404: {
        description: "Missing",
        content: {
          "application/json": { schema: { type: "object", properties: { reason: { type: "string" } } } },
        },
      },
    },
    security: [{ key: [] }, { token: [] }],
  },
  {
    schemas: {
      Node: {
        type: "object",
        properties: {
          label: { type: "string" },
          next: { $ref: "#/components/schemas/Node" },
          pet: {
            oneOf: [
              { title: "Cat", type: "object", properties: { lives: {} } },
              { title: "Dog", type: "object", properties: { tricks: {} } },
            ],
          },
        },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      token: { type: "http", scheme: "bearer" },
    },
  },
);

beforeAll(async () => {
  mkdirSync(path.join(folder, "schemas"), { recursive: true });
  const bundle = { bundle: true, minify: true, outdir: folder } as const;
  await build({
    ...bundle,
    entryPoints: {
      octavo: "src/engine/frame/styles/main.css",
      reference: "src/engine/frame/styles/reference/all.css",
    },
  });
  await build({
    ...bundle,
    entryPoints: ["src/browser/page.ts", "src/browser/reference.ts"],
    format: "iife",
    target: "es2020",
  });
  const context = contextOf(document, { schemaHref: (cut) => `schemas/${cut.name}.html` });
  const item = { value: document.paths["/things/{id}"], pointer: "#/paths/~1things~1{id}" };
  const printed = renderOperation(
    readOperation(context.refs, item, "post", "/things/{id}", "operation")!,
    context,
  );
  const frame = galleryPages().find((view) => view.path === "api")!;
  const page = {
    ...frame,
    title: "Make a thing",
    leadHtml: printed.lead,
    bodyHtml: printed.html,
    asideHtml: printed.aside,
    toc: [],
    styles: ["octavo.css", "reference.css"],
    scripts: ["page.js", "reference.js"],
  };
  writeFileSync(path.join(folder, "page.html"), renderPage(page));
  const write = (cut: SchemaCut) => {
    // URLs are relative to the file, as in an export.
    const fragment = renderSchemaFragment(cut, context).html.replaceAll('href="schemas/', 'href="');
    writeFileSync(
      path.join(folder, "schemas", `${cut.name}.js`),
      `octavoSchema(${JSON.stringify(cut.key)},${JSON.stringify(fragment)})`,
    );
  };
  printed.cuts.forEach(write);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => server.close());

const visible = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll(
      (found) => found.filter((element) => (element as HTMLElement).getClientRects().length > 0).length,
    );

describe("a reference page", () => {
  const { open } = useChromium();

  test.each([
    ["light", wide],
    ["dark", wide],
    ["light", phone],
  ] as const)("is accessible and has no horizontal scrolling: %s, %o", (colorScheme, viewport) =>
    open(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`,
      async (page) => {
        await page.locator("main details").evaluateAll((all) => {
          for (const one of all) (one as HTMLDetailsElement).open = true;
        });
        expect(await seriousFaults(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
      },
      { colorScheme, viewport },
    ),
  );

  test("a cut schema expands in place, repeatedly, and ids stay unique", () =>
    open(at("page.html"), async (page) => {
      for (const id of ["param-next-next", "param-next-next-next"]) {
        await page.locator("main details").evaluateAll((all) => {
          for (const one of all) (one as HTMLDetailsElement).open = true;
        });
        await page.locator("a.o-cut").first().click();
        await page.locator(`[id="${id}"]`).waitFor();
        expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
      }
      const ids = await page.locator("main [id]").evaluateAll((all) => all.map((element) => element.id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        await page.locator('[id="param-next-next"] > .o-field-head > .o-field-name').getAttribute("href"),
      ).toBe("#param-next-next");
    }));

  test("a link to a field in a cut schema loads the schema", () =>
    open(`${at("page.html")}#param-next-next-label`, async (page) => {
      await page.locator('[id="param-next-next-label"]').waitFor();
      expect(await visible(page, '[id="param-next-next-label"]')).toBe(1);
    }));

  test("the name of a field as a fragment links to the field", () =>
    open(`${at("page.html")}#reason`, async (page) => {
      await expect.poll(() => page.evaluate("location.hash")).toBe("#param-reason");
      expect(await visible(page, "#param-reason")).toBe(1);
      expect(
        await page
          .locator('.o-body > .o-part > .o-responses > div > [aria-selected="true"]')
          .getAttribute("data-label"),
      ).toBe("404");
    }));

  test("selecting a status changes both columns", () =>
    open(at("page.html"), async (page) => {
      await page.locator('.o-body > .o-part > .o-responses > div > [data-label="404"]').click();
      expect(
        await page.locator('[data-example="response"] [aria-selected="true"]').getAttribute("data-label"),
      ).toBe("404");
      await page.locator('[data-example="response"] [data-label="200"]').click();
      expect(await visible(page, "#param-ok")).toBe(1);
    }));

  test("select boxes show one panel, also in schemas that were expanded later", () =>
    open(at("page.html"), async (page) => {
      await page.locator("#body ~ select[data-switch]").selectOption("text/csv");
      expect(await visible(page, "#param-label")).toBe(0);
      await page.locator("#body ~ select[data-switch]").selectOption("application/json");
      await page.locator("a.o-cut").first().click();
      await page.locator('[id="param-next-pet"] > details > summary').click();
      await page.locator('[id="param-next-pet"] select').selectOption("Dog");
      expect(await visible(page, '[id="param-next-pet-tricks"]')).toBe(1);
      expect(await visible(page, '[id="param-next-pet-lives"]')).toBe(0);
    }));

  test("next to a long request, the response is in view, and the rest of the request is one click away", () =>
    open(
      at("page.html"),
      async (page) => {
        const bottomOf = async (selector: string) => {
          const box = (await page.locator(selector).first().boundingBox())!;
          return box.y + box.height;
        };
        const request = '[data-example="request"]';
        expect(await bottomOf(`${request} .o-code`)).toBeLessThan(900 * 0.6);
        expect(await bottomOf('[data-example="response"]')).toBeLessThan(900);
        await page.locator(`${request} .o-expand:visible`).click();
        expect(await bottomOf(`${request} .o-code`)).toBeGreaterThan(900);
      },
      { viewport: wide },
    ));

  test("the selected server changes the samples and the copied text", () =>
    open(at("page.html"), async (page) => {
      const own = page.locator(".o-code", { hasText: "/things/1" }).locator("code");
      expect(await page.locator('[data-sample="bash"]').textContent()).toContain(
        "https://one.example.com/v1/things/",
      );
      await page.locator("select[data-server]").selectOption("https://two.example.com");
      expect(await page.locator('[data-sample="bash"]').textContent()).toContain(
        "https://two.example.com/things/",
      );
      expect(await own.textContent()).toBe("curl https://two.example.com/things/1");
      expect(await page.locator(".o-endpoint .o-copy").getAttribute("data-copy")).toBe(
        "https://two.example.com/things/{id}",
      );
    }));

  test("everything is readable without scripts", () =>
    open(
      at("page.html"),
      async (page) => {
        for (const id of [
          "param-x-key",
          "param-authorization",
          "param-filter",
          "param-label",
          "param-ok",
          "param-reason",
        ])
          expect(await visible(page, `#${id}`), id).toBe(1);
        expect(await visible(page, ".o-try-it")).toBe(0);
        expect(await visible(page, "a.o-cut")).toBe(1);
        expect(await visible(page, "[data-example] pre")).toBe(5);
      },
      { javaScriptEnabled: false },
    ));
});
