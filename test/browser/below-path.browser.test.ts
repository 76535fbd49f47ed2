/**
 * Sites below a path of a host in a browser: served by the service, by nginx from an export, and by a bundle
 * server with and without a proxy that removes the path.
 */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addOperatorDomain } from "../../src/service/domains/contract.ts";
import { changeProject } from "../../src/service/projects/contract.ts";
import { startBundleServer } from "../bundle/server.ts";
import { siteOf, temporaryFolder } from "../engine/build.ts";
import { deploy, visit } from "../service/deploying.ts";
import { freePort } from "../service/postgres.ts";
import { newOrganization, send, type TestOrganization, type TestService } from "../service/service.ts";
import { until } from "../service/until.ts";
import { openTestService } from "../shared/service.ts";
import { settled, useChromium } from "./chromium.ts";
import { type CrawledSite, crawlBelowPath, exceptMissing } from "./crawl-below-path.ts";
import { type Recorder, startRecorder } from "./playground-fixture.ts";

const { open } = useChromium();
const work = temporaryFolder();
const basePath = "/docs";
let api: Recorder;
beforeAll(async () => {
  api = await startRecorder();
});
afterAll(() => api.close());

/** A site with every kind of link and file. */
const everything = (name: string): Record<string, string> =>
  siteOf(
    {
      "index.mdx": `---
title: ${name} home
---

import { Counter } from "/counter.jsx";

[Written](/docs/guide), [plain](/guide#part), [relative](./guides/deep/page), [file](/docs/data.json), [old](/old) and ![Dot](/docs/dot.svg).

<Card title="Card" href="/docs/guides/deep/page">Text</Card>

<a href="/docs/guide">HTML</a>

<Counter start={3} />

<Tabs><Tab title="One">1</Tab><Tab title="Two">2</Tab></Tabs>

<iframe src="/demo.html" title="Demo"></iframe>
`,
      "guide.mdx":
        "---\ntitle: Guide\n---\n\nThe guide installs widgets. See [home](/docs).\n\n## Part\n\nMore.",
      "guides/deep/page.mdx":
        "---\ntitle: Deep\n---\n\n[Home](/), [up](../../guide) and ![Dot](/dot.svg).\n\n```js\nlet a = 1;\n```",
      "log.mdx": '---\ntitle: Log\nrss: true\n---\n\n<Update label="One">[Guide](/docs/guide)</Update>',
      "counter.jsx":
        "export const Counter = ({ start }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>Count {n}</button>; };",
      "data.json": "{}",
      "demo.html": "<!doctype html><title>Demo</title><p>Demo</p>",
      "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      "own.css": "main { outline: 0 solid red }",
      "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        servers: [{ url: `${api.url}/echo` }],
        paths: {
          "/things": {
            get: {
              summary: "List things",
              responses: {
                200: { description: "Fine", content: { "application/json": { schema: { type: "object" } } } },
              },
            },
          },
        },
      }),
    },
    {
      navigation: {
        groups: [
          { group: "Start", pages: ["index", "guide", "guides/deep/page", "log"] },
          { group: "API", openapi: "api.json" },
        ],
      },
      redirects: [{ source: "/old", destination: "/docs/guide" }],
      navbar: { links: [{ label: "Guide link", href: "/docs/guide" }] },
      footer: { links: [{ header: "More", items: [{ label: "Footer link", href: "/docs/guide" }] }] },
      banner: { content: "[Banner](/docs/guide)", dismissible: true },
      contextual: { options: ["copy", "view"] },
      errors: { 404: { redirect: false } },
    },
  ) as Record<string, string>;

type Place = Omit<CrawledSite, "basePath">;

/**
 * Crawls the site from its root with and without a slash, and from pages with a slash, and checks the "page
 * not found" page.
 */
async function expectBelowPath(
  place: Place,
  { atLeast = 6 } = {},
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  for (const start of [basePath, `${basePath}/`, `${basePath}/guide/`, `${basePath}/guides/deep/page`])
    await open(place.origin + start, async (page, complaints) => {
      await prepare(page);
      expect(new URL(page.url()).pathname).toMatch(/^\/docs(?:\/|$)/);
      if (start === basePath || start === `${basePath}/guide/`) {
        const crawl = await crawlBelowPath(page, { ...place, basePath });
        expect(crawl.outside).toEqual([]);
        expect(crawl.broken).toEqual([]);
        expect(crawl.pages.size).toBeGreaterThanOrEqual(atLeast);
        expect(crawl.files.size).toBeGreaterThan(8);
      }
      expect(complaints.list).toEqual([]);
    });
  await open(`${place.origin}${basePath}/guide`, async (page, complaints) => {
    await prepare(page);
    await page.goto(`${place.origin}${basePath}/no/such/page`);
    await settled(page);
    expect(await page.getByRole("heading", { name: "Page not found" }).count()).toBe(1);
    expect(await page.evaluate("document.styleSheets.length")).toBeGreaterThan(0);
    const home = page.getByRole("link", { name: /home/i }).first();
    expect(new URL((await home.getAttribute("href"))!, page.url()).pathname).toMatch(
      /^\/docs\/(?:index\.html)?$/,
    );
    exceptMissing(complaints, "/no/such/page");
  });
}

