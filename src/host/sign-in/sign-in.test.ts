/**
 * Tests sign-in and sessions of readers: by password, by JWT from a customer's login page, and by OpenID
 * provider.
 */

import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { siteOf } from "../../../test/engine/build.ts";
import { browser, type Reply, TestHost } from "../../../test/host/host.ts";
import { OpenIdProvider } from "../../../test/host/open-id-provider.ts";
import { hashPassword } from "../../base/password.ts";
import { rateLimitInMemory } from "../../base/rate-limit.ts";
import type { SignIn } from "../../base/reader-sign-in.ts";
import type { HostingOptions } from "../hosting.ts";

const site = "docs.acme.test";
const files = siteOf(
  {
    "index.mdx": "---\ntitle: Secret home\n---\n\nText.",
    "staff.mdx": "---\ntitle: Staff\ngroups: [staff]\n---\n\nText.",
  },
  { errors: { 404: { redirect: false } } },
);

const hosts: TestHost[] = [];
afterAll(() => {
  for (const host of hosts) host.close();
});

async function hostOf(signIn: SignIn, options: Partial<HostingOptions> = {}): Promise<TestHost> {
  const host = await new TestHost(options).listen();
  hosts.push(host);
  await host.directory.publish(site, files, { signIn });
  return host;
}

const cookieOf = (reply: Reply) =>
  reply.cookies
    .map((cookie) => cookie.split(";")[0]!)
    .filter((cookie) => !cookie.endsWith("="))
    .join("; ");

const form = { "content-type": "application/x-www-form-urlencoded" };

async function statusWith(host: TestHost, cookie: string, target = "/"): Promise<number> {
  return (await host.ask(site, target, { ...browser, ...(cookie ? { cookie } : {}) })).status;
}

