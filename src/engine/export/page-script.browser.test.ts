/** Tests the scripts of an exported site in a browser, over HTTP. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import { type BuiltSite, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";
import { typeOf } from "../../host/content-type.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await connectBrowser();
});

afterAll(() => browser?.close());

/** Opens a page of a site on a static host. Fails if a script throws an error. */
async function visit(
  site: BuiltSite,
  path: string,
  check: (page: Page, asked: string[]) => Promise<void>,
  before?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const errors: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.route("**/*", (route) => {
    const url = new URL(route.request().url());
    if (url.host !== "docs.test") {
      asked.push(url.href);
      return route.abort();
    }
    const file = decodeURIComponent(url.pathname.slice(1)) || "index.html";
    const found = site.paths.includes(file);
    return route.fulfill({
      status: found ? 200 : 404,
      contentType: typeOf(found ? file : "404.html"),
      body: site.read(found ? file : "404.html"),
    });
  });
  try {
    await before?.(page);
    await page.goto(`http://docs.test/${path}`);
    await check(page, asked);
    expect(errors).toEqual([]);
  } finally {
    await page.close();
  }
}

async function siteWith(pages: Sources, settings: Record<string, unknown> = {}): Promise<BuiltSite> {
  return buildSiteFrom(siteOf(pages, settings));
}

const contents = (page: Page) => page.locator("#table-of-contents li:visible").allTextContents();

test("a row of tabs that doesn't fit shows the current tab, and the list of a tab is below it", async () => {
  const names = [
    "Guides",
    "Reference",
    "Integrations",
    "Components",
    "Webhooks",
    "Cookbooks",
    "Examples",
    "Changelog",
    "Troubleshooting",
  ];
  const pages = Object.fromEntries(
    [...names, "First", "Second"].map((name) => [`${name.toLowerCase()}.mdx`, "Text\n"]),
  );
  const tabs = [
    ...names.map((tab) => ({ tab, pages: [tab.toLowerCase()] })),
    { tab: "More", menu: ["First", "Second"].map((item) => ({ item, pages: [item.toLowerCase()] })) },
  ];
  const site = await siteWith(pages, { theme: "aspen", navigation: { tabs } });
  await visit(
    site,
    "first.html",
    async (page) => {
      const row = await page.locator(".o-sections > ul").boundingBox();
      const right = async () => {
        const { x, width } = (await page.locator(".o-sections .o-menu").boundingBox())!;
        return x + width;
      };
      await expect.poll(right).toBeLessThanOrEqual(row!.x + row!.width + 1);
      const tab = await page.locator(".o-sections .o-menu").boundingBox();
      expect(tab!.x).toBeGreaterThan(row!.x);
      expect((await page.locator(".o-search-button").boundingBox())!.width).toBe(40);
      await page.click(".o-sections summary");
      const list = page.locator(".o-sections .o-menu > ul");
      await expect.poll(async () => Math.abs((await list.boundingBox())!.x - tab!.x)).toBeLessThan(60);
      await page.click("text=Second");
      await page.waitForURL("**/second.html");
    },
    (page) => page.setViewportSize({ width: 1024, height: 700 }),
  );
});

test.each([
  ["text", "Text\n", "#sidebar"],
  ["a heading with an ID of the layout", "## Sidebar\n", "#o-sidebar"],
])(
  "the sidebar keeps its scroll position on the next page, or shows the current entry: %s",
  async (_, text, id) => {
    const names = Array.from({ length: 38 }, (_, index) => `page-${index + 1}`);
    const site = await siteWith(Object.fromEntries(["index", ...names].map((name) => [`${name}.mdx`, text])));
    const entry = (page: Page, name: string) => page.locator(`${id} a[href$="${name}.html"]`);
    const isVisible = async (page: Page, name: string) => {
      const { y, height } = (await entry(page, name).boundingBox())!;
      return y >= 0 && y + height <= 900;
    };
    await visit(site, "page-38.html", async (page) => {
      await expect.poll(() => isVisible(page, "page-38")).toBe(true);

      await page.locator(id).evaluate((sidebar) => (sidebar.scrollTop = 150));
      const before = await entry(page, "page-20").boundingBox();
      await entry(page, "page-20").click();
      await page.waitForURL("**/page-20.html");
      expect(await isVisible(page, "page-20")).toBe(true);
      const after = await entry(page, "page-20").boundingBox();
      expect(Math.abs(after!.y - before!.y)).toBeLessThan(1);
    });
  },
);

