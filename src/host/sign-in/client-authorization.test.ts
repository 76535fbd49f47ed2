/** Requests to the authorization server for programs that readers connect, valid and hostile ones. */

import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { siteOf } from "../../../test/engine/build.ts";
import { browser, type Reply, useHost } from "../../../test/host/host.ts";
import { hashPassword } from "../../base/password.ts";

const site = "docs.acme.test";
const files = siteOf({ "index.mdx": "---\ntitle: Home\n---\n\nText." });
const callback = "https://app.example/callback";
const form = { "content-type": "application/x-www-form-urlencoded" };

// What the endpoint sees of a call to the MCP server is the groups of its reader.
const host = useHost({
  endpoints: new Map([
    [
      "/mcp",
      async ({ response, reader }) =>
        void response.writeHead(200).end(JSON.stringify(reader?.groups ?? null)),
    ],
  ]),
});

let cookie: string;
beforeAll(async () => {
  await host.listen();
  const passwordHash = await hashPassword("open sesame");
  for (const name of [site, "docs.other.test"])
    await host.directory.publish(name, files, {
      signIn: { mode: "password", passwordHash, groups: ["canary-group"] },
    });
  cookie = await signIn(site);
});

async function signIn(name: string): Promise<string> {
  const { cookies } = await host.ask(name, "/_octavo/sign-in", form, "POST", "password=open+sesame");
  return cookies
    .map((line) => line.split(";")[0]!)
    .filter((line) => !line.endsWith("="))
    .join("; ");
}

async function register(metadata: object = {}, name = site): Promise<Reply> {
  const body = JSON.stringify({ client_name: "Test app", redirect_uris: [callback], ...metadata });
  return host.ask(name, "/_octavo/authorize/register", { "content-type": "application/json" }, "POST", body);
}

const newClient = async (metadata: object = {}, name = site): Promise<string> =>
  JSON.parse((await register(metadata, name)).text).client_id;

const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

async function requestPath(changes: Record<string, string | undefined> = {}): Promise<string> {
  const parameters: Record<string, string | undefined> = {
    response_type: "code",
    client_id: changes.client_id ?? (await newClient()),
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "x&y=1",
    ...changes,
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `/_octavo/authorize?${new URLSearchParams(given)}`;
}

const open = (path: string, headers: Record<string, string> = {}) =>
  host.ask(site, path, { ...browser, cookie, ...headers });
const allow = (path: string, headers: Record<string, string> = {}) =>
  host.ask(site, path, { ...browser, ...form, cookie, origin: `http://${site}`, ...headers }, "POST", "a=b");

async function codeOf(client: string): Promise<string> {
  const { headers, status } = await allow(await requestPath({ client_id: client }));
  expect(status).toBe(303);
  return new URL(headers.location!).searchParams.get("code")!;
}

async function exchange(changes: Record<string, string>, name = site): Promise<Reply> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    redirect_uri: callback,
    code_verifier: verifier,
    ...changes,
  });
  return host.ask(name, "/_octavo/authorize/token", form, "POST", body.toString());
}

const callMcp = (token: string, name = site) =>
  host.ask(name, "/mcp", { authorization: `Bearer ${token}` }, "POST");

async function newToken(): Promise<string> {
  const client = await newClient();
  const { text, status } = await exchange({ client_id: client, code: await codeOf(client) });
  expect(status).toBe(200);
  return JSON.parse(text).access_token;
}

test("the metadata leads from the MCP server to the authorization server", async () => {
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])
    expect(JSON.parse((await host.ask(site, path)).text)).toEqual({
      resource: `http://${site}/mcp`,
      authorization_servers: [`http://${site}`],
      bearer_methods_supported: ["header"],
    });
  const { text } = await host.ask(site, "/.well-known/oauth-authorization-server");
  expect(JSON.parse(text)).toMatchObject({
    issuer: `http://${site}`,
    authorization_endpoint: `http://${site}/_octavo/authorize`,
    code_challenge_methods_supported: ["S256"],
  });
});

test("a token contains the reader's groups, and doesn't show them", async () => {
  const token = await newToken();
  expect(JSON.parse((await callMcp(token)).text)).toEqual(["canary-group"]);
  for (const part of token.split("."))
    expect(Buffer.from(part, "base64url").toString("latin1")).not.toContain("canary");
});