describe("a shared password", () => {
  let host: TestHost;
  let signIn: SignIn;
  beforeAll(async () => {
    signIn = { mode: "password", passwordHash: await hashPassword("open sesame") };
  });
  beforeEach(async () => {
    host = await hostOf(signIn);
  });
  const post = (password: string, target = "/_octavo/sign-in", headers: Record<string, string> = {}) =>
    host.ask(site, target, { ...form, ...headers }, "POST", new URLSearchParams({ password }).toString());

  test("a page redirects to the form, and the form back to the page", async () => {
    const page = await host.ask(site, "/staff?a=1&b=%20", browser);
    expect([page.status, page.headers.location]).toEqual([
      302,
      "/_octavo/sign-in?to=%2Fstaff%3Fa%3D1%26b%3D%2520",
    ]);
    const shown = await host.ask(site, page.headers.location!, browser);
    expect([shown.status, shown.headers["cache-control"]]).toEqual([200, "private, no-store"]);
    expect(shown.text).toMatch(/<form id="o-sign-in-form" method="post"/);
    expect(shown.text).toMatch(/id="o-sign-in-wrong" hidden/);
    expect(shown.text).not.toMatch("Secret home");
    const entered = await post("open sesame", page.headers.location!);
    expect([entered.status, entered.headers.location]).toEqual([303, "/staff?a=1&b=%20"]);
    expect(await statusWith(host, cookieOf(entered))).toBe(200);
    expect(await statusWith(host, cookieOf(entered), "/staff")).toBe(404);
  });

  test("the page loads no scripts and style sheets of the folder, and may not load them from elsewhere", async () => {
    const hostile = {
      ...files,
      "steal.js": "document.forms[0]?.addEventListener('submit', () => {})",
      "look.css": "#o-password { background: url(https://evil.example/) }",
      "docs.json": JSON.stringify({
        ...JSON.parse(String(files["docs.json"])),
        banner: { content: "A banner" },
        integrations: { gtm: { tagId: "GTM-STRANGER" } },
      }),
    };
    for (const path of ["docs.acme.test", "docs.other.test"]) {
      await host.directory.publish(path, hostile, { signIn });
      const { text, headers } = await host.ask(path, "/_octavo/sign-in", browser);
      expect(text).toContain("o-sign-in-form");
      const loaded = [...text.matchAll(/<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^"]*)"/g)].map(
        ([, url]) => url!,
      );
      expect(
        loaded.filter((url) => !/^\/(?:_octavo\/(?!integrations|analytics)|octavo\.config\.js$)/.test(url)),
      ).toEqual([]);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toMatch(new RegExp(`script-src http://${path}(:\\d+)?/_octavo/ http`));
      expect(policy).not.toMatch(
        /script-src[^;]*'self'|script-src[^;]*googletagmanager|style-src[^;]*'self'/,
      );
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  test("the page of a preview doesn't depend on the preview's files", async () => {
    const changed = {
      ...files,
      "logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "docs.json": JSON.stringify({
        ...JSON.parse(String(files["docs.json"])),
        name: "Stranger",
        logo: { light: "/logo.svg", dark: "/logo.svg", href: "https://evil.example" },
        banner: { content: "[Sign in here](https://evil.example)" },
        navbar: { links: [{ label: "Sign in", href: "https://evil.example" }] },
        footer: { socials: { github: "https://evil.example" } },
        integrations: { gtm: { tagId: "GTM-STRANGER" } },
      }),
    };
    const pages: string[] = [];
    for (const [name, content] of [
      ["acme-preview-1.acme.test", files],
      ["acme-preview-2.acme.test", changed],
    ] as const) {
      await host.directory.publish(name, content, { signIn, isPreview: true });
      const { text, headers } = await host.ask(name, "/_octavo/sign-in", browser);
      expect(text).toContain("o-sign-in-form");
      expect(text).toContain('<button type="submit">Sign in</button>');
      pages.push(text + String(headers["content-security-policy"]));
    }
    expect(pages[1]).toBe(pages[0]);
    expect(pages[0]).toContain("default-src 'none'; img-src data:; form-action 'self'");
  });

  test("the cookie's flags", async () => {
    const [plain] = (await post("open sesame")).cookies.filter((cookie) =>
      cookie.startsWith("octavo_reader="),
    );
    expect(plain).toMatch(/^octavo_reader=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    host = await hostOf(signIn, { isSecure: true });
    const secure = await post("open sesame");
    const [cookie] = secure.cookies.filter((text) => text.startsWith("__Host-octavo_reader="));
    expect(cookie).toMatch(
      /^__Host-octavo_reader=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/,
    );
    expect(secure.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(await statusWith(host, cookieOf(secure))).toBe(200);
    expect(await statusWith(host, cookieOf(secure).replace("__Host-", ""))).toBe(302);
  });

  test("the response is the same for every wrong password", async () => {
    const wrong = await Promise.all(
      ["", "open", "Open sesame", "open sesame\n", "x".repeat(5_000)].map((text) => post(text)),
    );
    for (const { status, text, cookies } of wrong) {
      expect([status, cookies]).toEqual([401, []]);
      expect(text).toBe(wrong[0]!.text);
      expect(text).toMatch(/id="o-sign-in-wrong" role="alert"|id="o-sign-in-wrong"/);
    }
  });

  test("ten attempts in 15 minutes from one address, also with the correct password", async () => {
    let address = "203.0.113.9";
    let now = 0;
    host = await hostOf(signIn, { addressOf: () => address, rateLimit: rateLimitInMemory(() => now) });
    for (let i = 0; i < 10; i++) expect((await post("wrong")).status).toBe(401);
    const refused = await post("open sesame");
    expect([refused.status, refused.headers["retry-after"], refused.cookies]).toEqual([429, "900", []]);
    address = "203.0.113.10";
    expect((await post("open sesame")).status).toBe(303);
    address = "203.0.113.9";
    now = 15 * 60 * 1_000 + 1;
    expect((await post("open sesame")).status).toBe(303);
  });

  test("the same limit for many addresses of one network or one IPv6 customer", async () => {
    let address = "";
    host = await hostOf(signIn, { addressOf: () => address, rateLimit: rateLimitInMemory(() => 0) });
    const tries = async (addresses: string[]) => {
      let count = 0;
      for (address of addresses) if ((await post("wrong")).status === 401) count++;
      return count;
    };
    expect(await tries(Array.from({ length: 30 }, (_, n) => `203.0.113.${n}`))).toBe(20);
    expect(await tries(Array.from({ length: 12 }, (_, n) => `2001:db8:0:1::${n}`))).toBe(10);
    expect(await tries(Array.from({ length: 30 }, (_, n) => `2001:db8:0:${n}::1`))).toBeLessThan(20);
    address = "198.51.100.7";
    expect((await post("open sesame")).status).toBe(303);
  });

  test.each([
    ...[
      "//evil.test",
      "/\\evil.test",
      "\\\\evil.test",
      "https://evil.test",
      "https:evil.test",
      "javascript:alert(1)",
      "evil.test",
      "",
    ],
    ...[
      "/%0d%0aset-cookie:x=1/../..//evil.test",
      "/..//evil.test",
      "/./\\evil.test",
      "/a\r\nx: y",
      "/\t/evil.test",
      "/_octavo/sign-in",
      "/_octavo/sign-out",
    ],
  ])("doesn't redirect to another site: %j", async (to) => {
    const { status, headers } = await post("open sesame", `/_octavo/sign-in?to=${encodeURIComponent(to)}`);
    expect(status).toBe(303);
    const location = headers.location!;
    expect(location).toMatch(/^\/(?![/\\])/);
    expect(new URL(location, "http://docs.acme.test").host).toBe(site);
    expect(location).not.toMatch(/sign-/);
  });

  test("a session is invalid after a change of password, project or secret", async () => {
    const cookie = cookieOf(await post("open sesame"));
    expect(await statusWith(host, cookie)).toBe(200);
    host.directory.change(site, {
      signIn: { mode: "password", passwordHash: await hashPassword("open sesame") },
    });
    expect(await statusWith(host, cookie)).toBe(302);
    host.directory.change(site, { signIn, projectId: "another" });
    expect(await statusWith(host, cookie)).toBe(302);
    expect(await statusWith(await hostOf(signIn, { secret: Buffer.alloc(32, 8) }), cookie)).toBe(302);
  });

  test("a modified or expired session is invalid", async () => {
    const [cookie = ""] = cookieOf(await post("open sesame")).split("; ");
    const [name, value = ""] = cookie.split("=");
    const [text = "", signature = ""] = value.split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(text, "base64url").toString()), groups: ["staff"] }),
    ).toString("base64url");
    const ownKey = createHmac("sha256", Buffer.alloc(32, 7)).update(forged).digest("base64url");
    for (const changed of [
      `${forged}.${signature}`,
      `${forged}.${ownKey}`,
      `${forged}.`,
      forged,
      `${text}.${signature}x.`,
      `${text}.${signature.slice(1)}`,
      "",
      ".",
    ])
      expect(await statusWith(host, `${name}=${changed}`, "/staff"), changed).toBe(302);
    const now = Date.now;
    try {
      Date.now = () => now() + 12 * 60 * 60 * 1_000 + 1_000;
      expect(await statusWith(host, cookie)).toBe(302);
    } finally {
      Date.now = now;
    }
    expect(await statusWith(host, cookie)).toBe(200);
  });

  test("a deployment from before sign-in was enabled is for signed-in readers; a later one is not readable once sign-in is disabled", async () => {
    host = await new TestHost().listen();
    hosts.push(host);
    await host.directory.publish(site, files);
    expect(await statusWith(host, "")).toBe(200);
    host.directory.change(site, { signIn });
    for (const target of [
      "/",
      "/index.md",
      "/llms.txt",
      "/sitemap.xml",
      "/_octavo/pages.js",
      "/_octavo/redirects.json",
      "/nothing",
    ])
      expect([target, await statusWith(host, "", target)]).toEqual([target, 302]);
    const shown = await host.ask(site, "/_octavo/sign-in", browser);
    expect([shown.status, shown.text.includes('type="password"')]).toEqual([200, true]);
    expect(await statusWith(host, cookieOf(await post("open sesame")))).toBe(200);
    await host.directory.publish(site, files, { signIn });
    const { signIn: _, ...open } = host.directory.sites.get(site)!;
    host.directory.sites.set(site, open);
    expect(await statusWith(host, "")).toBe(404);
  });

  test("a form on another site can't sign readers in or out", async () => {
    for (const headers of [
      { origin: "https://evil.test" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "null" },
    ] as Record<string, string>[]) {
      const got = await post("open sesame", "/_octavo/sign-in", headers);
      expect([headers, got.status, got.cookies]).toEqual([headers, 403, []]);
    }
    // Links on other sites only show a button, also in browsers that don't send `Sec-Fetch-Site`.
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      {},
    ] as Record<string, string>[]) {
      const { status, cookies, text } = await host.ask(site, "/_octavo/sign-out", headers);
      expect([status, cookies, text.includes('<button type="submit">Sign out</button>')]).toEqual([
        403,
        [],
        true,
      ]);
    }
    expect((await host.ask(site, "/_octavo/sign-out", { origin: "https://evil.test" }, "POST")).status).toBe(
      403,
    );
    expect(
      (
        await post("open sesame", "/_octavo/sign-in", {
          origin: `http://${site}`,
          "sec-fetch-site": "same-origin",
        })
      ).status,
    ).toBe(303);
  });

  test("signing out ends the session in this browser", async () => {
    const { status, cookies, headers } = await host.ask(site, "/_octavo/sign-out", browser, "POST");
    expect([status, headers.location, headers["clear-site-data"]]).toEqual([303, "/", '"storage"']);
    for (const from of ["same-origin", "none"])
      expect((await host.ask(site, "/_octavo/sign-out", { ...browser, "sec-fetch-site": from })).status).toBe(
        303,
      );
    expect(cookies).toEqual([
      "octavo_reader=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
      "octavo_reader_session=; Path=/; SameSite=Lax; Max-Age=0",
    ]);
  });

  test("bodies that are too long and other methods are refused", async () => {
    expect(
      (await host.ask(site, "/_octavo/sign-in", form, "POST", `password=${"x".repeat(40_000)}`)).status,
    ).toBe(413);
    const put = await host.ask(site, "/_octavo/sign-in", form, "PUT");
    expect([put.status, put.headers.allow]).toEqual([405, "GET, HEAD, POST"]);
    for (const other of ["/_octavo/sign-in/jwt", "/_octavo/sign-in/oidc", "/_octavo/sign-in/x"])
      expect((await host.ask(site, other, { accept: "*/*" })).status).toBe(401);
  });
});