test("the table of contents lists the headings of the selected tab", async () => {
  const tab = (title: string) => `<Tab title="${title}">\n## In ${title}\n</Tab>`;
  const site = await siteWith({
    "index.mdx": `## First\n\n<Tabs>\n${tab("A")}\n${tab("B")}\n</Tabs>\n\n[To B](#in-b)\n`,
  });
  await visit(site, "", async (page) => {
    expect(await contents(page)).toEqual(["First", "In A"]);
    await page.click('[role="tab"][data-label="B"]');
    expect(await contents(page)).toEqual(["First", "In B"]);
    await page.click('[role="tab"][data-label="A"]');
    await page.click("text=To B");
    await expect.poll(() => contents(page)).toEqual(["First", "In B"]);
  });
});

test("the table of contents lists the headings of the selected view", async () => {
  const view = (title: string) => `<View title="${title}">\n## In ${title}\n</View>`;
  const site = await siteWith({ "index.mdx": `${view("A")}\n\n${view("B")}\n` });
  await visit(site, "", async (page) => {
    expect(await contents(page)).toEqual(["In A"]);
    await page.click('[data-show-view="B"]');
    expect(await contents(page)).toEqual(["In B"]);
  });
});

test("a fragment with an invalid encoding doesn't stop the scripts of a page", async () => {
  const site = await siteWith({
    "index.mdx": '<View title="A">\n## In A\n</View>\n\n<View title="B">\n## In B\n</View>\n',
  });
  await visit(site, "#100%", async (page) => {
    await page.click('[data-show-view="B"]');
    expect(await contents(page)).toEqual(["In B"]);
  });
});

test("the 404 page at any depth suggests similar pages and has the site's styles", async () => {
  const pages = {
    "index.mdx": "Hi",
    "guides/webhooks.mdx": "---\ntitle: Receive webhooks\n---\nHi",
    "guides/billing.mdx": "Hi",
    "api/users.mdx": "Hi",
    "problems/page-not-found.mdx": "---\ntitle: Page not found\n---\nHi",
    "problems/page-too-long.mdx": "---\ntitle: Page expands too much\n---\nHi",
  };
  const site = await siteWith(pages, { errors: { "404": { redirect: false } } });
  await visit(site, "old/guides/webhook.html", async (page) => {
    expect(await page.locator("#near").isVisible()).toBe(true);
    const first = page.locator("#near a").first();
    expect(await first.textContent()).toBe("Receive webhooks");
    expect(await first.getAttribute("href")).toBe("/guides/webhooks.html");
    expect(await page.locator("#near a", { hasText: "Users" }).count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.o-skip')).position")).not.toBe(
      "static",
    );
  });
  for (const unrelated of ["zzz", "no-such-page", "no/such/page"])
    await visit(site, unrelated, async (page) => expect(await page.locator("#near").isVisible()).toBe(false));
});

test.each<[string, Record<string, unknown>, string[]]>([
  ["ga4", { measurementId: "G-1" }, ["https://www.googletagmanager.com/gtag/js?id=G-1"]],
  ["gtm", { tagId: "GTM-1" }, ["https://www.googletagmanager.com/gtm.js?id=GTM-1"]],
  ["plausible", { domain: "a.b", server: "c.d" }, ["https://c.d/js/script.js"]],
  ["posthog", { apiKey: "phc_1" }, ["https://us.i.posthog.com/static/array.js"]],
  ["segment", { key: "k", cdnUrl: "https://c.d/" }, ["https://c.d/analytics.js/v1/k/analytics.min.js"]],
])(
  "%s is requested only over http, and only with consent if the site requires it",
  async (name, settings, addresses) => {
    const open = (integrations: Record<string, unknown>) => siteWith({ "index.mdx": "Hi" }, { integrations });
    await visit(await open({ [name]: settings }), "", async (_, asked) => expect(asked).toEqual(addresses));
    const gated = await open({ [name]: settings, cookies: { key: "consent", value: "yes" } });
    await visit(gated, "", async (_, asked) => expect(asked).toEqual([]));
    const agree = (page: Page) => page.addInitScript('localStorage.setItem("consent", "yes")');
    await visit(gated, "", async (_, asked) => expect(asked).toEqual(addresses), agree);
    const agreeByCookie = (page: Page) =>
      page.context().addCookies([{ name: "consent", value: "yes", url: "http://docs.test/" }]);
    await visit(gated, "", async (_, asked) => expect(asked).toEqual(addresses), agreeByCookie);
  },
);