test("an author's own file replaces the metadata", async () => {
  const own = { ...files, ".well-known/oauth-protected-resource": "Text." };
  await host.directory.publish("docs.own.test", own, {
    signIn: { mode: "password", passwordHash: await hashPassword("x") },
  });
  const { text } = await host.ask("docs.own.test", "/.well-known/oauth-protected-resource");
  expect(text).not.toContain("authorization_servers");
});

describe("the reader is asked", () => {
  test("after signing in, and is sent back to the request", async () => {
    const path = await requestPath();
    const { status, headers } = await open(path, { cookie: "" });
    expect(status).toBe(302);
    expect(headers.location).toBe(`/_octavo/sign-in?to=${encodeURIComponent(path)}`);
    const signedIn = await host.ask(site, headers.location!, form, "POST", "password=open+sesame");
    expect(signedIn.headers.location).toBe(path);
  });

  test("with the names of the app and of the host that it's sent to", async () => {
    const { text, headers } = await open(await requestPath());
    expect(text).toContain("Connect Test app?");
    expect(text).toContain("you return to app.example");
    expect(headers["content-security-policy"]).toMatch(
      /form-action 'self' https:\/\/app\.example;.*frame-ancestors 'none'/,
    );
    expect(headers["cache-control"]).toBe("no-store");
  });

  test.each([
    ["http://127.0.0.1:5000/", "an app on this computer"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "the app that opens cursor: links"],
  ])("before it returns to %s: %s", async (uri, place) => {
    const client = await newClient({ redirect_uris: [uri] });
    const { text } = await open(await requestPath({ client_id: client, redirect_uri: uri }));
    expect(text).toContain(`you return to ${place}.`);
  });

  test("Cancel tells the app", async () => {
    const { text } = await open(await requestPath());
    const cancel = new URL(/class="other" href="([^"]+)"/.exec(text)![1]!.replaceAll("&amp;", "&"));
    expect(Object.fromEntries(cancel.searchParams)).toEqual({
      error: "access_denied",
      iss: `http://${site}`,
      state: "x&y=1",
    });
  });

  test.each([
    ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
    ["Two\nlines\u202Eevil\u0000", "Two lines evil"],
    ["x".repeat(500), "x".repeat(60)],
    [" ", "https://app.example"],
    [["a"], "https://app.example"],
  ])("the app's name %j is shown as %j", async (name, shown) => {
    const { text } = await open(await requestPath({ client_id: await newClient({ client_name: name }) }));
    expect(text).toContain(`<h1>Connect ${shown}?</h1>`);
  });

  test("and pages of other sites can't answer", async () => {
    const path = await requestPath();
    expect((await allow(path, { origin: "https://evil.example" })).status).toBe(403);
    expect((await allow(path, { origin: "null" })).status).toBe(403);
    expect((await allow(path, { cookie: "" })).status).toBe(302);
  });
});

describe("requests that aren't sent back to the app", () => {
  test.each([
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["a made-up app", { client_id: "x" }],
    ["a long query", { state: "x".repeat(2_000) }],
  ])("%s", async (_, changes) => {
    const { status, headers, text } = await open(await requestPath(changes));
    expect([status, headers.location]).toEqual([400, undefined]);
    expect(text).toContain("The app can't be connected");
  });

  test("an app of another site", async () => {
    const path = await requestPath({ client_id: await newClient({}, "docs.other.test") });
    expect((await open(path)).status).toBe(400);
  });

  test("a parameter twice", async () => {
    expect((await open(`${await requestPath()}&redirect_uri=https://evil.example`)).status).toBe(400);
  });

  test("a token instead of an app", async () => {
    expect((await open(await requestPath({ client_id: await newToken() }))).status).toBe(400);
  });
});

test.each([
  ["unsupported_response_type", { response_type: "token" }],
  ["invalid_request", { code_challenge: undefined }],
  ["invalid_request", { code_challenge: "short" }],
  ["invalid_request", { code_challenge_method: "plain" }],
  ["invalid_target", { resource: "https://other.example/mcp" }],
])("the app gets the error %s", async (error, changes) => {
  const { status, headers } = await open(await requestPath(changes));
  const url = new URL(headers.location!);
  expect([status, url.origin, url.searchParams.get("error"), url.searchParams.get("state")]).toEqual([
    302,
    "https://app.example",
    error,
    "x&y=1",
  ]);
});

