/** `octavo dev` and `octavo preview` in a browser. */

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useChromium } from "../../test/browser/chromium.ts";
import { runOctavo, siteOf, startOctavo, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { send } from "../../test/service/service.ts";

const folder = temporaryFolder();
const { open } = useChromium();
const running: ReturnType<typeof startOctavo>[] = [];

afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});

/** Starts a server and resolves with its URL. */
async function serve(args: string[]): Promise<string> {
  const child = startOctavo([...args, "--port", "0"]);
  running.push(child);
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk: string) => (err += chunk));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk: string) => {
      out += chunk;
      const address = /http:\/\/localhost:\d+/.exec(out)?.[0];
      if (address) resolve(address);
    });
    child.on("exit", () => reject(new Error(err)));
  });
}

describe("octavo dev", () => {
  const docs = path.join(folder, "docs");
  const write = (file: string, text: string) => writeFileSync(path.join(docs, file), text);
  let address = "";

  beforeAll(async () => {
    writeFiles(
      docs,
      siteOf(
        {
          "index.mdx": "---\ntitle: Home\n---\n\nFirst words.",
          "guides/next.mdx": "---\ntitle: Next\n---\n\nMore words.",
        },
        { redirects: [{ source: "/old", destination: "/guides/next" }] },
      ),
    );
    address = await serve(["dev", docs]);
  });

  test("the browser shows saved changes; errors show over the page until they are fixed", () =>
    open(address, async (page) => {
      expect(await page.locator("main").innerText()).toContain("First words.");
      write("index.mdx", "---\ntitle: Home\n---\n\nSecond words.");
      await expect
        .poll(() => page.locator("main").innerText(), { timeout: 10_000 })
        .toContain("Second words.");

      write("index.mdx", "---\ntitle: Home\n---\n\nThird words.\n\n<Note>\n\nNever closed.");
      const overlay = page.locator('dialog[aria-label="Problems"]');
      await expect.poll(() => overlay.count(), { timeout: 10_000 }).toBe(1);
      expect(await overlay.innerText()).toMatch(/index\.mdx:7:1/);
      expect(await overlay.locator("pre").innerText()).toContain("> 7 | <Note>");
      expect(await overlay.locator("p > code").first().innerText(), "text in backticks is code").toBe(
        "<Note>",
      );
      expect(await page.locator("main").innerText(), "the page is there behind it").toContain("Third words.");

      write("index.mdx", "---\ntitle: Home\n---\n\nFourth words.");
      await expect
        .poll(() => page.locator("main").innerText(), { timeout: 10_000 })
        .toContain("Fourth words.");
      expect(await overlay.count()).toBe(0);
    }));

  test("warnings are folded, alone or below errors", () =>
    open(address, async (page) => {
      const overlay = page.locator('dialog[aria-label="Problems"]');
      const text = () => overlay.innerText({ timeout: 100 }).catch(() => "");
      write("index.mdx", "---\ntitle: Home\n---\n\n[Broken](/nowhere)");
      await expect.poll(text, { timeout: 10_000 }).toMatch(/^1 warning\s+Close$/);
      await overlay.getByText("1 warning").click();
      expect(await text()).toContain("index.mdx:5");
      write("index.mdx", "---\ntitle: Home\n---\n\n[Broken](/nowhere)\n\n<Note>");
      await expect.poll(text, { timeout: 10_000 }).toMatch(/^1 error\s+Close.+1 warning$/s);
      expect(await overlay.locator("details section").isVisible()).toBe(false);
      write("index.mdx", "---\ntitle: Home\n---\n\nFourth words.");
      await expect.poll(() => overlay.count(), { timeout: 10_000 }).toBe(0);
    }));

  test("diagrams that are added later are drawn, also those of another type", () =>
    open(`${address}/guides/next`, async (page) => {
      const diagram = (source: string) =>
        write("guides/next.mdx", `---\ntitle: Next\n---\n\n\`\`\`mermaid\n${source}\n\`\`\``);
      const drawn = page.locator(".o-diagram-drawn > svg");
      for (const [source, type] of [
        ["flowchart LR\n  A --> B", "flowchart-v2"],
        ['pie\n  "A" : 1\n  "B" : 2', "pie"],
        ["flowchart-elk LR\n  A --> B", "flowchart-elk"],
      ] as const) {
        diagram(source);
        await expect.poll(() => drawn.getAttribute("aria-roledescription"), { timeout: 20_000 }).toBe(type);
      }
    }));

  test("while docs.json can't be read, the last site is shown, with the error", () =>
    open(address, async (page) => {
      const settings = readFileSync(path.join(docs, "docs.json"), "utf8");
      write("docs.json", settings.replace("{", "{,"));
      const overlay = page.locator('dialog[aria-label="Problems"]');
      await expect.poll(() => overlay.count(), { timeout: 10_000 }).toBe(1);
      expect(await overlay.innerText()).toContain("docs.json");
      expect(await page.title()).toContain("Acme");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
      write("docs.json", settings);
      await expect.poll(() => overlay.count(), { timeout: 10_000 }).toBe(0);
    }));

  test("responds at localhost only, and only to requests from its own pages", async () => {
    const { port } = new URL(address);
    const answers = ["evil.example", `localhost:${port}`].flatMap((host) =>
      ["/", "/_octavo/events", "/_octavo/dev.js", "/_octavo/proxy"].map((at) =>
        send({
          port: Number(port),
          path: at,
          host,
          headers: host === "evil.example" ? {} : { origin: "https://evil.example" },
        }),
      ),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 403));
  });

  test("an error in docs.json shows over the page and does not end the server", () =>
    open(address, async (page) => {
      const good = JSON.stringify({
        theme: "mint",
        name: "Renamed",
        colors: { primary: "#0D9373" },
        navigation: { pages: ["index", "guides/next"] },
      });
      write("docs.json", good.slice(0, -1));
      await expect
        .poll(() => page.locator('dialog[aria-label="Problems"]').count(), { timeout: 10_000 })
        .toBe(1);
      write("docs.json", good);
      await expect.poll(() => page.title(), { timeout: 10_000 }).toContain("Renamed");
      expect(await page.locator('dialog[aria-label="Problems"]').count()).toBe(0);
    }));

  test("a new page is served, and clean URLs work", async () => {
    write("fresh.mdx", "Fresh words.");
    await expect.poll(async () => (await fetch(`${address}/fresh`)).status, { timeout: 10_000 }).toBe(200);
    const { status, headers } = await fetch(`${address}/guides/next`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });
});