const diagram = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;

test("diagrams are rendered, also with the ELK layout, and have a text alternative", async () => {
  const site = await siteWith(
    {
      "index.mdx": [
        diagram("graph TD; A[Start]-->B[Check]; B-->C[End]; C-->D[More]"),
        diagram('%%{init: {"layout": "elk"}}%%\nflowchart LR\n  accTitle: How we ship\n  X-->Y'),
      ].join("\n\n"),
    },
    { navigation: { languages: [{ language: "de", pages: ["index"] }] } },
  );
  const scripts: string[] = [];
  const note = async (page: Page) =>
    page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await visit(
    site,
    "",
    async (page) => {
      const drawn = page.locator(".o-diagram-drawn");
      await expect.poll(() => drawn.count()).toBe(2);
      expect(scripts).toContain("/_octavo/mermaid-elk.js");
      expect(await page.evaluate("typeof octavoElk")).toBe("object");
      expect(await drawn.first().getAttribute("aria-label")).toBe("Diagramm: Start, Check, End, More");
      expect(await drawn.last().getAttribute("aria-label")).toBe("Diagramm: How we ship");
      const buttons = await page.locator(".o-diagram").first().getByRole("button").all();
      expect(await Promise.all(buttons.map((button) => button.getAttribute("aria-label")))).toEqual([
        "Verkleinern",
        "Vergrößern",
        "Ansicht zurücksetzen",
      ]);
    },
    note,
  );
});

test("the copy shortcut copies the whole page if nothing is selected", async () => {
  const site = await siteWith({ "index.mdx": "Hello **you**" }, { contextual: { options: ["copy"] } });
  await visit(site, "", async (page) => {
    await page.evaluate(
      'document.execCommand = () => (globalThis.copied = document.querySelector("body > textarea")?.value, true)',
    );
    await page.keyboard.press("Control+c");
    await expect.poll(() => page.evaluate("globalThis.copied")).toContain("Hello **you**");
  });
});

test.each([
  ["#why-call-fade-", "why-call-fade-?"],
  ["#why-call-fade-?", "why-call-fade-?"],
  ["#lamp-dimlevel", "lamp-dim-level"],
  ["#--dimmed", "--dimmed"],
  ["#dimmed", "--dimmed"],
  ["#response-level", "param-level"],
  ["#hidden--part", "hidden-part"],
])("the fragment %s scrolls to the element %s", async (fragment, id) => {
  const text = "Text.\n\n".repeat(60);
  const page = `## lamp.dim(level)\n\n${text}## Why call fade()?\n\n${text}## \`--dimmed\`\n\n${text}<ResponseField name="level" type="string" />\n\n${text}<Accordion title="More">\n${text}\n### Hidden - part\n\n${text}\n</Accordion>\n\n${text}`;
  await visit(await buildSiteFrom(siteOf({ "index.mdx": page })), `index.html${fragment}`, async (opened) => {
    await expect.poll(() => opened.evaluate(() => document.querySelector(":target")?.id)).toBe(id);
    await expect
      .poll(() => opened.evaluate((name) => document.getElementById(name)!.getBoundingClientRect().top, id))
      .toBeLessThan(200);
  });
});

