/** Readers connect an MCP client to a site with sign-in. The client is the official one. */

import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InvalidGrantError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { beforeAll, describe, expect, test } from "vitest";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { send } from "../../../test/service/service.ts";
import { newReader, newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { toThisMachine } from "../../../test/service/to-this-machine.ts";
import { until } from "../../../test/service/until.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const callback = "http://127.0.0.1:33418/callback";
const restricted = {
  "staff.mdx":
    "---\ntitle: Staff\ngroups: [staff]\n---\n\n## Gadget salaries\n\nGadgets have staff-canary salaries.\n",
  "board.mdx":
    "---\ntitle: Board\ngroups: [board]\n---\n\n## Gadget plans\n\nGadgets have board-canary plans.\n",
};
const closed = docs("Home words about gadgets.", restricted);
const partlyPublic = docs("Home words about gadgets.", {
  ...restricted,
  "open.mdx": "---\ntitle: Open\npublic: true\n---\n\n## Gadget basics\n\nGadgets are open things.\n",
});

/** A site whose readers sign in with a password, and are then in the group `staff`. */
async function siteWithSignIn(files: typeof closed): Promise<TestSite> {
  const site = await newSite(await sharedService(), files);
  await changeSignIn(site, "correct horse");
  await deploy(site.organization, files);
  await until(async () => (await get(site, `${site.origin}/staff`)).status === 302, 20_000);
  return site;
}

async function changeSignIn({ organization }: TestSite, password: string): Promise<void> {
  await organization.client(endpoints.changeProject, {
    params: { projectId: organization.projectId },
    body: { signIn: { mode: "password", password, groups: ["staff"] } },
  });
}

/** Sends what a browser would send for a page of the site, or for a form if there is a body. */
async function get({ port, origin }: TestSite, url: string, cookie = "", body?: string) {
  const { host, pathname, search } = new URL(url);
  return send({
    port,
    host,
    path: pathname + search,
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "text/html",
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** Signs in with the password, and returns where the reader is sent to, and the cookie. */
async function signIn(site: TestSite, url: string, password = "correct horse") {
  const { headers, status } = await get(site, url, "", new URLSearchParams({ password }).toString());
  expect(status).toBe(303);
  const set = [headers["set-cookie"] ?? []].flat().map((cookie) => cookie.split(";")[0]!);
  return { to: String(headers.location), cookie: set.filter((cookie) => !cookie.endsWith("=")).join("; ") };
}

/** An MCP client with what an app stores. */
function newApp(site: TestSite, path = "/mcp") {
  const stored: Record<string, unknown> = {};
  let authorizationUrl: URL | undefined;
  const store = (name: string) => (value: unknown) => void (stored[name] = value);
  const authProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: "Test app", redirect_uris: [callback] },
    clientInformation: () => stored.client,
    saveClientInformation: store("client"),
    tokens: () => stored.tokens,
    saveTokens: store("tokens"),
    codeVerifier: () => stored.verifier,
    saveCodeVerifier: store("verifier"),
    state: () => "a state",
    redirectToAuthorization: (url: URL) => void (authorizationUrl = url),
  };
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(path, site.origin), {
      authProvider: authProvider as never,
      fetch: toThisMachine,
    });
  const connect = async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(newTransport() as never);
    return client;
  };
  return {
    connect,
    stored,
    /** Connects until the app opens the browser, and returns the URL. */
    async start(): Promise<string> {
      await expect(connect()).rejects.toThrow(UnauthorizedError);
      return authorizationUrl!.href;
    },
    finish: (code: string) => newTransport().finishAuth(code),
  };
}

const callTool = async (client: Client, name: string, args: Record<string, unknown>) =>
  ((await client.callTool({ name, arguments: args })).content as { text: string }[])[0]!.text;