/** Searches in the page's dialog, and opens the result. */
async function expectSearch(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("installs widgets");
  await expect
    .poll(() => page.locator(".o-hit-title").first().textContent(), { timeout: 10_000 })
    .toContain("Guide");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => /^\/docs\/guide(?:\.html)?$/.test(url.pathname));
}

describe("the service", () => {
  const host = "example.localhost";
  let service: TestService;
  let docs: TestOrganization;
  let place: Place;
  const use = async (domain: string, name: string) => {
    const organization = await newOrganization(service);
    await deploy(organization, everything(name));
    await service.operator(addOperatorDomain, {
      params: { projectId: organization.projectId },
      body: { domain },
    });
    // The domain's path rebuilds the site.
    await service.until(async () => {
      const at = domain.slice(domain.indexOf("/"));
      return (await visit(service, host, `${at}/guide`)).text.includes(`data-root="${at}/"`);
    });
    return organization;
  };
  beforeAll(async () => {
    service = await openTestService({
      env: { OCTAVO_SITES_DOMAIN: "sites.localhost", OCTAVO_OUTBOUND_ALLOW: new URL(api.url).host },
    });
    docs = await use(`${host}/docs`, "Docs");
    const origin = `http://${host}:${service.port}`;
    place = { origin, siteUrl: origin + basePath };
  }, 120_000);
  afterAll(() => service?.stop());

  test("every link, asset and redirect of a public site is below the path", { timeout: 120_000 }, () =>
    expectBelowPath(place),
  );

  test("the default host serves the site below the same path, and its root redirects there", async () => {
    const own = `http://${docs.subdomain}.sites.localhost:${service.port}`;
    await open(`${own}/`, async (page) => {
      expect(page.url()).toBe(`${own}/docs/`);
      const { outside, broken } = await crawlBelowPath(page, {
        origin: own,
        basePath,
        siteUrl: place.siteUrl,
      });
      expect([outside, broken]).toEqual([[], []]);
    });
  });

  test("search, assistant, MCP and the playground's proxy work below the path", () =>
    open(`${place.origin}/docs/guides/deep/page`, async (page) => {
      const requested: string[] = [];
      page.on("request", (request) => requested.push(new URL(request.url()).pathname));
      await expectSearch(page);
      await page.keyboard.press("Control+i");
      await page.getByRole("textbox", { name: "Ask a question", exact: true }).waitFor();
      await page.keyboard.type("What does the guide install?");
      await page.keyboard.press("Enter");
      const source = page
        .getByRole("link", { name: /Guide/ })
        .and(page.locator(`[href^="${place.siteUrl}/guide"]`));
      await source.first().waitFor();
      await page.goto(`${place.siteUrl}/api-reference/list-things`);
      await page.getByRole("button", { name: "Try it" }).click();
      await page.locator(".o-pg[open]").getByRole("button", { name: "Send" }).click();
      await page.locator(".o-pg-response .o-pg-status").getByText("200").waitFor();
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_docs", arguments: { query: "installs widgets" } },
      };
      const mcp = await send({
        port: service.port,
        host: `${host}:${service.port}`,
        path: "/docs/mcp",
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(call),
      });
      expect(mcp.text).toContain(`URL: ${place.siteUrl}/guide`);
      expect(requested.filter((at) => !at.startsWith("/docs"))).toEqual([]);
      expect(requested).toEqual(expect.arrayContaining(["/docs/_octavo/assistant", "/docs/_octavo/proxy"]));
    }));

  test("sites below different paths of a host don't see each other's cookies and storage", {
    timeout: 120_000,
  }, async () => {
    const handbook = await use(`${host}/handbook`, "Handbook");
    for (const [organization, password] of [
      [docs, "password of docs"],
      [handbook, "password of handbook"],
    ] as const)
      await organization.client(changeProject, {
        params: { projectId: organization.projectId },
        body: { signIn: { mode: "password", password } },
      });
    await service.runJobs();
    await service.until(
      async () => (await visit(service, host, "/docs/guide", { accept: "text/html" })).status === 302,
    );
    await service.until(
      async () => (await visit(service, host, "/handbook/guide", { accept: "text/html" })).status === 302,
    );
    await open(`${place.origin}/docs/guide`, async (page) => {
      const signIn = async (at: string, password: string) => {
        await page.goto(`${place.origin}${at}/guide`);
        await page.getByLabel("Password").fill(password);
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.pathname === `${at}/guide`);
        await settled(page);
      };
      const mode = () => page.evaluate("document.documentElement.classList.contains('dark')");
      const choose = async (label: string) => {
        await page.locator(".o-theme summary").click();
        await page.getByRole("button", { name: label, exact: true }).click();
      };
      await signIn("/docs", "password of docs");
      await choose("Dark");
      expect(await mode()).toBe(true);
      // Not signed in there.
      await signIn("/handbook", "password of handbook");
      expect(await mode()).toBe(false);
      const cookies = await page.context().cookies();
      expect(cookies.map(({ path }) => path).filter((at) => at === "/")).toEqual([]);
      const sent: string[] = [];
      page.on("request", async (request) => sent.push((await request.allHeaders()).cookie ?? ""));
      await page.goto(`${place.origin}/handbook/guide`);
      await settled(page);
      const ofDocs = cookies.filter(({ path }) => path === "/docs").map(({ value }) => value);
      expect(ofDocs.length).toBeGreaterThan(0);
      expect(sent.filter((cookie) => ofDocs.some((value) => cookie.includes(value)))).toEqual([]);
      const keys = await page.evaluate<string[]>(
        "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]",
      );
      expect(keys.filter((key) => !/ \/(?:docs|handbook)\/$/.test(key))).toEqual([]);
      // Signing out of one site keeps the other's session and storage.
      await page.goto(`${place.origin}/handbook/_octavo/sign-out`);
      await page.waitForURL((url) => url.pathname === "/handbook/_octavo/sign-in");
      await page.goto(`${place.origin}/docs/guide`);
      expect(await page.title()).toContain("Guide");
      expect(await mode()).toBe(true);
    });
    const prepare = async (page: Page) => {
      if (!page.url().includes("/_octavo/sign-in")) return;
      await page.getByLabel("Password").fill("password of docs");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => !url.pathname.includes("/_octavo/sign-in"));
    };
    await expectBelowPath(place, {}, prepare);
    // The sign-in page itself, and everything that it loads.
    await open(`${place.origin}/docs/guide`, async (page) => {
      const { outside, broken } = await crawlBelowPath(page, { ...place, basePath });
      expect([outside, broken.filter((line) => !line.startsWith("401"))]).toEqual([[], []]);
    });
  });

  test("a project moves back to the root of its host when its domain is removed", async () => {
    const organization = await use(`${host}/moved`, "Moved");
    const own = `${organization.subdomain}.sites.localhost`;
    await organization.ask(
      `/v1/projects/${organization.projectId}/domains/${encodeURIComponent(`${host}/moved`)}`,
      { method: "DELETE" },
    );
    await service.until(async () => (await visit(service, own, "/guide")).status === 200);
    expect((await visit(service, host, "/moved/guide")).status).toBe(404);
  });

  test("a service export is built for the domain's path", async () => {
    const organization = await use(`${host}/exported`, "Exported");
    const started = await organization.ask("/v1/static-export/jobs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ domain: `${organization.subdomain}.sites.localhost` }),
    });
    expect(started.json.jobId, started.text).toBeDefined();
    await service.runJobs();
    const { json } = await organization.ask(`/v1/static-export/jobs/${started.json.jobId}`);
    expect(json).toMatchObject({
      status: "completed",
      domain: `${organization.subdomain}.sites.localhost/exported`,
    });
  });
});