test("print shows tabs, accordions, long code and wide tables", async () => {
  const code = Array.from({ length: 80 }, (_, line) => `line ${line}`).join("\n");
  const cells = (text: string) => `| ${Array.from({ length: 12 }, () => text).join(" | ")} |`;
  const page = `<Tabs>\n<Tab title="First">One</Tab>\n<Tab title="Second">Two</Tab>\n</Tabs>\n\n<Accordion title="More">Three</Accordion>\n\n<Expandable title="Fields">Four</Expandable>\n\n\`\`\`text expandable\n${code}\n\`\`\`\n\n${cells("column")}\n${cells("---")}\n${cells("value")}\n`;
  await visit(await buildSiteFrom(siteOf({ "index.mdx": page })), "index.html", async (opened) => {
    await opened.emulateMedia({ media: "print" });
    const shown = await opened.evaluate(() => document.querySelector<HTMLElement>(".o-body")!.innerText);
    for (const text of ["One", "Second", "Two", "Three", "Four", "line 79"]) expect(shown).toContain(text);
    const sizes = await opened.evaluate(() =>
      [...document.querySelectorAll(".o-body pre, .o-table")].map((element) => [
        element.scrollHeight - element.clientHeight,
        element.scrollWidth - element.clientWidth,
      ]),
    );
    expect(sizes.flat().filter((rest) => rest > 1)).toEqual([]);
  });
});

test("a title with a method and a label keeps its width in a nested group", async () => {
  const operation = {
    summary: "Collect returned parcels",
    deprecated: true,
    responses: { 200: { description: "OK" } },
  };
  const api = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: { "/a": { post: operation } },
  };
  const group = ["A", "B", "C", "D"].reduceRight<unknown>(
    (below, name) => ({ group: name, pages: [below] }),
    "index",
  );
  const files = { "index.mdx": "---\nopenapi: post /a\n---\n", "api.json": JSON.stringify(api) };
  await visit(
    await buildSiteFrom(siteOf(files, { navigation: { tabs: [{ tab: "T", groups: [group] }] } })),
    "index.html",
    async (opened) => {
      const [row, title, height] = await opened.evaluate(() => {
        const link = document.querySelector<HTMLElement>(".o-tree a[aria-current]")!;
        const label = link.querySelector("span")!;
        return [
          link.clientWidth,
          label.clientWidth,
          label.getBoundingClientRect().height / parseFloat(getComputedStyle(label).lineHeight),
        ];
      });
      expect(title! / row!).toBeGreaterThan(0.5);
      expect(height!, `${title} of ${row} px`).toBeLessThan(2.5);
    },
  );
});

test("on a right-to-left page, the number of a step is on the right", async () => {
  const page =
    '<Steps>\n<Step title="One">Text</Step>\n</Steps>\n\n<Expandable title="More">Text</Expandable>';
  const navigation = { languages: [{ language: "ar", default: true, pages: ["index"] }] };
  await visit(
    await buildSiteFrom(siteOf({ "index.mdx": page }, { navigation })),
    "index.html",
    async (opened) => {
      const found = await opened.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
        return {
          mark: box(".o-step-mark").left,
          text: box(".o-step-title").right,
          arrow: getComputedStyle(document.querySelector(".o-expandable > summary")!, "::before").rotate,
        };
      });
      expect(found.mark).toBeGreaterThan(found.text - 40);
      expect(found.arrow).toBe("90deg");
    },
  );
});

test("cards in an author's grid are aligned, and text in an author's box on a custom page has its color", async () => {
  const cards =
    '<div className="flex gap-4"><Card title="A">a</Card><Card title="B">b</Card></div>\n\n<Card title="C">c</Card>\n\n<Card title="D">d</Card>';
  const box =
    '<div style={{ color: "rgb(1, 2, 3)" }}>\n  <h1>A</h1>\n\n  ## B\n\n  Some **text** and [a link](/cards).\n</div>\n\n## Outside';
  const site = await siteWith({ "cards.mdx": cards, "index.mdx": `---\nmode: custom\n---\n\n${box}` });
  await visit(site, "cards.html", async (page) => {
    const boxes = await page
      .locator(".o-card")
      .evaluateAll((all) => all.map((card) => card.getBoundingClientRect()));
    const [a, b, c, d] = boxes as [DOMRect, DOMRect, DOMRect, DOMRect];
    expect([b.y, b.height]).toEqual([a.y, a.height]);
    expect(d.y - (c.y + c.height)).toBeGreaterThanOrEqual(16);
  });
  await visit(site, "index.html", async (page) => {
    const colors = await page
      .locator(".o-body :is(h1, h2, strong, a:not([class]))")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
    expect(colors.filter((color) => color === "rgb(1, 2, 3)")).toHaveLength(4);
    expect(colors).toHaveLength(5);
  });
});