describe("a token from the customer's login page", () => {
  const keys = {
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    EdDSA: generateKeyPairSync("ed25519"),
    RS256: generateKeyPairSync("rsa", { modulusLength: 2_048 }),
  };
  const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
  const settings = (alg: keyof typeof keys = "ES256"): SignIn => ({
    mode: "jwt",
    loginUrl: "https://login.acme.test/docs?tenant=1",
    publicKey: pem(keys[alg].publicKey),
  });
  let host: TestHost;
  beforeEach(async () => {
    host = await hostOf(settings());
  });

  let count = 0;
  interface Claims {
    alg?: string;
    key?: KeyObject | Uint8Array;
    audience?: string | string[];
    lifetime_s?: number | null;
    issuedAgo_s?: number;
    more?: Record<string, unknown>;
  }
  const token = ({
    alg = "ES256",
    key = keys.ES256.privateKey,
    audience = site,
    lifetime_s = 60,
    issuedAgo_s = 0,
    more = {},
  }: Claims = {}) => {
    const now = Math.floor(Date.now() / 1_000) - issuedAgo_s;
    const made = new SignJWT({ groups: ["staff"], jti: `id-${++count}`, ...more })
      .setProtectedHeader({ alg })
      .setAudience(audience)
      .setIssuedAt(now);
    return (lifetime_s === null ? made : made.setExpirationTime(now + lifetime_s)).sign(key);
  };
  /** Starts signing in. Returns the redirect to the customer's login page without following it. */
  const leave = async (to = "/staff") => {
    const left = await host.ask(site, `/_octavo/sign-in?to=${encodeURIComponent(to)}`, browser);
    expect(left.status).toBe(302);
    const url = new URL(left.headers.location!);
    return { url, state: url.searchParams.get("state")!, cookie: cookieOf(left) };
  };
  const arrive = (text: string, state: string | undefined, cookie: string) =>
    host.ask(site, `/_octavo/sign-in/jwt?token=${text}${state === undefined ? "" : `&state=${state}`}`, {
      ...browser,
      ...(cookie ? { cookie } : {}),
    });

  test("there and back", async () => {
    const { url, state, cookie } = await leave("/staff?x=1");
    expect(url.origin + url.pathname).toBe("https://login.acme.test/docs");
    expect([url.searchParams.get("tenant"), url.searchParams.get("redirect_uri")]).toEqual([
      "1",
      `http://${site}/_octavo/sign-in/jwt`,
    ]);
    const entered = await arrive(await token(), state, cookie);
    expect([entered.status, entered.headers.location]).toEqual([303, "/staff?x=1"]);
    expect(await statusWith(host, cookieOf(entered), "/staff")).toBe(200);
  });

  test("values for the playground are in a cookie for scripts, and nowhere else", async () => {
    const enter = async (apiPlaygroundInputs: unknown) => {
      const { state, cookie } = await leave();
      const entered = await arrive(await token({ more: { apiPlaygroundInputs } }), state, cookie);
      const line = entered.cookies.find((one) => one.startsWith("octavo_reader_data="))!;
      const [value, ...attributes] = line.slice(line.indexOf("=") + 1).split("; ");
      const text = Buffer.from(value!, "base64url").toString();
      return { entered, attributes, data: text && JSON.parse(text) };
    };
    const data = {
      server: { region: "eu" },
      header: { "X-Key": "canary-1" },
      query: { limit: 5, all: true },
    };
    const { entered, ...found } = await enter({ ...data, body: { a: 1 }, path: { list: [1] }, cookie: "x" });
    expect(found).toEqual({ data, attributes: ["Path=/", "SameSite=Lax", "Max-Age=43200"] });

    const cookie = cookieOf(entered);
    const pages = await Promise.all(
      ["/staff", "/staff.md", "/llms-full.txt", "/_octavo/sign-in"].map((at) =>
        host.ask(site, at, { ...browser, cookie }),
      ),
    );
    for (const page of pages)
      expect(JSON.stringify([page.text, page.headers])).not.toMatch(/canary-1|Y2FuYXJ5/);

    for (const nothing of [undefined, null, 1, "x", [], { header: { a: "x".repeat(2_500) } }]) {
      const { data: none, attributes } = await enter(nothing);
      expect([none, attributes.at(-1)]).toEqual(["", "Max-Age=0"]);
    }
    expect(
      Object.keys((await enter({ header: { a: "x".repeat(1_500), b: "y".repeat(1_500) } })).data.header),
    ).toEqual(["a"]);

    const left = await host.ask(site, "/_octavo/sign-out", { ...browser, cookie }, "POST");
    expect(left.cookies).toContain("octavo_reader_data=; Path=/; SameSite=Lax; Max-Age=0");
  });

  test("values for pages are in the same cookie, without what could run or doesn't fit", async () => {
    const dataOf = async (more: Record<string, unknown>) => {
      const { state, cookie } = await leave();
      const { cookies } = await arrive(await token({ more }), state, cookie);
      const line = cookies.find((one) => one.startsWith("octavo_reader_data="))!;
      const text = Buffer.from(
        line.slice("octavo_reader_data=".length).split(";")[0]!,
        "base64url",
      ).toString();
      return text && JSON.parse(text);
    };
    const content = { firstName: "Ada", org: { plan: "pro", seats: 5 }, teams: ["a", ["b"]], isNew: false };
    expect(await dataOf({ content })).toEqual({ user: content });

    const urls = {
      a: "javascript:alert(1)",
      b: " JaVa\nScript:alert(1)",
      c: "data:text/html,x",
      d: "https://a.test",
    };
    expect(await dataOf({ content: { ...urls, list: ["vbscript:x"] } })).toEqual({
      user: { d: "https://a.test", list: [] },
    });

    const deep = { a: { b: { c: { d: { e: 1 } } } }, long: "x".repeat(2_000), nothing: null };
    expect(await dataOf({ content: deep })).toEqual({ user: { a: { b: { c: {} } } } });
    const header = { "X-Key": "y".repeat(1_900) };
    expect(await dataOf({ apiPlaygroundInputs: { header }, content: { a: "z".repeat(100), b: 1 } })).toEqual({
      header,
    });
    for (const nothing of [null, 1, "x", [{ a: 1 }], {}]) expect(await dataOf({ content: nothing })).toBe("");
  });

  test.each(["ES256", "EdDSA", "RS256"] as const)("signed with %s, as PEM and as JWK", async (alg) => {
    for (const publicKey of [
      pem(keys[alg].publicKey),
      JSON.stringify(keys[alg].publicKey.export({ format: "jwk" })),
    ]) {
      host = await hostOf({ ...(settings(alg) as Extract<SignIn, { mode: "jwt" }>), publicKey });
      const { state, cookie } = await leave();
      expect(
        (await arrive(await token({ alg, key: keys[alg].privateKey, more: { state } }), undefined, cookie))
          .status,
      ).toBe(303);
    }
  });

  test("a token in the fragment is submitted by our page", async () => {
    const { state, cookie } = await leave();
    const page = await host.ask(site, "/_octavo/sign-in/jwt", { ...browser, cookie });
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; img-src data:; script-src 'self'; form-action 'self'",
    );
    const [, script] = /<script src="([^"]+)">/.exec(page.text)!;
    expect((await host.ask(site, script!, browser)).headers["content-type"]).toContain("javascript");
    const body = new URLSearchParams({ token: await token(), state }).toString();
    const entered = await host.ask(
      site,
      "/_octavo/sign-in/jwt",
      { ...form, cookie, origin: `http://${site}` },
      "POST",
      body,
    );
    expect(entered.status).toBe(303);
    const foreign = await host.ask(
      site,
      "/_octavo/sign-in/jwt",
      { ...form, cookie, origin: "https://evil.test" },
      "POST",
      body,
    );
    expect(foreign.status).toBe(403);
  });

  test("an outage of the database isn't reported as a failed sign-in, and the token stays valid", async () => {
    let isDown = true;
    const once = rateLimitInMemory(Date.now);
    host = await hostOf(settings(), {
      rateLimit: (kind, key) => (isDown ? Promise.reject(new Error("down")) : once(kind, key)),
    });
    const { state, cookie } = await leave();
    const text = await token();
    expect((await arrive(text, state, cookie)).status).toBe(503);
    isDown = false;
    expect((await arrive(text, state, cookie)).status).toBe(303);
  });

  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const none = (payload: object) =>
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.`;
  test.each<[string, () => Promise<string> | string]>([
    ["another key", () => token({ key: stranger.privateKey })],
    ["another algorithm of another key", () => token({ alg: "EdDSA", key: keys.EdDSA.privateKey })],
    [
      "the public key as a shared secret",
      () => token({ alg: "HS256", key: Buffer.from(pem(keys.ES256.publicKey)) }),
    ],
    ["no signature", () => none({ aud: site, exp: Date.now() / 1_000 + 60, groups: ["staff"] })],
    ["the audience of another site", () => token({ audience: "docs.rival.test" })],
    ["a part of the host name", () => token({ audience: "acme.test" })],
    ["no audience", () => token({ audience: [] })],
    ["no expiry", () => token({ lifetime_s: null })],
    ["at its end", () => token({ lifetime_s: 60, issuedAgo_s: 90 })],
    ["a lifetime that is too long", () => token({ lifetime_s: 3_600 })],
    ["not yet", () => token({ more: { nbf: Math.floor(Date.now() / 1_000) + 300 } })],
    ["another state", () => token({ more: { state: "other" } })],
    ["nothing", () => ""],
    ["no token", () => "a.b.c"],
  ])("refused: %s", async (_, make) => {
    const { state, cookie } = await leave();
    const got = await arrive(await make(), state, cookie);
    expect([got.status, cookieOf(got)]).toEqual([401, ""]);
    expect(got.text).toMatch(/id="o-sign-in-failed" role="alert"|id="o-sign-in-failed"/);
  });

  test("a token is accepted once", async () => {
    const { state, cookie } = await leave();
    const text = await token({ more: { jti: undefined } });
    expect((await arrive(text, state, cookie)).status).toBe(303);
    expect((await arrive(text, state, cookie)).status).toBe(401);
    // The unused bits of the last character allow several spellings of the same signature.
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = letters.indexOf(text.at(-1)!);
    for (const other of [...letters].filter((_, value) => value >> 4 === last >> 4))
      expect((await arrive(text.slice(0, -1) + other, state, cookie)).status).toBe(401);
    // A different token with the same id is also refused.
    for (const jti of ["the same", 7, { id: 7 }]) {
      expect([jti, (await arrive(await token({ more: { jti } }), state, cookie)).status]).toEqual([jti, 303]);
      expect([jti, (await arrive(await token({ more: { jti } }), state, cookie)).status]).toEqual([jti, 401]);
    }
  });

  test("a link with another user's token doesn't sign in", async () => {
    const mine = await leave();
    const theirs = await leave();
    expect((await arrive(await token(), theirs.state, "")).status).toBe(400);
    expect((await arrive(await token(), theirs.state, mine.cookie)).status).toBe(401);
    expect((await arrive(await token(), undefined, mine.cookie)).status).toBe(401);
    expect((await arrive(await token(), mine.state, mine.cookie.replace(/.{5}$/, "xxxxx"))).status).toBe(400);
  });

  test("groups must be strings, and are limited by the size of the cookie", async () => {
    for (const groups of [undefined, "staff", { staff: true }, [["staff"]], [{ name: "staff" }], 7]) {
      const { state, cookie } = await leave();
      const entered = await arrive(await token({ more: { groups } }), state, cookie);
      expect([groups, entered.status, await statusWith(host, cookieOf(entered), "/staff")]).toEqual([
        groups,
        303,
        404,
      ]);
    }
    const { state, cookie } = await leave();
    const many = await arrive(
      await token({ more: { groups: ["staff", ...Array.from({ length: 500 }, (_, i) => `group-${i}`)] } }),
      state,
      cookie,
    );
    expect(cookieOf(many).length).toBeLessThan(4_096);
    expect(await statusWith(host, cookieOf(many), "/staff")).toBe(200);
  });
});

describe("an OpenID provider", () => {
  const provider = new OpenIdProvider();
  let host: TestHost;
  let signIn: SignIn;
  beforeAll(async () => {
    await provider.listen();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.claims = { groups: ["staff"] };
    provider.fault = {};
    const { issuer, clientId, clientSecret } = provider;
    signIn = { mode: "oidc", issuer, clientId, clientSecret, scopes: ["profile"] };
    host = await hostOf(signIn, { allowPrivate: true });
  });

  /** Starts signing in and authenticates at the provider. Returns the URL that the provider redirects to. */
  const leave = async (to = "/staff") => {
    const left = await host.ask(site, `/_octavo/sign-in?to=${encodeURIComponent(to)}`, browser);
    expect(left.status).toBe(302);
    const url = new URL(left.headers.location!);
    const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location")!);
    return { url, back, cookie: cookieOf(left) };
  };
  const arrive = (back: URL, cookie: string) =>
    host.ask(site, back.pathname + back.search, { ...browser, ...(cookie ? { cookie } : {}) });

  test("there and back, with PKCE, state and nonce", async () => {
    const { url, back, cookie } = await leave("/staff?x=1");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "docs",
      scope: "openid profile",
      code_challenge_method: "S256",
      redirect_uri: `http://${site}/_octavo/sign-in/oidc`,
    });
    expect(url.searchParams.get("nonce")!.length).toBeGreaterThan(20);
    const entered = await arrive(back, cookie);
    expect([entered.status, entered.headers.location]).toEqual([303, "/staff?x=1"]);
    expect(await statusWith(host, cookieOf(entered), "/staff")).toBe(200);
  });

  test("groups come from the configured claim", async () => {
    provider.claims = { roles: ["staff"] };
    host.directory.change(site, {
      signIn: { ...(signIn as Extract<SignIn, { mode: "oidc" }>), groupsClaim: "roles" },
    });
    const { back, cookie } = await leave();
    expect(await statusWith(host, cookieOf(await arrive(back, cookie)), "/staff")).toBe(200);
  });

  test.each<[string, () => void, (back: URL) => void]>([
    ["another state", () => {}, (back) => back.searchParams.set("state", "other")],
    ["another code", () => {}, (back) => back.searchParams.set("code", "other")],
    ["no code", () => {}, (back) => back.searchParams.delete("code")],
    ["an error", () => {}, (back) => back.searchParams.set("error", "access_denied")],
    ["another nonce", () => (provider.fault = { nonce: "other" }), () => {}],
    ["another issuer", () => (provider.fault = { issuer: "https://evil.test" }), () => {}],
    ["a token for another audience", () => (provider.fault = { audience: "other" }), () => {}],
    ["a token that has expired", () => (provider.fault = { lifetime: "-5m" }), () => {}],
    ["an unsigned token", () => (provider.fault = { token: "unsigned" }), () => {}],
    [
      "a token with a signature of another key",
      () => (provider.fault = { token: "signed by a stranger" }),
      () => {},
    ],
    ["a response of another provider", () => {}, (back) => back.searchParams.set("iss", "https://evil.test")],
    ["two codes", () => {}, (back) => back.searchParams.append("code", "other")],
  ])("refused: %s", async (_, spoil, change) => {
    const { back, cookie } = await leave();
    spoil();
    change(back);
    const got = await arrive(back, cookie);
    expect([got.status, cookieOf(got)]).toEqual([401, ""]);
  });

  test("a link with another user's code doesn't sign in, and a code works once", async () => {
    const mine = await leave();
    const theirs = await leave();
    expect((await arrive(theirs.back, "")).status).toBe(400);
    expect((await arrive(theirs.back, mine.cookie)).status).toBe(401);
    expect((await arrive(mine.back, mine.cookie)).status).toBe(303);
    expect((await arrive(mine.back, mine.cookie)).status).toBe(401);
  });

  test("an intercepted code is invalid with the state and verifier of another sign-in", async () => {
    const mine = await leave();
    const theirs = await leave();
    const mixed = new URL(mine.back);
    mixed.searchParams.set("code", theirs.back.searchParams.get("code")!);
    expect((await arrive(mixed, mine.cookie)).status).toBe(401);
    // The cookie of a pending sign-in is bound to one site.
    const other = await hostOf(signIn, {
      allowPrivate: true,
      secret: Buffer.from("another secret of another service"),
    });
    const page = await other.ask(site, mine.back.pathname + mine.back.search, {
      ...browser,
      cookie: mine.cookie,
    });
    expect(page.status).toBe(400);
  });

  test("a provider at a private address or without https is refused", async () => {
    host = await hostOf(signIn);
    const before = provider.asked.length;
    expect((await host.ask(site, "/_octavo/sign-in", browser)).status).toBe(503);
    expect(provider.asked.length).toBe(before);
  });
});