/** Signs in, allows access, and returns the code that the app receives. */
async function allow(site: TestSite, authorizationUrl: string): Promise<string> {
  const asked = await get(site, authorizationUrl);
  expect(asked.status).toBe(302);
  const { to, cookie } = await signIn(site, new URL(String(asked.headers.location), site.origin).href);
  const page = await get(site, new URL(to, site.origin).href, cookie);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Connect Test app?");
  const allowed = await get(site, new URL(to, site.origin).href, cookie, "");
  expect(allowed.status).toBe(303);
  const back = new URL(String(allowed.headers.location));
  expect(back.origin + back.pathname).toBe(callback);
  expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["a state", site.origin]);
  return back.searchParams.get("code")!;
}

describe("a site without public pages", () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await siteWithSignIn(closed);
  });

  test("a client signs its reader in, and reads what the reader may read", async () => {
    const app = newApp(site);
    const code = await allow(site, await app.start());
    await app.finish(code);
    expect(app.stored.tokens).toMatchObject({ token_type: "Bearer", expires_in: expect.any(Number) });
    const client = await app.connect();
    expect(await callTool(client, "search_docs", { query: "gadget salaries" })).toContain("staff-canary");
    expect(await callTool(client, "get_page", { path: "staff" })).toContain("staff-canary");
    expect(await callTool(client, "get_page", { path: "board" })).not.toContain("board-canary");
    expect(await callTool(client, "search_docs", { query: "gadget plans" })).not.toContain("board-canary");
    await client.close();

    // The token only opens the MCP server, and a code works once.
    const token = (app.stored.tokens as { access_token: string }).access_token;
    const page = await send({
      port: site.port,
      host: `${site.host}:${site.port}`,
      path: "/staff.md",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(page.status).toBe(401);
    await expect(app.finish(code)).rejects.toThrow(InvalidGrantError);
  });

  test("other sign-in settings disconnect clients, which then ask again", async () => {
    const own = await siteWithSignIn(closed);
    const app = newApp(own);
    await app.finish(await allow(own, await app.start()));
    await (await app.connect()).close();
    await changeSignIn(own, "another horse");
    await until(async () => {
      const client = await app.connect().catch((error: unknown) => error);
      if (client instanceof Client) await client.close();
      return client instanceof UnauthorizedError;
    }, 20_000);
  });

  test("a client of one site can't use another", async () => {
    const other = await siteWithSignIn(closed);
    const app = newApp(other);
    const url = new URL(await app.start());
    await app.finish(await allow(other, url.href));
    const token = (app.stored.tokens as { access_token: string }).access_token;
    const answer = await send({
      port: site.port,
      host: `${site.host}:${site.port}`,
      path: "/mcp",
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...newReader() },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(
      `Bearer resource_metadata="${site.origin}/.well-known/oauth-protected-resource", error="invalid_token"`,
    );
    url.port = String(site.port);
    url.hostname = site.host;
    const refused = await get(site, url.href);
    expect([refused.status, refused.headers.location]).toEqual([400, undefined]);
  });
});

describe("a site with public pages", () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await siteWithSignIn(partlyPublic);
  });

  test("a client without sign-in gets public pages only, whatever it asks", async () => {
    const client = await newApp(site).connect();
    expect(await callTool(client, "search_docs", { query: "gadget basics" })).toContain("open things");
    const words = [
      "gadget",
      "salaries",
      "plans",
      "staff",
      "board",
      "canary",
      "home",
      "staff-canary",
      "things",
      "a",
    ];
    const questions = words.flatMap((word) => words.map((other) => `${word} ${other}`));
    const answers = await Promise.all(
      questions.map((query) => callTool(client, "search_docs", { query, pageSize: 20 })),
    );
    expect(answers).toHaveLength(100);
    for (const answer of answers) expect(answer).not.toMatch(/(?:staff|board)-canary|Home words/);
    await client.close();
  });

  test("with ?sign-in in the URL, a client signs its reader in", async () => {
    const app = newApp(site, "/mcp?sign-in");
    await app.finish(await allow(site, await app.start()));
    const client = await app.connect();
    expect(await callTool(client, "get_page", { path: "staff" })).toContain("staff-canary");
    await client.close();
  });
});

test("a public site has no authorization server", async () => {
  const site = await newSite(await sharedService(), partlyPublic);
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"])
    expect((await send({ port: site.port, host: `${site.host}:${site.port}`, path })).status).toBe(404);
});