test("headings that are named like a part of the layout have their own ids, and the parts work", async () => {
  const names = ["Pagination", "Table of contents", "Footer", "Sidebar", "Navbar", "Banner", "Page title"];
  const text = [...names, "Content area", "Related", "Assistant"]
    .map((name) => `## ${name}\n\nText.`)
    .join("\n\n");
  const settings = { banner: { content: "News" }, footer: { socials: { github: "https://github.com/a" } } };
  const site = await siteWith({ "index.mdx": text, "plain.mdx": "## One\n\nText.\n\n## Two" }, settings);
  expect(site.problems).toEqual([]);
  const styles = (page: Page, parts: string) =>
    page.locator(parts).evaluateAll((all) =>
      all.map((part) => {
        const { display, position, borderTopWidth, paddingLeft, gridArea } = getComputedStyle(part);
        return [part.tagName, display, position, borderTopWidth, paddingLeft, gridArea];
      }),
    );
  const parts = (prefix: string) =>
    ["navbar", "sidebar", "table-of-contents", "pagination", "footer", "banner", "page-title", "content-area"]
      .map((id) => `#${prefix}${id}`)
      .join();

  let usual: unknown;
  await visit(site, "plain.html", async (page) => {
    usual = await styles(page, parts(""));
  });
  await visit(site, "index.html", async (page) => {
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const headings = await page.locator(".o-body h2").evaluateAll((all) => all.map(({ id }) => id));
    expect(headings.slice(0, names.length)).toEqual(
      names.map((name) => name.toLowerCase().replaceAll(" ", "-")),
    );
    expect(await styles(page, parts("o-"))).toEqual(usual);
    const sizes = await page
      .locator(".o-body h2")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
    expect(new Set(sizes).size).toBe(1);
    await page.goto("http://docs.test/index.html#footer");
    await expect
      .poll(() => page.locator("nav#o-table-of-contents [aria-current]").textContent())
      .toBe("Footer");
  });
});

test("text that the browser finds in a closed tab, code group or accordion is shown", async () => {
  const found = ["kingfisher", "cormorant", "ostrich", "flamingo", "heron"];
  const site = await siteWith({
    "index.mdx": `<Tabs>
<Tab title="A">One</Tab>
<Tab title="B">
A kingfisher

<Tabs sync={false}>
<Tab title="C">Two</Tab>
<Tab title="D">A cormorant and <Accordion title="E">an ostrich</Accordion></Tab>
</Tabs>
</Tab>
</Tabs>

<CodeGroup>
\`\`\`js One
one
\`\`\`

\`\`\`js Two
flamingo()
\`\`\`
</CodeGroup>

<CodeGroup dropdown>
\`\`\`js Three
three
\`\`\`

\`\`\`js Four
heron()
\`\`\`
</CodeGroup>
`,
  });
  for (const word of found)
    await visit(site, `#:~:text=${word}`, async (page) => {
      await page.waitForFunction(
        (text) => {
          const walker = document.createTreeWalker(document.querySelector("article")!, NodeFilter.SHOW_TEXT);
          while (walker.nextNode())
            if (walker.currentNode.nodeValue!.includes(text))
              return walker.currentNode.parentElement!.checkVisibility();
          return false;
        },
        word,
        { timeout: 5_000 },
      );
      const panels = page.locator(".o-tab-panel:not([data-off])");
      expect(await panels.count()).toBe(4);
      expect(await page.locator(".o-tab-panel[data-off][hidden=until-found]").count()).toBe(4);
      for (const selected of await page.getByRole("tab", { selected: true }).all())
        expect(await selected.getAttribute("data-on")).toBe("");
    });
});

test("a panel that isn't selected takes no space, and its headings are hidden in the contents", async () => {
  const site = await siteWith({
    "index.mdx":
      "<Tabs borderBottom>\n<Tab title='A'>\n## One\n</Tab>\n<Tab title='B'>\n## Two\n\nText\n</Tab>\n</Tabs>",
  });
  await visit(site, "index.html", async (page) => {
    const heights = () =>
      page.locator(".o-tab-panel").evaluateAll((all) => all.map((one) => one.clientHeight));
    expect((await heights())[1]).toBe(0);
    expect(await contents(page)).toEqual(["One"]);
    await page.getByRole("tab", { name: "B" }).click();
    expect((await heights())[0]).toBe(0);
    expect(await contents(page)).toEqual(["Two"]);
  });
});
