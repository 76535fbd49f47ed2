/** Sites below a path of a host: URLs, redirects, cookies, the "page not found" page and Markdown. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siteOf } from "../../test/engine/build.ts";
import { browser, type Reply, TestHost } from "../../test/host/host.ts";
import { hashPassword } from "../base/password.ts";
import type { SignIn } from "../base/reader-sign-in.ts";
import { prefixReader } from "../service/http/client-address.ts";
import type { HostingOptions } from "./hosting.ts";

const host = "example.com";
const origin = `https://${host}/docs`;
const files = siteOf(
  {
    "index.mdx":
      "---\ntitle: Home\n---\n\n[Written](/docs/guide), [plain](/guide#part), [file](/docs/data.json) and ![Dot](/docs/dot.svg).",
    "guide.mdx":
      "---\ntitle: Guide\n---\n\n## Part\n\n[Home](/docs), `[code](/guide)`, [other](https://example.com/docs/guide).",
    "log.mdx": '---\ntitle: Log\nrss: true\n---\n\n<Update label="One">[Guide](/docs/guide)</Update>',
    "data.json": "{}",
    "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
  {
    redirects: [
      { source: "/old", destination: "/docs/guide" },
      { source: "/older/:page", destination: "/docs/:page" },
      { source: "/away", destination: "https://other.example/x" },
    ],
    errors: { 404: { redirect: false } },
  },
);

const started: TestHost[] = [];
afterAll(() => {
  for (const each of started) each.close();
});

async function hostOf(signIn?: SignIn, options: Partial<HostingOptions> = {}): Promise<TestHost> {
  const server = await new TestHost(options).listen();
  started.push(server);
  await server.directory.publish(host, files, { origin, ...(signIn ? { signIn } : {}) });
  return server;
}

const briefly = ({ status, headers }: Reply) =>
  headers.location === undefined ? String(status) : `${status} ${headers.location}`;

describe("a public site", () => {
  let server: TestHost;
  beforeAll(async () => {
    server = await hostOf();
  });
  const get = (target: string) => server.ask(host, target, browser);

  test.each([
    ["/docs", "200"],
    ["/docs/", "200"],
    ["/", "302 /docs/"],
    ["/docs/guide", "200"],
    ["/docs/guide/", "308 /docs/guide"],
    ["/docs/guide.html?a=1", "308 /docs/guide?a=1"],
    ["/docs/Guide", "308 /docs/guide"],
    ["/docs/old", "308 /docs/guide"],
    ["/docs/older/guide", "308 /docs/guide"],
    ["/docs/away", "308 https://other.example/x"],
    ["/docs/guide.md", "200"],
    ["/docs/llms.txt", "200"],
    ["/docs/octavo.config.js", "200"],
    ["/docs/none", "404"],
    ["/docs/docs/guide?a=1", "307 /docs/guide?a=1"],
    ["/docs/docs/docs/none", "307 /docs/docs/none"],
    ["/guide", "404"],
    ["/docsets", "404"],
    ["/DOCS/guide", "404"],
    ["/_octavo/favicon.svg", "404"],
  ])("%s: %s", async (target, expected) => {
    expect(briefly(await get(target))).toBe(expected);
  });

  test("links, canonical URL and assets are below the path, also if a link already contains it", async () => {
    const { text } = await get("/docs/");
    const urls = [...text.matchAll(/(?:href|src)="([^"#?]*)[^"]*"/g)]
      .map(([, url]) => url!)
      .filter((url) => !/^(?:https?:|data:)/.test(url) && url !== "");
    expect(urls.filter((url) => !/^\/docs(?:\/|$)/.test(url))).toEqual([]);
    for (const [label, href] of [
      ["Written", "/docs/guide"],
      ["plain", "/docs/guide#part"],
      ["file", "/docs/data.json"],
    ])
      expect(text).toContain(`href="${href}">${label}`);
    expect(text).toContain('src="/docs/dot.svg"');
    expect(text).toContain(`<link rel="canonical" href="${origin}/">`);
    expect(text).not.toContain("/docs/docs");
  });

  test("Markdown, feeds and files for crawlers contain only URLs below the path", async () => {
    expect((await get("/docs/index.md")).text).toContain(
      `[Written](${origin}/guide), [plain](${origin}/guide#part), [file](${origin}/data.json) and ![Dot](${origin}/dot.svg).`,
    );
    expect((await get("/docs/guide.md")).text).toContain(
      `[Home](${origin}/), \`[code](/guide)\`, [other](https://example.com/docs/guide).`,
    );
    expect((await get("/docs/llms-full.txt")).text).toContain(`[Written](${origin}/guide)`);
    expect((await get("/docs/log/rss.xml")).text).toContain("[Guide](https://example.com/docs/guide)");
    for (const file of ["sitemap.xml", "robots.txt", "llms.txt"]) {
      const urls = [...(await get(`/docs/${file}`)).text.matchAll(/https?:\/\/example\.com[^\s<>)]*/g)].map(
        ([url]) => url,
      );
      expect(urls.length, file).toBeGreaterThan(0);
      expect(
        urls.filter((url) => !url.startsWith(`${origin}/`)),
        file,
      ).toEqual([]);
    }
  });

  test("the page for missing pages loads its styles below the path at any depth", async () => {
    const page = await get("/docs/a/b/none");
    expect(page.status).toBe(404);
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)![1]!;
    expect(style).toMatch(/^\/docs\/_octavo\//);
    expect((await get(style)).status).toBe(200);
    // Outside of the path, the page doesn't belong to the site.
    expect((await get("/none")).text).toContain('href="/docs/">Go to the home page');
  });

  test("a path that contains the base path twice leads to the one below it, with any characters", async () => {
    const { status, headers } = await get("/docs/docs/%E6%97%A5%3Fb");
    expect([status, headers.location]).toEqual([307, "/docs/%E6%97%A5%3Fb"]);
  });

  test("HSTS, which applies to the whole host, isn't sent", async () => {
    const secure = await hostOf(undefined, { isSecure: true });
    expect(
      (await secure.ask(host, "/docs/guide", browser)).headers["strict-transport-security"],
    ).toBeUndefined();
    await secure.directory.publish("whole.example", files);
    expect(
      (await secure.ask("whole.example", "/guide", browser)).headers["strict-transport-security"],
    ).toBeDefined();
  });
});

