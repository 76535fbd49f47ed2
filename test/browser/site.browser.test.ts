import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { filesBelow, runOctavo, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { phone, useChromium, wide } from "./chromium.ts";
import { describePages } from "./every-page.ts";

const folder = temporaryFolder();
const { open } = useChromium();

const everything = siteOf(
  {
    "index.mdx": `---
title: Home
description: What this site is about.
---

[A guide](/guides/long) and [a place in it](/guides/long#fields).

<Tabs><Tab title="Alpha">First panel</Tab><Tab title="Beta">Second panel</Tab><Tab title="Gamma">Third panel</Tab></Tabs>

\`\`\`bash
echo "removed" # [!code --]
echo "copied text"
\`\`\`

<Accordion title="Hidden part">Inner words</Accordion>

import { Counter } from "/counter.jsx";

<Counter start={5} />

\`\`\`mermaid
graph LR; Start-->End
\`\`\`

| a | b | c | d | e | f |
| - | - | - | - | - | - |
| aaaaaaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbbbbbbbbbbb | cccccccccccccccccccccc | dddddddddddddddddd | e | f |

A${"very".repeat(60)}LongWord and \`${"code".repeat(60)}\`.
`,
    "guides/long.mdx": `---\ntitle: A long guide\n---\n\n${Array.from({ length: 12 }, (_, i) => `## Part ${i}\n\n${"Words of the part. ".repeat(60)}`).join("\n\n")}\n\n## Fields\n\n<ParamField query="userId" type="string" required>The id.</ParamField>\n\n<Steps><Step title="One">Do.</Step></Steps>\n\n<CardGroup cols={2}><Card title="Go" icon="rocket" href="/">There</Card></CardGroup>\n`,
    "guides/short.mdx": "---\ntitle: A short guide\n---\n\n## One\n\nText.\n\n## Two\n\nText.\n",
    "guides/operation.mdx": "---\ntitle: Get the users\nopenapi: api.json GET /users\n---\n",
    "guides/schema.mdx": "---\ntitle: User\nopenapi-schema: api.json User\n---\n",
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Users", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/users": { get: { summary: "Get the users", responses: { 204: { description: "None" } } } } },
      components: { schemas: { User: { type: "object", properties: { id: { type: "string" } } } } },
    }),
    "counter.jsx":
      "export const Counter = ({ start }) => { const [n, set] = useState(start); return <button id='counter' onClick={() => set(n + 1)}>Count {n}</button>; };",
  },
  {
    contextual: { options: ["copy", "view", "download-pdf"] },
    redirects: [
      { source: "/guides/long#setup", destination: "/#hidden-part" },
      { source: "/guides/long#é old", destination: "/guides/long#part-3" },
      { source: "/guides/long#one", destination: "/guides/long#two" },
      { source: "/guides/long#two", destination: "/guides/long#one" },
    ],
    banner: { content: "Hello", dismissible: true },
    navbar: {
      links: [{ label: "Help", href: "https://help.example" }],
      primary: { type: "button", label: "Start", href: "/" },
    },
    footer: { socials: { github: "https://github.com/acme" } },
    navigation: {
      tabs: [
        {
          tab: "Guides",
          groups: [{ group: "Start", pages: ["index", { group: "More", pages: ["guides/long"] }] }],
        },
        { tab: "Blog", href: "https://blog.example" },
      ],
    },
  },
);

describePages("a site of everything", {
  docs: writeFiles(path.join(folder, "everything"), everything),
  looked: ["index.html", "guides/long.html"],
});