describe.each(["folder", "site.tar.gz", "site.zip"])("octavo preview of %s", (name) => {
  let address = "";

  beforeAll(async () => {
    const at = path.join(folder, `preview-${name}`);
    const docs = writeFiles(
      path.join(at, "docs"),
      siteOf(
        {
          "index.mdx": "---\ntitle: Home\n---\n\n[Next](/guides/next)",
          "guides/next.mdx": "---\ntitle: Next\n---\n\nText.",
          "ü ber.mdx": "Umlaut.",
          "data.json": "{}",
        },
        {
          errors: { 404: { redirect: false } },
          redirects: [
            { source: "/old", destination: "/guides/next" },
            { source: "/soon", destination: "/guides/next", permanent: false },
            { source: "/v1/:slug*", destination: "/guides/:slug*" },
            { source: "/users/:id/profile", destination: "/guides/next" },
            { source: "/guides-*", destination: "/guides/*" },
          ],
        },
      ),
    );
    const target = path.join(at, name === "folder" ? "site" : name);
    const { code, err } = await runOctavo(
      name === "folder" ? ["build", docs, "--out", target] : ["export", docs, "--output", target],
    );
    expect(code, err).toBe(0);
    address = await serve(["preview", target]);
  });

  test.each([
    ["/", 200, "text/html; charset=utf-8"],
    ["/guides/next", 200, "text/html; charset=utf-8"],
    ["/guides/next.html", 200, "text/html; charset=utf-8"],
    ["/guides/next.md", 200, "text/markdown; charset=utf-8"],
    ["/data.json", 200, "application/json; charset=utf-8"],
    ["/sitemap.xml", 200, "application/xml; charset=utf-8"],
    ["/llms.txt", 200, "text/plain; charset=utf-8"],
    ["/%C3%BC%20ber", 200, "text/html; charset=utf-8"],
    ["/nowhere", 404, "text/html; charset=utf-8"],
    ["/nowhere/deep/er", 404, "text/html; charset=utf-8"],
    ["/../../etc/passwd", 404, "text/html; charset=utf-8"],
    ["/..%2f..%2fetc%2fpasswd", 400, "text/plain; charset=utf-8"],
    ["/%", 400, "text/plain; charset=utf-8"],
  ])("%s answers %i %s", async (pathname, status, type) => {
    const response = await fetch(address + pathname, { redirect: "manual" });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  });

  test.each([
    ["/old", 308, "/guides/next"],
    ["/guides/next/", 308, "/guides/next"],
    ["/soon", 307, "/guides/next"],
    ["/v1/next", 308, "/guides/next"],
    ["/v1/a/b", 308, "/guides/a/b"],
    ["/users/7/profile", 308, "/guides/next"],
    ["/guides-next", 308, "/guides/next"],
  ])("%s answers %i to %s", async (pathname, status, location) => {
    const response = await fetch(address + pathname, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([status, location]);
  });

  test("clients that accept Markdown get it", async () => {
    const response = await fetch(`${address}/guides/next`, { headers: { accept: "text/markdown" } });
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/markdown; charset=utf-8",
      "# Next\n\n> Index of this documentation: [llms.txt](/llms.txt)\n\nText.\n",
    ]);
  });

  test("a POST is refused", async () => {
    expect((await fetch(address, { method: "POST" })).status).toBe(405);
  });

  test("in the browser, links work, and an unknown URL shows a styled page", () =>
    open(address, async (page, complaints) => {
      await page.click("main >> text=Next");
      await page.waitForURL(/guides\/next/);
      expect(await page.locator("h1").innerText()).toBe("Next");
      await page.goto(`${address}/nowhere/deep/er`);
      expect(await page.locator("h1").innerText()).toBe("Page not found");
      expect(await page.evaluate("getComputedStyle(document.querySelector('#navbar')).position")).toMatch(
        /sticky|fixed/,
      );
      complaints.list = complaints.list.filter(
        (line) => !line.includes("/nowhere/deep/er") && !line.includes("404 (Not Found)"),
      );
    }));
});
