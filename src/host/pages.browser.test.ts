/**
 * Tests hosted sites in a browser: pages don't violate their content security policy, and readers can sign
 * in.
 */

import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  isComplete,
  phone,
  seriousFaults,
  sidewaysScroll,
  useChromium,
  wide,
} from "../../test/browser/chromium.ts";
import { type Recorder, startRecorder } from "../../test/browser/playground-fixture.ts";
import { filesBelow, root, type Sources, siteOf } from "../../test/engine/build.ts";
import { useHost } from "../../test/host/host.ts";
import { hashPassword } from "../base/password.ts";

const { open } = useChromium();
const host = useHost({ allowPrivate: true });
let api: Recorder;

/** A site that uses all features that a content security policy could block. */
const everything = (server: string): Sources =>
  siteOf(
    {
      "index.mdx": `---
title: Everything
---

import { Counter } from "/counter.jsx";

<Counter start={3} />

<div style={{ color: "red" }} className="mt-4">Styled</div>

$$a^2 + b^2 = c^2$$

\`\`\`mermaid
graph LR; A[First]-->B[Second]
\`\`\`

\`\`\`mermaid
%%{init: {"layout": "elk"}}%%
flowchart LR; C-->D
\`\`\`

![Own](/own.svg)

<iframe src="/demo.html" title="Demo"></iframe>

<Tabs><Tab title="One">1</Tab><Tab title="Two">2</Tab></Tabs>
`,
      "counter.jsx":
        "export const Counter = ({ start }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>Count {n}</button>; };",
      "own.svg":
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.owned = 1"><style>rect{fill:red}</style><rect width="9" height="9"/></svg>',
      "demo.html":
        '<!doctype html><title>Demo</title><p id="said">Waiting</p><script>try { parent.document.title = "taken" } catch { said.textContent = "Apart" }</script>',
      "own.js": "document.documentElement.dataset.own = 1;",
      "own.css": "main { outline: 0 solid red }",
      "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        servers: [{ url: server }],
        paths: {
          "/things/{id}": {
            post: {
              summary: "Make a thing",
              parameters: [
                {
                  name: "id",
                  in: "path",
                  required: true,
                  schema: { type: "string", pattern: "^[a-z]+$", default: "abc" },
                },
              ],
              requestBody: {
                content: {
                  "application/json": {
                    schema: {
                      type: "object",
                      properties: { name: { type: "string", pattern: "^(a+)+$", example: "aaa" } },
                    },
                  },
                },
              },
              responses: { 200: { description: "Fine" } },
            },
          },
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
      banner: { content: "A **banner**", dismissible: true },
    },
  );

beforeAll(async () => {
  api = await startRecorder();
  const docs = path.join(root, "docs");
  const files = Object.fromEntries(
    filesBelow(docs).map((file) => [file, readFileSync(path.join(docs, file))]),
  );
  await host.directory.publish("docs.localhost", files);
  await host.directory.publish("everything.localhost", everything(api.url));
  await host.directory.publish("private.localhost", everything(api.url), {
    signIn: { mode: "password", passwordHash: await hashPassword("open sesame") },
  });
  await host.directory.publish(
    "preview.localhost",
    siteOf({
      "index.mdx": "---\ntitle: Start\n---\n\nText.",
      "inner.mdx": "---\ntitle: Inner\n---\n\nText.",
    }),
    { signIn: { mode: "password", passwordHash: await hashPassword("open sesame") }, isPreview: true },
  );
  await host.directory.publish(
    "partly.localhost",
    siteOf(
      {
        "index.mdx": "---\ntitle: Open page\npublic: true\n---\n\nText.",
        "inner.mdx": "---\ntitle: Inner page\ndeprecated: true\n---\n\nText.",
        "deep.mdx": "---\ntitle: Deep page\n---\n\nText.",
        "last.mdx": "---\ntitle: Last page\npublic: true\n---\n\nText.",
        "staff.mdx": "---\ntitle: Staff page\ngroups: [staff]\n---\n\nText.",
      },
      {
        navigation: {
          groups: [
            { group: "Start", pages: ["index", "inner", "last"] },
            { group: "For readers", pages: ["deep"] },
            { group: "For staff", pages: ["staff"] },
          ],
        },
      },
    ),
    { signIn: { mode: "password", passwordHash: await hashPassword("open sesame") } },
  );
  await host.listen();
});
afterAll(() => api.close());

const at = (name: string, target = "/") => `http://${name}.localhost:${host.port}${target}`;

/**
 * Starts recording violations of the page's content security policy. Resolves with a function that returns
 * them.
 */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(
    `window.stopped = []; document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample))`,
  );
  return () => page.evaluate("stopped");
}

