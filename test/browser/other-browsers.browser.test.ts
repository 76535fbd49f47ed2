/** What other browsers show, which can't be tested in Chromium directly: without oklch(), or with other widths of text. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { runOctavo, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";

const { open } = useChromium();
const folder = temporaryFolder();
const url = (file: string) => `file://${path.join(folder, "out", file)}`;

beforeAll(async () => {
  const operation = (summary: string) => ({
    get: {
      summary,
      deprecated: true,
      "x-mint": { metadata: { tag: "old" } },
      responses: { 200: { description: "OK" } },
    },
  });
  const docs = writeFiles(
    path.join(folder, "docs"),
    siteOf(
      {
        "index.mdx":
          "---\ntitle: Home\n---\n\nText with `code`.\n\n<CodeGroup dropdown>\n\n```js One\n1\n```\n\n```js Two\n2\n```\n\n</CodeGroup>",
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          servers: [{ url: "https://one.example.com" }, { url: "https://two.example.com" }],
          paths: {
            "/price": operation("Price only"),
            "/long": operation("A price that needs nearly the whole line"),
          },
        }),
      },
      {
        navigation: {
          groups: [
            { group: "Start", pages: ["index"] },
            { group: "API", openapi: "api.json" },
          ],
        },
      },
    ),
  );
  await runOctavo(["build", docs, "--out", path.join(folder, "out")]);
}, 120_000);

describe.each(["light", "dark"] as const)("without oklch(), in %s mode", (mode) => {
  test("grounds and borders have colors, and text is readable", () =>
    open(url("index.html"), async (page) => {
      await page.context().route("**/*.css", (route) => {
        const styles = readFileSync(fileURLToPath(route.request().url()), "utf8");
        return route.fulfill({ contentType: "text/css", body: styles.replaceAll("oklch(", "unknown(") });
      });
      await page.emulateMedia({ colorScheme: mode });
      await page.reload();
      await page.keyboard.press("/");
      await page.locator(".o-search[open]").waitFor();
      const color = (selector: string, property: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))["${property}"]`);
      const shown = await Promise.all([
        color("html", "backgroundColor"),
        color(".o-search", "backgroundColor"),
        color(".o-code-group", "borderTopColor"),
        color(".o-body", "color"),
      ]);
      expect(shown).toEqual(
        mode === "light"
          ? ["rgb(255, 255, 255)", "rgb(255, 255, 255)", "rgb(226, 228, 233)", "rgb(0, 0, 0)"]
          : ["rgb(15, 16, 20)", "rgb(26, 28, 32)", "rgb(40, 42, 47)", "rgb(255, 255, 255)"],
      );
    }));
});

test("scrollbars have the color of borders, where Firefox can draw white ones on dark pages", () =>
  open(url("index.html"), async (page) => {
    const color = "getComputedStyle(document.querySelector('.o-code pre')).scrollbarColor";
    expect(await page.evaluate(color)).not.toBe("auto");
  }));

test("select elements of Octavo have no native border and arrow", () =>
  open(url("api-reference/price-only.html"), async (page) => {
    const native = () =>
      page.evaluate(
        "[...document.querySelectorAll('select')].filter((each) => getComputedStyle(each).appearance !== 'none').map(({ outerHTML }) => outerHTML)",
      );
    expect(await native()).toEqual([]);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".o-pg[open] select").first().waitFor();
    expect(await native()).toEqual([]);
    await page.goto(url("index.html"));
    expect(await page.locator("select").count()).toBe(1);
    expect(await native()).toEqual([]);
  }));

/** Returns the distance of a label in the sidebar from its method. */
const labelDistance = (page: Page, name: string) =>
  page.evaluate(`(() => {
    const row = [...document.querySelectorAll("#sidebar a")].find((each) => each.textContent.includes(${JSON.stringify(name)}));
    const [method, label] = [...row.children].map((each) => each.getBoundingClientRect());
    return Math.round(label.left - method.right);
  })()`) as Promise<number>;

/** Returns the distances of the tags of a row in the sidebar: between the tags of a line, and from its end. */
const tagDistances = (page: Page, name: string) =>
  page.evaluate(`(() => {
    const row = [...document.querySelectorAll("#sidebar a")].find((each) => each.textContent.includes(${JSON.stringify(name)}));
    const boxes = [...row.querySelectorAll(".o-tag")].map((tag) => tag.getBoundingClientRect());
    const end = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
    return boxes.map((box, place) => {
      const next = boxes.slice(place + 1).find((other) => Math.abs(other.top - box.top) < 4);
      return Math.round((next ? next.left : end) - box.right);
    });
  })()`) as Promise<number[]>;

test.each([0, 0.5, 1, 2, 4, 8])(
  "tags in the sidebar stay together at the end of their line, with text that is %f px wider",
  (more_px) =>
    open(url("api-reference/price-only.html"), async (page) => {
      await page.addStyleTag({ content: `#sidebar a > span { padding-inline-end: ${more_px * 10}px }` });
      for (const name of ["Price only", "A price"]) {
        for (const distance of await tagDistances(page, name)) expect(distance).toBeLessThan(12);
        expect(await labelDistance(page, name)).toBeLessThan(12);
      }
    }),
);