describe("a reader's hands", () => {
  const out = path.join(folder, "hands");
  const visit = (file: string, check: (page: Page) => Promise<void>, options = {}) =>
    open(`${pathToFileURL(out).href}/${file}`, check, options);
  const focused = (page: Page) =>
    page.evaluate(() =>
      (
        globalThis as never as { document: { activeElement: { textContent: string; id: string } } }
      ).document.activeElement.textContent?.trim(),
    );

  beforeAll(async () => {
    await runOctavo(["build", writeFiles(path.join(folder, "hands-docs"), everything), "--out", out]);
  });

  test("the chosen mode stays, on the next page too", () =>
    visit("index.html", async (page) => {
      const dark = () => page.evaluate("document.documentElement.classList.contains('dark')");
      expect(await dark()).toBe(false);
      await page.click(".o-theme > summary");
      await page.click('button[data-mode="dark"]');
      expect(await dark()).toBe(true);
      await page.reload();
      expect(await dark()).toBe(true);
      await page.goto(pathToFileURL(path.join(out, "guides/long.html")).href);
      expect(await dark()).toBe(true);
    }));

  test("the mode follows the system", () =>
    visit(
      "index.html",
      async (page) => {
        expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
        await page.emulateMedia({ colorScheme: "light" });
        await expect
          .poll(() => page.evaluate("document.documentElement.classList.contains('dark')"))
          .toBe(false);
      },
      { colorScheme: "dark" },
    ));

  test("with forced colors, the link of a card doesn't cover the card", () =>
    visit(
      "guides/long.html",
      async (page) => {
        const link = page.locator(".o-card-title > a");
        expect(
          await link.evaluate((element) => getComputedStyle(element, "::after").backgroundColor),
        ).toMatch(/^rgba\(.*, 0\)$/);
      },
      { forcedColors: "active" },
    ));

  test("with forced colors, the selected tab and section differ from the others", () =>
    visit(
      "index.html",
      async (page) => {
        const colorsOf = (element: Element) => {
          const { color, backgroundColor } = (
            globalThis as never as { getComputedStyle: typeof getComputedStyle }
          ).getComputedStyle(element);
          return `${color} on ${backgroundColor}`;
        };
        const colors = () =>
          page
            .getByRole("tab")
            .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).backgroundColor));
        const [first, second] = await colors();
        expect(first).not.toBe(second);
        await page.getByRole("tab", { name: "Beta" }).click();
        expect(await colors()).toEqual([second, first, second]);
        await page.goto(pathToFileURL(path.join(out, "guides/long.html")).href);
        const links = page.locator("#table-of-contents a");
        expect(await links.nth(0).evaluate(colorsOf)).not.toBe(await links.nth(1).evaluate(colorsOf));
      },
      { forcedColors: "active" },
    ));

  test("the current entry of the table of contents is in view", () =>
    visit(
      "guides/long.html",
      async (page) => {
        const isShown = () =>
          page.locator("#table-of-contents [aria-current]").evaluate((link) => {
            const frame = link.closest(".o-aside")!.getBoundingClientRect();
            const box = link.getBoundingClientRect();
            return box.top >= frame.top && box.bottom <= frame.bottom;
          });
        for (const [id, text] of [
          ["part-9", "Part 9"],
          ["part-0", "Part 0"],
        ] as const) {
          await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
          await expect.poll(() => page.locator("#table-of-contents [aria-current]").textContent()).toBe(text);
          await expect.poll(isShown).toBe(true);
        }
      },
      { viewport: { width: 1440, height: 400 } },
    ));

  test("the first key leads past the navigation", () =>
    visit("index.html", async (page) => {
      await page.keyboard.press("Tab");
      const skip = page.locator(".o-skip");
      expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      expect((await skip.boundingBox())!.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("content-area");
    }));

  test("arrow keys walk the tabs", () =>
    visit("index.html", async (page) => {
      const tab = (label: string) => page.locator('[role="tab"]', { hasText: label });
      expect(await page.locator("text=Second panel").isVisible()).toBe(false);
      await tab("Alpha").focus();
      await page.keyboard.press("ArrowRight");
      expect(await focused(page)).toBe("Beta");
      expect(await page.locator("text=Second panel").isVisible()).toBe(true);
      expect(await page.locator("text=First panel").isVisible()).toBe(false);
      await page.keyboard.press("End");
      expect(await focused(page)).toBe("Gamma");
      await page.keyboard.press("ArrowRight");
      expect(await focused(page)).toBe("Alpha");
      expect(await page.locator('[role="tab"][tabindex="0"]').count()).toBe(1);
    }));

  test("the menu of a small screen is a dialog that keeps the focus and that Escape closes", () =>
    visit(
      "index.html",
      async (page) => {
        expect(await page.locator("#sidebar").isVisible()).toBe(false);
        await page.click(".o-menu-button");
        const dialog = page.locator("dialog[open]");
        expect(await dialog.locator("#sidebar").isVisible()).toBe(true);
        for (let i = 0; i < 40; i++) {
          await page.keyboard.press("Tab");
          expect(
            await page.evaluate(
              "document.activeElement === document.body || document.querySelector('dialog[open]').contains(document.activeElement)",
            ),
          ).toBe(true);
        }
        await page.keyboard.press("Escape");
        await expect.poll(() => dialog.count()).toBe(0);
        expect(await page.evaluate("document.activeElement.className")).toContain("o-menu-button");
        await page.click(".o-menu-button");
        await page.locator("dialog[open] summary", { hasText: "More" }).click();
        await page.locator("dialog[open] a", { hasText: "A long guide" }).click();
        await page.waitForURL(/long\.html/);
      },
      { viewport: phone },
    ));

  test("on small screens one row is sticky, the logo is whole, and the menu contains the tabs", () =>
    visit(
      "index.html",
      async (page) => {
        const header = await page.locator("#navbar").boundingBox();
        expect(header!.height).toBeLessThan(68);
        expect(
          await page.evaluate("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.o-logo'))"),
        ).toBe(true);
        await page.click(".o-menu-button");
        const tabs = page.locator("dialog[open] .o-side-tabs a");
        expect(await tabs.allInnerTexts()).toEqual(["Guides", expect.stringContaining("Blog")]);
        expect(await tabs.first().getAttribute("aria-current")).toBe("page");
        await expect.poll(() => page.locator("dialog[open] .o-tree [aria-current]").isVisible()).toBe(true);
      },
      { viewport: phone },
    ));

  test.each(["short", "operation", "schema"])(
    "in one column, the text of a short page follows the content above it: %s",
    (name) =>
      visit(`guides/${name}.html`, async (page) => {
        for (const width of [phone.width, 1_100]) {
          await page.setViewportSize({ width, height: 1_200 });
          const parts = await page.locator("#content-area > *").evaluateAll((found) =>
            found.map((part) => {
              const { left, top, bottom } = part.getBoundingClientRect();
              return { isText: part.matches("article"), left, top, bottom };
            }),
          );
          const text = parts.find(({ isText }) => isText)!;
          const above = parts
            .filter(({ left, bottom }) => left === text.left && bottom <= text.top)
            .map(({ bottom }) => bottom);
          expect(text.top - Math.max(...above)).toBeLessThan(48);
        }
      }),
  );

  test("an author's style for the text's column doesn't move the table of contents", () =>
    visit(
      "guides/long.html",
      async (page) => {
        const contents = page.locator("#table-of-contents");
        const before = await contents.boundingBox();
        await page.addStyleTag({ content: "#content-area { max-width: 320px; background: gold }" });
        expect(await contents.boundingBox()).toEqual(before);
        expect((await page.locator("#content-area").boundingBox())!.width).toBe(320);
        expect(await page.locator("#content-area #table-of-contents").count()).toBe(0);
      },
      { viewport: { width: 1_440, height: 900 } },
    ));

  test("a code block is copied", () =>
    visit(
      "index.html",
      async (page) => {
        await page.evaluate(
          "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
        );
        await page.locator(".o-copy").first().click();
        await expect.poll(() => page.evaluate("globalThis.copied")).toBe('echo "copied text"');
        expect(await page.locator("[data-copied] , [data-copied]").count()).toBeGreaterThan(0);
      },
      {},
    ));

  test("the page menu copies the page, which its button confirms, and prints it", () =>
    visit("guides/short.html", async (page) => {
      await page.evaluate(`
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.copied = text; } } });
        globalThis.print = () => { globalThis.printed = true; };`);
      const button = page.locator("#page-context-menu > button");
      await button.click();
      await expect.poll(() => page.evaluate("globalThis.copied")).toMatch(/^# A short guide\n[\s\S]*\bTwo\b/);
      expect(await button.innerText()).toBe("Copied");
      // Another entry that copies while the button still confirms the first copy.
      await page.getByLabel("Page actions").click();
      await page.locator("#page-context-menu li [data-copy]").click();
      await expect.poll(() => page.locator("button[data-copied]").count(), { timeout: 10_000 }).toBe(0);
      expect(await button.innerText()).toBe("Copy page");

      await page.getByLabel("Page actions").click();
      await page.getByRole("button", { name: "Save as PDF" }).click();
      expect(await page.evaluate("globalThis.printed")).toBe(true);
    }));

  test("an author's component is alive", () =>
    visit("index.html", async (page) => {
      await page.click("#counter");
      await page.click("#counter");
      expect(await page.locator("#counter").innerText()).toBe("Count 7");
    }));

  test("a diagram is drawn", () =>
    visit("index.html", async (page) => {
      await expect.poll(() => page.locator(".o-diagram svg").count(), { timeout: 20_000 }).toBeGreaterThan(0);
    }));

  test("an address with a hash opens what hides its target", () =>
    visit("index.html#hidden-part", async (page) => {
      expect(await page.locator("text=Inner words").isVisible()).toBe(true);
    }));

  test("a redirected fragment leads on, on arrival and by a link on the page", () =>
    visit("guides/long.html#setup", async (page) => {
      await page.waitForURL(/index\.html#hidden-part$/);
      await page.goto(`${pathToFileURL(out).href}/guides/long.html#fields`);
      for (const [fragment, arrived] of [
        ["é old", /long\.html#part-3$/],
        // Two redirects that point to each other end at the first page.
        ["one", /long\.html#one$/],
      ] as const) {
        await page.evaluate((hash) => {
          (globalThis as never as { location: { hash: string } }).location.hash = hash;
        }, fragment);
        await page.waitForURL(arrived);
      }
    }));

  test("a dismissed banner stays away", () =>
    visit("index.html", async (page) => {
      await page.click("#banner button");
      await page.locator("#banner").waitFor({ state: "hidden" });
      // A page of another renderer process sees the stored choice a moment later.
      const isShownAgain = async () => {
        await page.reload();
        return page.locator("#banner").isVisible();
      };
      await expect.poll(isShownAgain).toBe(false);
    }));

  test("without script everything is there, and nothing that would not work", () =>
    visit(
      "index.html",
      async (page) => {
        for (const words of ["First panel", "Second panel", "Third panel", "Count 5"])
          expect(await page.locator(`text=${words}`).first().isVisible(), words).toBe(true);
        expect(await page.locator(".o-js:visible").count()).toBe(0);
        await page.locator("summary", { hasText: "Hidden part" }).click();
        expect(await page.locator("text=Inner words").isVisible()).toBe(true);
        await page.click("#content-area >> text=A guide");
        await page.waitForURL(/long\.html$/);
      },
      { javaScriptEnabled: false, viewport: wide },
    ));
});

test("on a phone, the copy button is next to the code, and a long name of a site ends with an ellipsis", async () => {
  const docs = siteOf(
    { "index.mdx": "```bash\ngit clone https://git.example.com/evergreen/documentation/handbook.git\n```\n" },
    { name: "Evergreen Commerce documentation" },
  );
  const out = path.join(folder, "phone");
  await runOctavo(["build", writeFiles(path.join(folder, "phone-docs"), docs), "--out", out]);
  await open(
    pathToFileURL(path.join(out, "index.html")).href,
    async (page) => {
      const [code, button] = [
        await page.locator(".o-code > pre").boundingBox(),
        await page.locator(".o-code > .o-copy").boundingBox(),
      ];
      expect(code!.x + code!.width).toBeLessThanOrEqual(button!.x);
      const { textOverflow, display } = await page.locator(".o-logo").evaluate((logo) => {
        const { textOverflow, display } = getComputedStyle(logo as never);
        return { textOverflow, display };
      });
      // The text of a flex container has no ellipsis.
      expect([textOverflow, display]).toEqual(["ellipsis", "block"]);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  );
});

describe("the navigation of a large site", () => {
  const out = path.join(folder, "large");

  beforeAll(async () => {
    const groups = Array.from({ length: 30 }, (_, g) => ({
      group: `Group ${g}`,
      pages: Array.from({ length: 6 }, (_, p) => `g${g}/p${p}`),
    }));
    const pages = Object.fromEntries(
      groups.flatMap(({ pages }) =>
        pages.map((page) => [
          `${page}.mdx`,
          `---\ntitle: Title ${page}\n${page === "g7/p1" ? "deprecated: true\n" : ""}---\n\nText.`,
        ]),
      ),
    );
    await runOctavo([
      "build",
      writeFiles(
        path.join(folder, "large-docs"),
        siteOf(
          { "index.mdx": "Home.", ...pages },
          { navigation: { groups: [{ group: "Start", pages: ["index"] }, ...groups] } },
        ),
      ),
      "--out",
      out,
    ]);
  });

  test("the script fills in the rest of the tree, and each link leads to its page", () =>
    open(pathToFileURL(path.join(out, "g3/p2.html")).href, async (page) => {
      expect(await page.locator("#sidebar [aria-current]").innerText()).toBe("Title g3/p2");
      // Top-level groups are open, as on small sites.
      expect(await page.locator("#sidebar .o-top > p", { hasText: /^Group 7$/ }).isVisible()).toBe(true);
      expect(
        await page.locator('#sidebar a[href$="g7/p1.html"] small').innerText(),
        "as the server prints it",
      ).toBe("Deprecated");
      const known = new Set(filesBelow(out));
      const links = await page
        .locator("#sidebar .o-tree a")
        .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
      expect(
        links.filter(
          (link) => !known.has(decodeURIComponent(link.slice(pathToFileURL(out).href.length + 1))),
        ),
      ).toEqual([]);
      await page.locator('#sidebar a[href$="g7/p1.html"]').click();
      await page.waitForURL(/g7\/p1\.html$/);
      expect(await page.locator("h1").innerText()).toContain("Title g7/p1");
    }));

  test("the sidebar ends with its last entry, also on the last page", () =>
    open(pathToFileURL(path.join(out, "g29/p5.html")).href, async (page) => {
      await page.locator("#sidebar .o-top > p", { hasText: /^Group 0$/ }).waitFor({ state: "attached" });
      const current = page.locator("#sidebar [aria-current]");
      expect(await current.innerText()).toBe("Title g29/p5");
      const [entry, sidebar] = [await current.boundingBox(), await page.locator("#sidebar").boundingBox()];
      const bottom = sidebar!.y + sidebar!.height;
      expect(entry!.y + entry!.height).toBeLessThan(bottom);
      expect(bottom - entry!.y).toBeLessThan(150);
    }));

  test("the home page stands in the tree and leads home", () =>
    open(pathToFileURL(path.join(out, "g20/p0.html")).href, async (page) => {
      const group = page.locator("#sidebar summary", { hasText: /^Start$/ });
      if (await group.count()) await group.click();
      const home = page.locator("#sidebar .o-tree a", { hasText: "Home" }).first();
      await home.click();
      await page.waitForURL(/large\/index\.html$/);
      expect(await page.locator("#sidebar [aria-current]").innerText()).toBe("Home");
    }));
});
