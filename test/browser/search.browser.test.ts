/** The search dialog: from disk and from a host, with the keyboard, on small screens, in both color modes. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, root, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { type AskingHost, serveAsking } from "./asking-fixture.ts";
import { phone, seriousFaults, settled, sidewaysScroll, useChromium } from "./chromium.ts";

const { open } = useChromium();

const sources = siteOf(
  {
    "index.mdx": "---\ntitle: Home\n---\n\nWelcome to the garden.\n",
    "guides/watering.mdx":
      "---\ntitle: Watering plants\n---\n\nHow much water a plant wants.\n\n## In summer\n\nWater every evening, <b>deeply</b>.\n\n### Succulents\n\nWater them once a month.\n\n## In winter\n\nHardly any water.\n",
    "guides/pruning.mdx":
      "---\ntitle: Pruning\n---\n\nCut above a bud.\n\n## Tools\n\nSharp scissors, and water for your hands.\n\n## Months\n\n| Plant | When to prune |\n| --- | --- |\n| Wisteria | July and February |\n",
    "guides/secret.mdx": "---\ntitle: Kept apart\nsearchable: false\n---\n\nThe unfindable zanzibar.\n",
    "old/watering.mdx": "---\ntitle: Watering of old\n---\n\nWater was carried in cans.\n",
    "api/water.mdx": "---\ntitle: Start watering\nopenapi: POST /water\n---\n",
    "api/seeds.mdx": "---\ntitle: GET /seeds\nopenapi: GET /seeds\n---\n",
    "openapi.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Garden", version: "1" },
      servers: [{ url: "https://api.garden.test" }],
      paths: {
        "/water": { post: { summary: "Start watering", responses: { 204: { description: "It runs" } } } },
        "/seeds": { get: { responses: { 204: { description: "Nothing left" } } } },
      },
    }),
  },
  {
    search: { prompt: "Search the garden" },
    navigation: {
      versions: [
        {
          version: "v2",
          groups: [
            { group: "Guides", pages: ["index", "guides/watering", "guides/pruning", "guides/secret"] },
            { group: "API", pages: ["api/water", "api/seeds"] },
          ],
        },
        { version: "v1", groups: [{ group: "Guides", pages: ["old/watering"] }] },
      ],
    },
  },
);

const folder = temporaryFolder();
let bundle: BuiltSite;
let host: AskingHost;

beforeAll(async () => {
  bundle = await buildSiteFrom(sources, { kind: "client-hosted", links: "html" });
  write("client-hosted", bundle);
  write("air-gapped", await buildSiteFrom(sources, { kind: "air-gapped", links: "html" }));
  host = await serveAsking(await buildSiteFrom(sources, { kind: "cloud", links: "clean" }));
});
afterAll(() => host.close());

function write(name: string, site: BuiltSite): void {
  writeFiles(path.join(folder, name), Object.fromEntries(site.paths.map((file) => [file, site.read(file)])));
}

const onDisk = (file = "index.html", name = "client-hosted") =>
  pathToFileURL(path.join(folder, name, file)).href;
const dialog = (page: Page) => page.locator("dialog.o-search");
const options = (page: Page) => dialog(page).getByRole("option");
const selected = (page: Page) => dialog(page).locator('[aria-selected="true"]');
const field = (page: Page) => dialog(page).getByRole("combobox");

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await dialog(page).waitFor();
  await page.keyboard.type(text);
  await options(page).first().waitFor();
}

describe("what is found", () => {
  test.each(["file", "http"])("as one types, over %s", async (way) => {
    await open(way === "file" ? onDisk() : host.url, async (page) => {
      await search(page, "waterin");
      const guide = options(page).filter({ hasText: "Watering plants" }).first();
      await guide.waitFor();
      expect(await guide.locator("mark").first().innerText()).toBe("Watering");
      expect(await options(page).locator(".o-m-post").innerText()).toBe("POST");
      expect(await dialog(page).innerText()).not.toMatch("zanzibar");
      await page.keyboard.type("g plants");
      await expect
        .poll(() => options(page).first().locator(".o-hit-title").innerText())
        .toBe("Watering plants");
      await page.keyboard.press("Enter");
      await page.waitForURL(/guides\/watering(?:\.html)?$/);
    });
  });

  test("operations without a summary, with their method once", () =>
    open(onDisk(), async (page) => {
      await search(page, "seeds");
      await expect
        .poll(async () => (await options(page).first().locator(".o-hit-title").innerText()).split(/\s+/))
        .toEqual(["GET", "/seeds"]);
    }));

  test("sections of a page stand together, with the headings above them", () =>
    open(onDisk("guides/pruning.html"), async (page) => {
      await search(page, "succulents month");
      const group = dialog(page).getByRole("group", { name: "Watering plants" });
      expect(await group.locator(".o-hit-path").first().innerText()).toBe(
        "Guides › Watering plants › In summer",
      );
      await group
        .getByRole("option", { name: /Succulents/ })
        .first()
        .click();
      await page.waitForURL(/guides\/watering\.html#succulents$/);
    }));

  test("a table row is shown as a sentence", () =>
    open(onDisk(), async (page) => {
      await search(page, "wisteria");
      await expect
        .poll(() => options(page).first().locator(".o-hit-text").innerText())
        .toBe("Wisteria: July and February.");
    }));

  test("what an author wrote is text", () =>
    open(onDisk(), async (page) => {
      await search(page, "evening deeply");
      expect(await dialog(page).locator(".o-hit-text b").count()).toBe(0);
    }));

  test("in the version of the page, or in all", () =>
    open(onDisk(), async (page) => {
      await search(page, "water carried");
      const only = dialog(page).getByRole("button", { name: "Only in v2" });
      expect(await only.getAttribute("aria-pressed")).toBe("true");
      expect(await dialog(page).innerText()).not.toMatch("Watering of old");
      await only.click();
      await options(page).filter({ hasText: "Watering of old" }).first().waitFor();
      expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
    }));

  test("a word with one wrong letter finds the same, on a host and from disk", async () => {
    for (const address of [host.url, onDisk()])
      await open(address, async (page) => {
        for (const typed of ["waterng", "watreing", "eatering", "prunning"]) {
          await page.goto(`${address}?search=${typed}`);
          await expect.poll(() => options(page).first().textContent()).toMatch(/watering|pruning/i);
        }
      });
  });

  test("nothing: it is said, with what to try", () =>
    open(onDisk(), async (page) => {
      await page.keyboard.press("/");
      await dialog(page).waitFor();
      await page.keyboard.type("qwxzvq");
      await dialog(page).getByText("No results for “qwxzvq”").first().waitFor();
      await dialog(page).getByRole("button", { name: "Search everything" }).waitFor();
      await expect.poll(() => dialog(page).getByRole("status").innerText()).toBe("No results for “qwxzvq”");
    }));

  test("an answer that comes late never takes the place of a newer one", async () => {
    const own = await serveAsking(
      await buildSiteFrom(sources, { kind: "cloud", links: "clean", readers: "signed-in" }),
    );
    own.handlers.set("/_octavo/search", (body, response) => {
      const { query } = JSON.parse(body) as { query: string };
      const found = {
        path: `/${query}`,
        anchor: "",
        title: query,
        headings: [],
        breadcrumbs: [],
        snippet: [{ text: query, isMatch: true }],
      };
      // Shorter queries are slower.
      setTimeout(
        () =>
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ results: [found] })),
        400 / query.length ** 2,
      );
    });
    await open("about:blank", async (page, complaints) => {
      await page.goto(own.url);
      // The site's pages are restricted; "page not found" is public.
      await search(page, "abcd");
      await expect.poll(() => options(page).first().locator(".o-hit-title").innerText()).toBe("abcd");
      await settled(page);
      expect(await options(page).first().locator(".o-hit-title").innerText()).toBe("abcd");
      expect(own.asked.some((asked) => asked.startsWith("/_octavo/search/"))).toBe(false);
      complaints.list = complaints.list.filter((line) => !/404/.test(line));
    });
    own.close();
  });
});

/** Holds back the snippets of results until the returned function is called. */
async function holdSnippets(page: Page): Promise<() => void> {
  let send = () => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route("**/_octavo/passages/**", async (route) => {
    await sent;
    await route.continue();
  });
  return send;
}