/** Writes the site, and exports it for a URL. Returns the path of the archive. */
function exported(url: string | undefined): string {
  const folder = path.join(work, "source");
  if (!existsSync(folder))
    for (const [name, text] of Object.entries(everything("Export"))) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  const archive = path.join(work, `${url === undefined ? "any" : "url"}.tar.gz`);
  const words = ["export", folder, "--output", archive, ...(url === undefined ? [] : ["--url", url])];
  if (!existsSync(archive)) execFileSync(process.execPath, ["bin/octavo.js", ...words], { stdio: "pipe" });
  return archive;
}

const siteUrl = "https://www.example.com/docs";
const nginx = "/usr/sbin/nginx";
const hasNginx = existsSync(nginx) && spawnSync(nginx, ["-v"]).status === 0;
if (!hasNginx) console.error("Exports behind nginx are not tried: nginx is not installed.");

/** Starts nginx with a server block from the docs, or with another one. */
async function startNginx(block: string): Promise<{ origin: string; stop(): void }> {
  const folder = path.join(work, `nginx-${await freePort()}`);
  mkdirSync(folder);
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp {\ninclude /etc/nginx/mime.types; access_log off;\n${temporary}\n${block.replace(/listen [\d.:]+/, `listen 127.0.0.1:${port}`)}\n}\n`,
  );
  execFileSync("chmod", ["-R", "a+rX", work]);
  const child = spawn(nginx, ["-c", path.join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(origin).then(
      () => true,
      () => false,
    ),
  );
  return { origin, stop: () => void child.kill() };
}

describe.runIf(hasNginx)("an export behind nginx", () => {
  let server: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    const folder = path.join(work, "unpacked");
    mkdirSync(folder);
    execFileSync("tar", ["-xzf", exported(siteUrl), "-C", folder]);
    const page = readFileSync("docs/self-host/static-hosting.mdx", "utf8");
    const below = [...page.matchAll(/^```nginx[^\n]*\n(.*?)^```$/gms)].map(([, text]) => text!)[1]!;
    server = await startNginx(below.replaceAll("/handbook", basePath).replaceAll("/srv/docs", folder));
  }, 60_000);
  afterAll(() => server?.stop());

  test("every link, asset and redirect is below the path", { timeout: 120_000 }, () =>
    expectBelowPath({ origin: server.origin, siteUrl }),
  );

  test("search works below the path", () =>
    open(`${server.origin}/docs/guides/deep/page.html`, (page) => expectSearch(page)));
});

describe("a bundle server", () => {
  const env = (archive: string) => ({ OCTAVO_BUNDLE_URL: archive, OCTAVO_ASSISTANT: "true" });

  test("with OCTAVO_BASE_PATH, every link, asset and redirect is below the path", {
    timeout: 120_000,
  }, async () => {
    const server = await startBundleServer({ ...env(exported(siteUrl)), OCTAVO_BASE_PATH: "/docs/" });
    try {
      await server.settled();
      const origin = `http://127.0.0.1:${server.port}`;
      await expectBelowPath({ origin, siteUrl });
      await open(`${origin}/`, async (page) => {
        expect(page.url()).toBe(`${origin}/docs/`);
        await expectSearch(page);
      });
    } finally {
      await server.stop();
    }
  });

  test("a bundle that was built without a path works below one", { timeout: 120_000 }, async () => {
    const server = await startBundleServer({ ...env(exported(undefined)), OCTAVO_BASE_PATH: "/docs" });
    try {
      await server.settled();
      const origin = `http://127.0.0.1:${server.port}`;
      await expectBelowPath({ origin, siteUrl: `${origin}/docs`, hasTextLinks: false });
    } finally {
      await server.stop();
    }
  });

  test.each<[what: string, settings: Record<string, string>, removes: boolean, sent: Record<string, string>]>(
    [
      [
        "a trusted proxy that removes the path and sends it",
        { OCTAVO_TRUSTED_PROXIES: "127.0.0.1" },
        true,
        { "x-forwarded-prefix": "/docs" },
      ],
      ["a proxy that removes the path, without settings", {}, true, {}],
      ["a proxy that keeps the path, without settings", {}, false, {}],
      ["a proxy that isn't trusted", {}, true, { "x-forwarded-prefix": "/evil" }],
    ],
  )("behind %s", { timeout: 120_000 }, async (_, settings, removes, sent) => {
    const server = await startBundleServer({ ...env(exported(siteUrl)), ...settings });
    const proxy = createServer((incoming, outgoing) => {
      if (!/^\/docs(?:\/|$)/.test(incoming.url!)) return void outgoing.writeHead(404).end();
      if (incoming.url === "/docs") return void outgoing.writeHead(308, { location: "/docs/" }).end();
      const headers = { ...incoming.headers, ...sent };
      const request = httpRequest(
        {
          port: server.port,
          path: removes ? incoming.url!.slice("/docs".length) : incoming.url!,
          method: incoming.method!,
          headers,
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
        },
      );
      incoming.pipe(request);
    });
    try {
      await server.settled();
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      await expectBelowPath({ origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, siteUrl });
    } finally {
      proxy.closeAllConnections();
      proxy.close();
      await server.stop();
    }
  });
});