describe("a site with sign-in", () => {
  let server: TestHost;
  beforeAll(async () => {
    server = await hostOf(
      { mode: "password", passwordHash: await hashPassword("open sesame") },
      { isSecure: true },
    );
  });
  const post = (target: string, headers: Record<string, string> = {}) =>
    server.ask(
      host,
      target,
      { "content-type": "application/x-www-form-urlencoded", ...headers },
      "POST",
      "password=open+sesame",
    );
  const cookieOf = ({ cookies }: Reply) =>
    cookies.map((cookie) => cookie.split(";")[0]!).filter((cookie) => !cookie.endsWith("="));

  test("sign-in and sign-out stay below the path, with a cookie that other paths don't receive", async () => {
    const page = await server.ask(host, "/docs/guide?a=1", browser);
    expect(briefly(page)).toBe("302 /docs/_octavo/sign-in?to=%2Fdocs%2Fguide%3Fa%3D1");
    const form = await server.ask(host, page.headers.location!, browser);
    expect(form.headers["content-security-policy"]).toContain(
      `script-src ${origin}/_octavo/ ${origin}/octavo.config.js`,
    );
    const signedIn = await post(page.headers.location!);
    expect(briefly(signedIn)).toBe("303 /docs/guide?a=1");
    const [session] = signedIn.cookies.filter((cookie) => /octavo_reader=./.test(cookie));
    expect(session).toMatch(
      /^__Secure-octavo_reader=.*; Path=\/docs; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
    );
    expect(signedIn.cookies.filter((cookie) => !cookie.includes("; Path=/docs;"))).toEqual([]);
    const cookie = cookieOf(signedIn).join("; ");
    expect((await server.ask(host, "/docs/guide", { ...browser, cookie })).status).toBe(200);

    const question = await server.ask(host, "/docs/_octavo/sign-out", {
      ...browser,
      cookie,
      "sec-fetch-site": "cross-site",
    });
    expect(question.text).toContain('action="/docs/_octavo/sign-out"');
    const out = await post("/docs/_octavo/sign-out", { cookie, origin: `https://${host}` });
    expect(out.cookies.find((line) => line.includes("octavo_reader="))).toMatch(
      /octavo_reader=; Path=\/docs;.*Max-Age=0/,
    );
    // Clearing the storage would also remove the data of other sites.
    expect([out.status, out.headers["clear-site-data"]]).toEqual([200, undefined]);
    expect(out.text).toContain('k.endsWith(" /docs/")');
  });

  test.each([
    "/handbook/page",
    "//evil.example",
    "/docsets",
    "https://evil.example/",
    "/docs/_octavo/sign-out",
    "/docs/../x",
  ])("a reader isn't sent to %s after signing in", async (to) => {
    expect(briefly(await post(`/docs/_octavo/sign-in?to=${encodeURIComponent(to)}`))).toBe("303 /docs/");
  });

  test("a login page sends the reader back below the path", async () => {
    const jwt = await hostOf({ mode: "jwt", loginUrl: "https://login.example/", publicKey: "" } as SignIn);
    const reply = await jwt.ask(host, "/docs/_octavo/sign-in", browser);
    expect(new URL(reply.headers.location!).searchParams.get("redirect_uri")).toBe(
      "http://example.com/docs/_octavo/sign-in/jwt",
    );
    expect((await jwt.ask(host, "/docs/_octavo/sign-in/jwt", browser)).text).toContain(
      'src="/docs/_octavo/sign-in/jwt.js"',
    );
  });
});

describe("the header X-Forwarded-Prefix", () => {
  const from = (remoteAddress: string, header?: string) =>
    ({
      socket: { remoteAddress },
      headers: header === undefined ? {} : { "x-forwarded-prefix": header },
    }) as never;

  test.each([
    ["of a trusted proxy is used", "127.0.0.1", "/docs", "/docs"],
    ["can end with a slash", "::ffff:127.0.0.1", "/docs/", "/docs"],
    ["of several proxies is joined", "127.0.0.1", "/a, /b", "/a/b"],
    ["of other clients is ignored", "203.0.113.9", "/docs", ""],
    ["is optional", "127.0.0.1", undefined, ""],
    ["can't be a host name", "127.0.0.1", "//evil.example", ""],
    ["can't be a URL", "127.0.0.1", "https://evil.example/docs", ""],
    ["can't contain a line break", "127.0.0.1", "/docs\r\nx: y", ""],
    ["can't contain dot segments", "127.0.0.1", "/docs/../x", ""],
  ])("%s", (_, address, header, expected) => {
    expect(prefixReader(["127.0.0.0/8"])(from(address, header))).toBe(expected);
  });
});