test("what was found for another text is not shown once it comes", () =>
  open(host.url, async (page) => {
    const sendSnippets = await holdSnippets(page);
    await search(page, "water");
    // Results without snippets.
    expect(await options(page).first().locator(".o-hit-text").innerText()).toBe("");
    await field(page).fill("qwxzvq");
    await dialog(page).locator(".o-search-note").waitFor();
    sendSnippets();
    await settled(page);
    expect(await dialog(page).locator(".o-hit-title").count()).toBe(0);
    expect(await dialog(page).locator(".o-search-note").innerText()).toContain("qwxzvq");
  }));

test("snippets that come late don't move the result under the pointer", () =>
  open(host.url, async (page) => {
    const sendSnippets = await holdSnippets(page);
    await search(page, "water");
    const titles = () => options(page).locator(".o-hit-title").allInnerTexts();
    await options(page).nth(1).waitFor();
    const before = await titles();
    const { x, y, width, height } = (await options(page).nth(1).boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    sendSnippets();
    await options(page).locator(".o-hit-text mark").first().waitFor();
    expect(await titles()).toEqual(before);
    const atPointer = await page.evaluate(
      ([left, top]) =>
        document.elementFromPoint(left!, top!)?.closest('[role="option"]')?.querySelector(".o-hit-title")
          ?.textContent,
      [x + width / 2, y + height / 2],
    );
    expect(atPointer?.trim()).toBe(before[1]!.trim());
  }));

describe("by keyboard", () => {
  test("/ and Ctrl+K open, arrows walk round, End and Home lead to the ends, Escape closes and gives the focus back", () =>
    open(onDisk("guides/watering.html"), async (page) => {
      await page.locator("#sidebar a", { hasText: "Pruning" }).focus();
      await page.keyboard.press("Control+k");
      await dialog(page).waitFor();
      await page.keyboard.type("water");
      await expect.poll(() => options(page).count()).toBeGreaterThan(3);
      const count = await options(page).count();
      const place = async () => Number((await selected(page).getAttribute("id"))!.slice("o-hit-".length));
      expect(await place()).toBe(0);
      await page.keyboard.press("ArrowDown");
      expect(await place()).toBe(1);
      expect(await field(page).getAttribute("aria-activedescendant")).toBe("o-hit-1");
      await page.keyboard.press("End");
      expect(await place()).toBe(count - 1);
      await page.keyboard.press("ArrowDown");
      expect(await place()).toBe(0);
      await page.keyboard.press("ArrowUp");
      expect(await place()).toBe(count - 1);
      await page.keyboard.press("Home");
      expect(await place()).toBe(0);
      await page.keyboard.press("Escape");
      expect(await dialog(page).isVisible()).toBe(false);
      expect(await page.evaluate("document.activeElement.textContent")).toContain("Pruning");
    }));

  test("Ctrl+Enter opens beside; / in a field is a letter", () =>
    open(onDisk(), async (page) => {
      await search(page, "prun/");
      expect(await field(page).inputValue()).toBe("prun/");
      await page.keyboard.press("Backspace");
      await expect.poll(() => options(page).first().innerText()).toMatch("Pruning");
      const [beside] = await Promise.all([
        page.context().waitForEvent("page"),
        page.keyboard.press("Control+Enter"),
      ]);
      await beside.waitForURL(/pruning\.html/);
      expect(await dialog(page).isVisible()).toBe(true);
    }));

  test("Enter that ends a composition opens nothing", () =>
    open(onDisk(), async (page) => {
      await search(page, "prun");
      const at = page.url();
      await field(page).evaluate((element) =>
        element.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
      await settled(page);
      expect(page.url()).toBe(at);
      expect(await dialog(page).isVisible()).toBe(true);
    }));

  test("what is typed before the search has loaded is not lost", () =>
    open(host.url, async (page) => {
      let sendScript = () => {};
      const script = new Promise<void>((resolve) => (sendScript = resolve));
      await page.route("**/_octavo/search-*.js", async (route) => {
        await script;
        await route.continue();
      });
      await page.keyboard.press("/");
      await page.keyboard.type("prun");
      sendScript();
      await page.keyboard.type("ing");
      await dialog(page).waitFor();
      expect(await field(page).inputValue()).toBe("pruning");
      await options(page).first().waitFor();
    }));

  test("on a slow connection, a field opens at once, nothing scrolls, and the search says that it is loading", () =>
    open(`${host.url}/guides/watering`, async (page) => {
      await page.setViewportSize({ width: 800, height: 300 });
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      let releaseIndex = () => {};
      const isIndexReleased = new Promise<void>((resolve) => (releaseIndex = resolve));
      await page.route("**/_octavo/{search-*,asking-*}", async (route) => {
        await isReleased;
        await route.continue();
      });
      await page.route("**/_octavo/search/**", async (route) => {
        await isIndexReleased;
        await route.continue();
      });
      await page.keyboard.press("/");
      const waiting = page.locator("dialog[open] input");
      await waiting.waitFor();
      await page.keyboard.type("tools");
      expect(await waiting.inputValue()).toBe("tools");
      await page.mouse.wheel(0, 400);
      release();
      await dialog(page).getByText("Searching…").waitFor();
      expect(await field(page).inputValue()).toBe("tools");
      await dialog(page).getByRole("option", { name: "Ask the assistant: tools" }).waitFor();
      releaseIndex();
      await options(page).filter({ hasText: "Pruning" }).first().waitFor();
      expect(await dialog(page).getByText("Searching…").count()).toBe(0);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }));

  test("pointing at search loads its files as what the policy of the page allows, once", () =>
    open(host.url, async (page) => {
      const preloaded = () =>
        page
          .locator("link[rel=preload][href*=search], link[rel=prefetch]")
          .evaluateAll((links) => links.map((link) => [link.getAttribute("rel"), link.getAttribute("as")]));
      const loaded = page.waitForResponse(/search.*\.js/);
      await page.locator(".o-search-button").hover();
      await loaded;
      await page.locator(".o-search-button").focus();
      expect(await preloaded()).toEqual(
        expect.arrayContaining([
          ["preload", "script"],
          ["preload", "style"],
        ]),
      );
      expect((await preloaded()).length).toBeLessThanOrEqual(3);
      await search(page, "waterin");
    }));

  test("a search that is closed before it has loaded stays closed, and the focus returns", () =>
    open(host.url, async (page) => {
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/_octavo/search-*.js", async (route) => {
        await isReleased;
        await route.continue();
      });
      const button = page.locator(".o-search-button").first();
      await button.focus();
      await page.keyboard.press("/");
      await page.locator("dialog[open] input").waitFor();
      await page.keyboard.press("Escape");
      const isLoaded = page.waitForResponse(/search-.*\.js/);
      release();
      await isLoaded;
      await expect.poll(() => page.locator("dialog").count()).toBe(0);
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  test("the assistant can be asked without scrolling, and the selected result is not behind it", () =>
    open(`${host.url}/guides/watering`, async (page) => {
      await page.setViewportSize({ width: 390, height: 420 });
      await search(page, "water");
      await options(page).filter({ hasText: "Pruning" }).first().waitFor();
      const ask = dialog(page).locator(".o-hit-ask");
      const bottom = async (of: ReturnType<Page["locator"]>) => {
        const box = (await of.boundingBox())!;
        return box.y + box.height;
      };
      expect(
        await dialog(page)
          .locator(".o-search-list")
          .evaluate((list) => list.scrollHeight > list.clientHeight),
      ).toBe(true);
      expect(await bottom(ask)).toBeLessThanOrEqual(420);
      const count = await options(page).count();
      for (let step = 1; step < count - 1; step++) await page.keyboard.press("ArrowDown");
      expect(await bottom(selected(page))).toBeLessThanOrEqual((await ask.boundingBox())!.y);
    }));

  test("before anything is typed, the next pages of the sidebar are suggested", () =>
    open(onDisk(), async (page) => {
      await page.keyboard.press("/");
      const suggested = dialog(page).getByRole("region", { name: "Suggested pages" });
      await suggested.waitFor();
      expect(await suggested.getByRole("link").allInnerTexts()).toEqual([
        "Watering plants",
        "Pruning",
        "Kept apart",
        "Start watering",
        "GET /seeds",
      ]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/guides\/pruning\.html$/);
    }));

  test("?search= opens with its words", () =>
    open(`${host.url}/?search=pruning`, async (page) => {
      await expect.poll(() => options(page).first().innerText()).toMatch("Pruning");
    }));

  test("searches of before are there, and can be removed", () =>
    open(host.url, async (page) => {
      await search(page, "prun");
      await page.keyboard.press("Enter");
      await page.waitForURL(/pruning/);
      await page.keyboard.press("/");
      await dialog(page).getByRole("heading", { name: "Recent searches" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => field(page).inputValue()).toBe("prun");
      await field(page).fill("");
      await dialog(page).getByRole("button", { name: "Remove prun" }).click();
      expect(await dialog(page).getByText("Recent searches").count()).toBe(0);
    }));
});

describe("a site that changes or fails", () => {
  test("a deployment that goes live meanwhile: the index is read anew, once", () =>
    open(host.url, async (page) => {
      let heads = 0;
      await page.route("**/_octavo/{search,passages}/en/*.js*", async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const isHead = route.request().url().includes("/head.js");
        // Delayed until every letter has been typed.
        if (!isHead && heads === 1) await new Promise((resolve) => setTimeout(resolve, 500));
        // The first request gets the index head of the previous deployment.
        const body =
          isHead && ++heads === 1 ? text.replaceAll(/(\\"[td]\\":\\")\w+/g, `$1${"before".repeat(9)}`) : text;
        await route.fulfill({ response, body });
      });
      await search(page, "pruning");
      await expect.poll(() => options(page).first().innerText()).toMatch("Pruning");
      expect(heads).toBe(2);
      await page.unrouteAll({ behavior: "wait" });
    }));

  test("a file that does not come is said, and can be asked for again", () =>
    open(host.url, async (page, complaints) => {
      let isDown = true;
      await page.route("**/_octavo/search/en/t*.js*", (route) => (isDown ? route.abort() : route.continue()));
      await page.keyboard.press("/");
      await dialog(page).waitFor();
      await page.keyboard.type("pruning");
      // Waits for the error of the whole word. Errors for its first letters may be replaced by a later
      // search.
      await dialog(page).locator('[aria-busy="false"] [role="alert"]').waitFor();
      isDown = false;
      await dialog(page).getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => options(page).first().innerText()).toMatch("Pruning");
      complaints.list = complaints.list.filter((line) => !/\/t\d+\.js|ERR_FAILED/.test(line));
    }));
});

describe("what is counted", () => {
  test("a search once it stands, and the page that is opened from it", async () => {
    const told: unknown[] = [];
    host.handlers.set("/_octavo/events", (body, response) => {
      told.push(
        ...(JSON.parse(body) as { events: { type: string }[] }).events.filter(({ type }) => type !== "view"),
      );
      response.writeHead(204).end();
    });
    await open(host.url, async (page) => {
      await search(page, "pruning");
      await expect
        .poll(() => told)
        .toEqual([{ type: "search", query: "pruning", results_count: expect.any(Number) }]);
      await page.keyboard.press("Enter");
      await page.waitForURL(/pruning/);
      await expect
        .poll(() => told.at(-1))
        .toEqual({ type: "search-click", query: "pruning", path: "/guides/pruning" });
      expect(told).toHaveLength(2);
    });
  });

  test("nothing from a bundle, from disk or from a host of its own", async () => {
    const own = await serveAsking(bundle);
    for (const address of [onDisk(), own.url]) {
      const asked: string[] = [];
      await open("about:blank", async (page) => {
        page.on("request", (request) => asked.push(request.url()));
        await page.goto(address);
        await search(page, "pruning");
        await page.keyboard.press("Escape");
        await settled(page);
        expect(asked.filter((url) => url.includes("events"))).toEqual([]);
      });
    }
    own.close();
  });
});

describe("the kind of deployment and the operator's file", () => {
  const config = (name: string) => path.join(folder, name, "octavo.config.js");

  async function withConfig(
    name: string,
    text: string,
    check: (page: Page, asked: string[]) => Promise<void>,
  ): Promise<void> {
    const before = readFileSync(config(name), "utf8");
    writeFileSync(config(name), text);
    const asked: string[] = [];
    try {
      await open("about:blank", async (page) => {
        page.on("request", (request) => asked.push(request.url()));
        await page.goto(onDisk("api/water.html", name));
        await check(page, asked);
      });
    } finally {
      writeFileSync(config(name), before);
    }
  }

  test("client-hosted: search until the operator says no, no assistant from disk", async () => {
    await withConfig("client-hosted", "octavoConfig = {};", async (page) => {
      expect(await page.locator(".o-search-button").isVisible()).toBe(true);
      expect(await page.locator('[data-feature="assistant"]:visible').count()).toBe(0);
      expect(await page.locator(".o-ask-code").count()).toBe(0);
    });
    await withConfig(
      "client-hosted",
      'octavoConfig = { "search": false, "assistant": true };',
      async (page, asked) => {
        expect(await page.locator(".o-search-button").isVisible()).toBe(false);
        expect(await page.locator('[data-feature="assistant"]:visible').count()).toBe(0);
        for (const key of ["/", "Control+k", "Control+i"]) await page.keyboard.press(key);
        await settled(page);
        expect(await page.locator("dialog").count()).toBe(0);
        expect(asked.filter((url) => /(?:search|assistant|asking)[-/]/.test(url))).toEqual([]);
      },
    );
  });

  test("air-gapped: nothing, until the operator says local", async () => {
    await withConfig("air-gapped", readFileSync(config("air-gapped"), "utf8"), async (page, asked) => {
      expect(await page.locator(".o-search-button").isVisible()).toBe(false);
      expect(await page.getByRole("button", { name: "Try it" }).count()).toBe(0);
      await page.keyboard.press("/");
      await settled(page);
      expect(asked.filter((url) => /(?:search|assistant|asking|playground)[-/]/.test(url))).toEqual([]);
    });
    await withConfig(
      "air-gapped",
      'octavoConfig = { "search": "local", "playground": true };',
      async (page) => {
        expect(await page.getByRole("button", { name: "Try it" }).isVisible()).toBe(true);
        await search(page, "pruning");
        await page.keyboard.press("Enter");
        await page.waitForURL(/pruning\.html/);
      },
    );
    expect(JSON.stringify(readFileSync(path.join(folder, "air-gapped/index.html"), "utf8"))).not.toMatch(
      "o-ask-button",
    );
  });
});

test("axe finds nothing, and nothing scrolls sideways: wide and 320 px, light and dark", {
  timeout: 120_000,
}, async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await open(
      onDisk(),
      async (page, complaints) => {
        await search(page, "water");
        for (const viewport of [{ width: 1440, height: 900 }, { width: 768, height: 900 }, phone]) {
          await page.setViewportSize(viewport);
          expect(await seriousFaults(page), `${colorScheme} ${viewport.width}`).toEqual([]);
          expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
          expect(
            await page.evaluate(
              "[...document.querySelectorAll('.o-search *')].filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'auto').length",
            ),
          ).toBe(0);
        }
        const box = (await dialog(page).boundingBox())!;
        expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, phone.width, phone.height]);
        await field(page).fill("");
        expect(await seriousFaults(page)).toEqual([]);
        complaints.list = [];
      },
      { colorScheme },
    );
  }
});

test("with forced colors, matches in results are readable", () =>
  open(
    onDisk(),
    async (page) => {
      await search(page, "water");
      const color = (selector: string, property: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
      expect(await color(".o-search mark", "color")).not.toBe(await color(".o-search", "background-color"));
      expect(await color(".o-search mark", "color")).toBe(await color(".o-search-list a", "color"));
    },
    { forcedColors: "active", colorScheme: "dark" },
  ));

test("what a page loads before anything is opened stays small", async () => {
  const asked: string[] = [];
  await open("about:blank", async (page) => {
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(host.url);
    await settled(page);
    expect(asked.filter((url) => /\/_octavo\/(?:search|assistant|asking|passages)/.test(url))).toEqual([]);
  });
  const packed = (name: string) => gzipSync(readFileSync(path.join(root, "dist/assets", name))).length;
  expect(packed("page.js")).toBeLessThan(8_000);
  expect(packed("search.js")).toBeLessThan(40_000);
  expect(packed("assistant.js")).toBeLessThan(20_000);
});
