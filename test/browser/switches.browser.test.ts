/** Choices of a reader that lead to other pages or are kept: language, version, tabs, and the feed of updates. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../engine/build.ts";
import { type AskingHost, serveAsking } from "./asking-fixture.ts";
import { phone, useChromium, wide } from "./chromium.ts";

const { open } = useChromium();
let host: AskingHost;

const install = (title: string) =>
  `---\ntitle: ${title}\n---\n\n<Tabs><Tab title="npm">npm add kiln</Tab><Tab title="pnpm">pnpm add kiln</Tab></Tabs>\n`;
const page = (title: string) => `---\ntitle: ${title}\n---\n\n${title}.\n`;

beforeAll(async () => {
  const site = siteOf(
    {
      "index.mdx": page("Home"),
      "install.mdx": install("Install"),
      "fire.mdx": install("Fire"),
      "v1/install.mdx": install("Install version one"),
      "de/index.mdx": page("Start"),
      "de/install.mdx": install("Installieren"),
      "changelog.mdx":
        '---\ntitle: Changelog\nrss: true\n---\n\n<Update label="Version 1.1" date="2026-03-02">Faster firing.</Update>\n\n<Update label="Version 1.0" date="2026-01-05">First release.</Update>\n',
    },
    {
      navigation: {
        languages: [
          {
            language: "en",
            versions: [
              { version: "v2", pages: ["index", "install", "fire", "changelog"] },
              { version: "v1", pages: ["v1/install"] },
            ],
          },
          { language: "de", pages: ["de/index", "de/install"] },
        ],
      },
    },
  );
  host = await serveAsking(await buildSiteFrom(site, { kind: "cloud", links: "clean" }));
});
afterAll(() => host.close());

const title = (current: Page) => current.locator("h1").innerText();

/** Chooses an entry of a menu in the header. On a phone, the menu is in the navigation. */
async function choose(current: Page, kind: "language" | "version", label: string): Promise<void> {
  const menu = current.locator(`.o-select-${kind} > summary:visible`).first();
  if ((await menu.count()) === 0) await current.locator(".o-menu-button").click();
  await menu.click();
  await current.locator(`.o-select-${kind}[open]`).getByRole("link", { name: label }).click();
}

test.each([wide, phone])(
  "the language menu opens the same page in the other language, at $width px",
  (viewport) =>
    open(
      `${host.url}/install`,
      async (current) => {
        await choose(current, "language", "Deutsch");
        await current.waitForURL(`${host.url}/de/install`);
        expect(await title(current)).toBe("Installieren");
        expect(await current.locator("html").getAttribute("lang")).toBe("de");
        await choose(current, "language", "English");
        await current.waitForURL(`${host.url}/install`);
      },
      { viewport },
    ),
);

test.each([wide, phone])(
  "the version menu opens the same page of the other version, at $width px",
  (viewport) =>
    open(
      `${host.url}/install`,
      async (current) => {
        await choose(current, "version", "v1");
        await current.waitForURL(`${host.url}/v1/install`);
        expect(await title(current)).toBe("Install version one");
        await choose(current, "version", "v2");
        await current.waitForURL(`${host.url}/install`);
      },
      { viewport },
    ),
);

test("a tab that is selected on one page is selected on the next, and on the next visit", () =>
  open(`${host.url}/install`, async (current) => {
    await current.getByRole("tab", { name: "pnpm", exact: true }).click();
    await current.getByText("pnpm add kiln").waitFor();
    await current.locator("#sidebar").getByRole("link", { name: "Fire" }).click();
    await current.waitForURL(`${host.url}/fire`);
    await current.getByText("pnpm add kiln").waitFor();
    await current.reload();
    await current.getByText("pnpm add kiln").waitFor();
    expect(await current.getByRole("tab", { selected: true }).innerText()).toBe("pnpm");
  }));

test("the feed of a changelog is linked on its page, and has its updates, newest first", () =>
  open(`${host.url}/changelog`, async (current) => {
    const href = (await current.getByRole("link", { name: "RSS" }).getAttribute("href"))!;
    const feed = new URL(href, current.url());
    expect(new URL(feed).origin).toBe(host.url);
    const text = await (await fetch(feed)).text();
    expect([...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, found]) => found).slice(-2)).toEqual([
      "Version 1.1",
      "Version 1.0",
    ]);
    const lines = await current
      .locator(".o-update-label")
      .evaluateAll((labels) =>
        labels.map((label) => label.clientHeight / Number.parseFloat(getComputedStyle(label).fontSize)),
      );
    expect(lines.every((height_em) => height_em < 2)).toBe(true);
  }));