describe("a code is refused", () => {
  test.each([
    ["with another verifier", { code_verifier: "y".repeat(43) }, "invalid_grant"],
    ["with another redirect URI", { redirect_uri: "https://app.example/other" }, "invalid_grant"],
    ["for another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["with another grant type", { grant_type: "refresh_token" }, "unsupported_grant_type"],
    ["with an altered code", { code: "altered" }, "invalid_grant"],
    ["of another app", { client_id: "another" }, "invalid_client"],
  ])("%s, and works afterward", async (_, changes, error) => {
    const client = await newClient();
    const code = await codeOf(client);
    const other = "client_id" in changes ? { client_id: "x" } : {};
    const refused = await exchange({ client_id: client, code, ...changes, ...other });
    expect(JSON.parse(refused.text)).toEqual({ error });
    expect((await exchange({ client_id: client, code })).status).toBe(200);
  });

  test("the second time", async () => {
    const client = await newClient();
    const code = await codeOf(client);
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange({ client_id: client, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("from another app, and on another site", async () => {
    const client = await newClient();
    const code = await codeOf(client);
    expect(JSON.parse((await exchange({ client_id: await newClient(), code })).text).error).toBe(
      "invalid_grant",
    );
    const foreign = await newClient({}, "docs.other.test");
    expect((await exchange({ client_id: foreign, code }, "docs.other.test")).status).toBe(400);
  });
});

describe("a token is refused", () => {
  const isRefused = async (token: string, name = site) =>
    JSON.parse((await callMcp(token, name)).text) === null;

  test("on another site, and as a session", async () => {
    const token = await newToken();
    expect(await isRefused(token, "docs.other.test")).toBe(true);
    expect((await host.ask(site, "/", { ...browser, cookie: `octavo_reader=${token}` })).status).toBe(302);
    expect((await host.ask(site, "/index.md", { authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test.each(["", "x", "a.b.c.d.e", "undefined"])("if it is %j", async (token) => {
    expect(await isRefused(token)).toBe(true);
  });

  test("if it is a code, a client ID, or a session", async () => {
    const client = await newClient();
    expect(await isRefused(await codeOf(client))).toBe(true);
    expect(await isRefused(client)).toBe(true);
    expect(await isRefused(/octavo_reader=([^;]+)/.exec(cookie)![1]!)).toBe(true);
  });

  test("after the sign-in settings changed", async () => {
    const token = await newToken();
    expect(await isRefused(token)).toBe(false);
    const { signIn: before } = host.directory.sites.get(site)!;
    host.directory.change(site, { signIn: { mode: "password", passwordHash: "another", groups: [] } });
    expect(await isRefused(token)).toBe(true);
    host.directory.change(site, { signIn: before! });
    expect(await isRefused(token)).toBe(false);
  });
});

test.each([
  ["no redirect URI", { redirect_uris: [] }],
  ["not a list", { redirect_uris: callback }],
  ["a script", { redirect_uris: [callback, "javascript:alert(1)"] }],
  ["too many characters", { redirect_uris: Array.from({ length: 30 }, () => callback) }],
])("registration is refused with %s", async (_, metadata) => {
  const { status, text } = await register(metadata);
  expect([status, JSON.parse(text).error]).toEqual([400, "invalid_redirect_uri"]);
});

test("bodies that aren't JSON, or are large, are refused", async () => {
  for (const body of [
    "",
    "{",
    "null",
    "[]",
    JSON.stringify({ redirect_uris: [callback], x: "y".repeat(20_000) }),
  ]) {
    const { status } = await host.ask(site, "/_octavo/authorize/register", {}, "POST", body);
    expect(status).toBe(400);
  }
});

test.each([
  "/_octavo/authorize/register",
  "/_octavo/authorize/token",
  "/.well-known/oauth-protected-resource",
])("%s refuses other methods", async (path) => {
  expect((await host.ask(site, path, {}, "DELETE")).status).toBe(405);
});

test("previews and sites without sign-in have no authorization server", async () => {
  await host.directory.publish("open.acme.test", files);
  const { signIn: method } = host.directory.sites.get(site)!;
  await host.directory.publish("preview.acme.test", files, { signIn: method!, isPreview: true });
  for (const [name, status] of [
    ["open.acme.test", 404],
    ["preview.acme.test", 401],
  ] as const)
    for (const path of ["/.well-known/oauth-authorization-server", "/_octavo/authorize"])
      expect((await host.ask(name, path)).status).toBe(status);
});