describe("the policy blocks no content of ours", () => {
  // In parts, so that each ends in time on a slow machine.
  test.each([1, 2, 3, 4])(
    "pages of our own documentation, part %i of 4",
    { timeout: 300_000 },
    async (part) => {
      const { files } = host.directory.sites.get("docs.localhost")!.manifest;
      const all = Object.keys(files).filter(
        (file) => file.endsWith(".html") && !/^_octavo\/|^404/.test(file),
      );
      expect(all.length).toBeGreaterThan(80);
      const pages = isComplete ? all : all.filter((_, index) => index % 10 === 0);
      await open("about:blank", async (page, complaints) => {
        const stopped = await watchPolicy(page);
        for (const file of pages.filter((_, index) => index % 4 === part - 1)) {
          const target = `/${file.replace(/(?:^index)?\.html$/, "")}`;
          await page.goto(at("docs", target));
          expect([target, await stopped(), complaints.list]).toEqual([target, [], []]);
        }
      });
    },
  );

  test("islands, diagrams, formulas, and the author's styles, frames and scripts", async () => {
    await open("about:blank", async (page) => {
      const stopped = await watchPolicy(page);
      await page.goto(at("everything"));
      const counter = page.getByRole("button", { name: /^Count/ });
      await counter.click();
      await expect.poll(() => counter.innerText()).toBe("Count 4");
      await expect
        .poll(() => page.locator("main svg[id]").count(), { timeout: 20_000 })
        .toBeGreaterThanOrEqual(2);
      expect(await page.evaluate("document.documentElement.dataset.own")).toBe("1");
      expect(await page.frameLocator("iframe").locator("#said").innerText()).toBe("Apart");
      expect(await page.title()).not.toBe("taken");
      expect(await page.evaluate("window.owned")).toBeUndefined();
      expect(await stopped()).toEqual([]);
    });
  });

  test("the playground sends, checks patterns in its worker, and shows the answer", async () => {
    await open("about:blank", async (page) => {
      const stopped = await watchPolicy(page);
      await page.goto(at("everything", "/api-reference/make-a-thing"));
      await page.getByRole("button", { name: "Try it" }).click();
      await page.locator(".o-pg[open]").waitFor();
      await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => api.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
      await page.locator(".o-pg-response .o-pg-status").waitFor();
      expect(await stopped()).toEqual([]);
    });
  });

  test("an image that is opened as a document runs no script", async () => {
    await open(at("everything", "/own.svg"), async (page, complaints) => {
      expect(await page.evaluate("window.owned")).toBeUndefined();
      complaints.list = complaints.list.filter((line) => !/Content Security Policy|sandboxed/.test(line));
    });
  });
});

describe("readers sign in", () => {
  test("by keyboard, from a page and back to it, with an error for a wrong password", async () => {
    await open(at("private", "/api-reference/make-a-thing"), async (page, complaints) => {
      expect(new URL(page.url()).pathname).toBe("/_octavo/sign-in");
      await page.getByLabel("Password").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("Incorrect password.").waitFor();
      await page.getByLabel("Password").fill("open sesame");
      await page.keyboard.press("Enter");
      await page.waitForURL(at("private", "/api-reference/make-a-thing"));
      await page.getByRole("heading", { name: "Make a thing" }).waitFor();
      complaints.list = complaints.list.filter((line) => !line.includes("401"));
    });
  });

  test.each([wide, phone])("to a preview, with the Tab key, at $width px", async (viewport) => {
    await open(at("preview", "/inner"), async (page, complaints) => {
      await page.setViewportSize(viewport);
      const focused = () =>
        page.evaluate("document.activeElement.matches(':focus-visible') && document.activeElement.outerHTML");
      const stops: unknown[] = [];
      // From the start of the page, as a person who uses no mouse.
      await page.evaluate("document.activeElement.blur()");
      for (let index = 0; index < 2; index++) {
        await page.keyboard.press("Tab");
        stops.push(await focused());
      }
      expect(stops).toEqual([
        expect.stringContaining('type="password"'),
        '<button type="submit">Sign in</button>',
      ]);
      expect(await seriousFaults(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);

      // The button works with the space bar, and the field with Enter.
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.type("wrong");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await page.getByText("Incorrect password.").waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await page.keyboard.press("Tab");
      expect(await focused()).toContain('type="password"');
      await page.keyboard.type("open sesame");
      await page.keyboard.press("Enter");
      await page.waitForURL(at("preview", "/inner"));
      complaints.list = complaints.list.filter((line) => !line.includes("401"));
    });
  });

  test("the sidebar of a public page shows only the entries that the reader may open", async () => {
    await open(at("partly"), async (page, complaints) => {
      const entries = () => page.locator("#sidebar .o-tree a").allTextContents();
      expect(await entries()).toEqual(["Open page", "Last page"]);
      await page.goto(at("partly", "/inner"));
      await page.getByLabel("Password").fill("open sesame");
      await page.keyboard.press("Enter");
      await page.waitForURL(at("partly", "/inner"));
      await page.goto(at("partly"));
      await page.locator("#sidebar").getByText("Deep page").waitFor();
      expect(await entries()).toEqual(["Open page", "Inner pageDeprecated", "Last page", "Deep page"]);
      expect(await page.locator("#sidebar").innerText()).not.toContain("staff");
      expect(await page.locator("#sidebar [aria-current]").allTextContents()).toEqual(["Open page"]);
      await page.locator("#sidebar").getByText("Inner page").click();
      await page.waitForURL(at("partly", "/inner"));
      complaints.list = complaints.list.filter((line) => !line.includes("401"));
    });
  });

  test("without scripts", async () => {
    await open(
      at("private"),
      async (page, complaints) => {
        await page.getByLabel("Password").fill("open sesame");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL(at("private"));
        complaints.list = [];
      },
      { javaScriptEnabled: false },
    );
  });

  test.each(["light", "dark"] as const)(
    "the page in %s mode is accessible and not truncated on a phone",
    async (colorScheme) => {
      await open(
        at("private"),
        async (page, complaints) => {
          const stopped = await watchPolicy(page);
          expect(await seriousFaults(page)).toEqual([]);
          await page.getByLabel("Password").fill("wrong");
          await page.keyboard.press("Enter");
          await page.getByText("Incorrect password.").waitFor();
          expect(await seriousFaults(page)).toEqual([]);
          if (process.env.SCREENSHOTS) {
            mkdirSync(process.env.SCREENSHOTS, { recursive: true });
            await page.screenshot({ path: path.join(process.env.SCREENSHOTS, `sign-in-${colorScheme}.png`) });
          }
          await page.setViewportSize(phone);
          expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
          expect(await stopped()).toEqual([]);
          complaints.list = complaints.list.filter((line) => !line.includes("401"));
        },
        { colorScheme },
      );
    },
  );
});
