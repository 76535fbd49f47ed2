/** Values that a customer's login page sends for the playground and for pages, in a browser. */

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { type Recorder, startRecorder } from "../../../test/browser/playground-fixture.ts";
import { siteOf } from "../../../test/engine/build.ts";
import { useHost } from "../../../test/host/host.ts";
import { listen } from "../../../test/shared/listen.ts";

const { open } = useChromium();
const host = useHost({ allowPrivate: true });
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** What the login page says about its readers. */
const apiPlaygroundInputs = {
  server: { region: "eu", other: "x" },
  header: { "x-key": "canary-key", Authorization: "Bearer canary-token", "X-Tenant": "acme" },
  query: { limit: "5", after: "12345678901234567890", Color: "canary-case", unknown: "canary-unknown" },
};

const content = {
  firstName: "<img src=x onerror=document.title='canary-code'>Ada",
  empty: "",
  org: { plan: "pro" },
  id: "a/../b?c",
};
const pages = {
  "user.mdx": `export const Plan = () => <p id="own">{user.org?.plan === "pro" ? "Pro plan" : "Free plan"}</p>;

<p id="text">Hello {user.firstName ?? "there"} of {user.org.plan}, {user.empty ?? "empty"}, {user.missing || "missing"}</p>

<Plan />

<a id="link" href={"/plans?user=" + encodeURIComponent(user.id ?? "none")}>Plans</a>
`,
  "plain.mdx": "Text.",
};

const login = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url!, "http://login");
  const back = new URL(searchParams.get("redirect_uri")!);
  const token = await new SignJWT({ state: searchParams.get("state"), apiPlaygroundInputs, content })
    .setProtectedHeader({ alg: "ES256" })
    .setAudience(back.host)
    .setExpirationTime("1m")
    .sign(privateKey);
  response.writeHead(302, { location: `${back}#token=${token}` }).end();
});
let api: Recorder;

const parameter = (place: string, name: string, type: string) => ({ name, in: place, schema: { type } });
const operation = (security: object[]) => ({
  security,
  parameters: [
    parameter("query", "limit", "integer"),
    parameter("query", "after", "integer"),
    parameter("query", "color", "string"),
    parameter("header", "X-Tenant", "string"),
  ],
  responses: { 200: { description: "Fine" } },
});

beforeAll(async () => {
  api = await startRecorder();
  const loginUrl = await listen(login);
  const document = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: `${api.url}/{region}`, variables: { region: { default: "us", enum: ["us", "eu"] } } }],
    paths: {
      "/key": { get: { summary: "With a key", ...operation([{ key: [] }]) } },
      "/token": { get: { summary: "With a token", ...operation([{ token: [] }]) } },
      "/open": { get: { summary: "Without", responses: { 200: { description: "Fine" } } } },
    },
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
  const sources = siteOf(
    { "index.mdx": "Text.", ...pages, "api.json": JSON.stringify(document) },
    { navigation: { pages: ["index", "user", "plain", { group: "API", openapi: "api.json" }] } },
  );
  await host.directory.publish("readers.localhost", sources, {
    signIn: {
      mode: "jwt",
      loginUrl: `${loginUrl}/`,
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    },
  });
  const open = siteOf(
    { "index.mdx": "Text.", ...pages },
    { navigation: { pages: ["index", "user", "plain"] } },
  );
  await host.directory.publish("open.localhost", open);
  await host.listen();
});
afterAll(async () => {
  login.close();
  await api.close();
});

test.each([
  [
    "with-a-key",
    "/eu/key?limit=5&after=12345678901234567890",
    { "x-key": "canary-key", "x-tenant": "acme", authorization: undefined },
  ],
  [
    "with-a-token",
    "/eu/token?limit=5&after=12345678901234567890",
    { authorization: "Bearer canary-token", "x-key": undefined },
  ],
  ["without", "/eu/open", { authorization: undefined, "x-key": undefined, "x-tenant": undefined }],
])("%s: the request has the reader's values that the operation names", async (name, target, headers) => {
  await open(`http://readers.localhost:${host.port}/api-reference/${name}`, async (page) => {
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".o-pg[open]").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".o-pg-response .o-pg-status").getByText("200").waitFor();
    const sent = api.requests.at(-1)!;
    expect(sent.url).toBe(target);
    for (const [header, value] of Object.entries(headers)) expect(sent.headers[header]).toBe(value);
    expect(JSON.stringify(sent)).not.toMatch(/canary-(?:unknown|case)/);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("canary");
  });
});

describe("the variable `user`", () => {
  test("shows the reader's values as text, and missing and empty ones as written", async () => {
    await open(`http://readers.localhost:${host.port}/user`, async (page) => {
      await expect.poll(() => page.locator("#own").innerText()).toBe("Pro plan");
      expect(await page.locator("#text").innerText()).toBe(
        `Hello ${content.firstName} of pro, empty, missing`,
      );
      expect(await page.locator("#text img").count()).toBe(0);
      expect(await page.title()).not.toContain("canary");
      expect(await page.locator("#link").getAttribute("href")).toBe("/plans?user=a%2F..%2Fb%3Fc");
    });
  });

  test("is empty for readers who aren't signed in", async () => {
    await open(`http://open.localhost:${host.port}/user`, async (page) => {
      expect(await page.locator("#text").innerText()).toBe("Hello there of , empty, missing");
      await expect.poll(() => page.locator("#own").innerText()).toBe("Free plan");
      expect(await page.locator("#link").getAttribute("href")).toBe("/plans?user=none");
    });
  });

  test("other pages don't load its script", async () => {
    for (const [name, count] of [
      ["user", 1],
      ["plain", 0],
    ] as const)
      await open(`http://open.localhost:${host.port}/${name}`, async (page) => {
        expect(await page.locator('script[src*="reader-text"]').count()).toBe(count);
      });
  });
});
