/** The MCP server of a site, tested with the official client and with single requests. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../test/service/ask-assistant.ts";
import { send } from "../../../test/service/service.ts";
import { guide, newReader, newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { toThisMachine } from "../../../test/service/to-this-machine.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { unescapeHtml } from "../../base/html-text.ts";

const entries = ["mcp", "add-mcp", "cursor", "vscode", "windsurf", "devin-desktop", "devin-mcp"];
const { contextual, ...settings } = JSON.parse(guide["docs.json"]!) as Record<string, unknown>;
const files = {
  ...guide,
  "docs.json": JSON.stringify({ ...settings, contextual: { ...(contextual ?? {}), options: entries } }),
  "hidden.mdx": "---\nhidden: true\n---\n\nText.",
  "canary.mdx": "---\ngroups: [staff]\n---\n\nText.",
  "skills/widgets/SKILL.md": "---\nname: widgets\ndescription: Sorts widgets.\n---\n\nSort.\n",
  "skills/staff/SKILL.md": "---\nname: staff\ndescription: canary\ngroups: [staff]\n---\n",
};

let site: TestSite;
let client: Client;
beforeAll(async () => {
  site = await newSite(await sharedService(), files);
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${site.origin}/mcp`), { fetch: toThisMachine }) as never,
  );
});
afterAll(async () => {
  await client.close();
  await site.service.stop();
});

const callTool = async (name: string, args: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { text: (content as { text: string }[])[0]!.text, isError };
};

describe("with the official client", () => {
  test("initialize returns name and capabilities", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: site.host });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_docs", "get_page", "send_feedback"]);
    for (const { name, annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: name !== "send_feedback", destructiveHint: false });
    await client.ping();
  });

  const call = callTool;

  test("the tools find sections and read pages", async () => {
    const found = await call("search_docs", { query: "install acme" });
    expect(found.isError).toBe(false);
    expect(found.text).toContain(`URL: ${site.origin}/guides/install#with-one-command`);
    expect(found.text).toContain("Path: guides/install");
    expect(await call("get_page", { path: "guides/install" })).toMatchObject({
      isError: false,
      text: expect.stringContaining("npm install acme"),
    });
    expect(await call("get_page", { path: "nowhere" })).toEqual({
      isError: true,
      text: "Page not found. Use a path that search_docs returned.",
    });
    expect(await call("get_page", { path: "/../docs.json" })).toMatchObject({ isError: true });
  });

  test("invalid arguments are reported, an unknown tool is an error", async () => {
    expect(await call("search_docs", {})).toMatchObject({ isError: true });
    expect(await call("search_docs", { query: "x", pageSize: 1_000 })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "delete_page", arguments: {} })).rejects.toThrow(/Unknown tool/);
  });
});

describe("resources", () => {
  test("are the listed pages and the skills, and a template for pages", async () => {
    const { resources, nextCursor } = await client.listResources();
    expect(nextCursor).toBeUndefined();
    expect(resources.map(({ uri, name, mimeType }) => [uri, name, mimeType])).toEqual(
      [
        [".well-known/agent-skills/widgets", "skills/widgets"],
        ["index", "index"],
        ["guides/install", "guides/install"],
        ["guides/billing", "guides/billing"],
      ].map(([path, name]) => [
        `${site.origin}/${path}${path!.startsWith(".") ? "/SKILL" : ""}.md`,
        name,
        "text/markdown",
      ]),
    );
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: "text/markdown", text: expect.stringMatching(/\w/) }]);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]!.uriTemplate).toBe(`${site.origin}/{+path}.md`);
  });

  test.each([
    "/nowhere.md",
    "/docs.json",
    "/_octavo/redirects.json",
    "/../docs.json",
    "/.well-known/agent-skills/../../_octavo/proxy.json.md",
    "/canary.md",
  ])("%s isn't a resource", async (path) => {
    const read = client.readResource({ uri: `${site.origin}${path}` });
    await expect(read).rejects.toThrow(/Resource not found/);
  });

  test("URLs of other sites aren't resources, and cursors are checked", async () => {
    await expect(client.readResource({ uri: "https://example.com/index.md" })).rejects.toThrow(/not found/);
    for (const cursor of ["1", "-1", "x", "9".repeat(20)])
      await expect(client.listResources({ cursor })).rejects.toThrow(/Invalid cursor/);
  });
});

describe("feedback", () => {
  test("is stored as feedback from an agent", async () => {
    const args = { path: "guides/install", comment: "The command fails on Node 18." };
    expect(await callTool("send_feedback", args)).toMatchObject({ isError: false });
    const { organization } = site;
    const { json } = await organization.ask(`/v1/analytics/${organization.projectId}/feedback?source=agent`);
    expect(json.feedback).toMatchObject([
      { source: "agent", path: "/guides/install", comment: args.comment, status: "pending" },
    ]);
  });

  test.each([
    ["an unknown page", { path: "nowhere", comment: "Wrong." }],
    ["no comment", { path: "guides/install", comment: " " }],
    ["a long comment", { path: "guides/install", comment: "x".repeat(2_001) }],
  ])("%s is refused", async (_, args) => {
    expect(await callTool("send_feedback", args)).toMatchObject({ isError: true });
  });

  test("the rate limit is that of readers' feedback", async () => {
    const reader = newReader();
    const body = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "send_feedback", arguments: { path: "guides/install", comment: "Again." } },
    });
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++)
      statuses.push((await ask({ ...site, path: "/mcp", headers: reader, body: body(n) })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("the server card", () => {
  const get = (path: string, method = "GET") =>
    send({ port: site.port, path, method, host: `${site.host}:${site.port}` });

  test.each(["/mcp/server-card", "/.well-known/mcp/server-card.json", "/.well-known/mcp"])(
    "%s describes the server",
    async (path) => {
      const { status, headers, json } = await get(path);
      expect([status, headers["content-type"], headers["access-control-allow-origin"]]).toEqual([
        200,
        "application/mcp-server-card+json",
        "*",
      ]);
      expect(json).toMatchObject({
        name: expect.stringMatching(/^localhost\.[\w-]+\/docs$/),
        version: client.getServerVersion()!.version,
        title: client.getServerVersion()!.title,
        remotes: [{ type: "streamable-http", url: `${site.origin}/mcp` }],
      });
      expect((await get(path, "POST")).status).toBe(405);
    },
  );
});

test("clients connect with the URL of each entry of the page menu", async () => {
  const { body } = await send({ port: site.port, path: "/", host: `${site.host}:${site.port}` });
  const html = unescapeHtml(body.toString());
  const config = /mcp\/install\?name=[^&]+&config=([^"]+)"/.exec(html)![1]!;
  const urls = [
    (JSON.parse(Buffer.from(decodeURIComponent(config), "base64").toString()) as { url: string }).url,
    (JSON.parse(decodeURIComponent(/vscode:mcp\/install\?([^"]+)"/.exec(html)![1]!)) as { url: string }).url,
    /npx add-mcp (\S+?)"/.exec(html)![1]!,
    /data-copy="(http[^"]+\/mcp)"/.exec(html)?.[1] ?? "",
    ...[...html.matchAll(/"(?:serverUrl|url)": "([^"]+)"/g)].map(([, url]) => url!),
  ];
  expect(urls).toHaveLength(7);
  for (const url of urls) {
    const own = new Client({ name: "test", version: "1" });
    await own.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: toThisMachine }) as never);
    expect((await own.listTools()).tools.length).toBeGreaterThan(1);
    const { resources } = await own.listResources();
    expect((await own.readResource({ uri: resources.at(-1)!.uri })).contents).toHaveLength(1);
    const found = await own.callTool({ name: "search_docs", arguments: { query: "install" } });
    expect(found.isError).toBe(false);
    await own.close();
  }
});

describe("single requests", () => {
  const rpc = (body: unknown, headers: Record<string, string> = {}) =>
    ask({ ...site, path: "/mcp", headers: { ...newReader(), ...headers }, body });
  const initialize = (protocolVersion: string) =>
    rpc({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
    });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["1999-01-01", "2025-11-25"],
  ])("a client with version %s gets version %s", async (wanted, given) => {
    expect((await initialize(wanted)).json.result.protocolVersion).toBe(given);
  });

  test("a request with an unsupported protocol version is refused", async () => {
    const ping = { jsonrpc: "2.0", id: "a", method: "ping" };
    expect((await rpc(ping, { "mcp-protocol-version": "2025-06-18" })).json).toEqual({
      jsonrpc: "2.0",
      id: "a",
      result: {},
    });
    expect((await rpc(ping, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
  });

  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, 202, undefined],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, 202, undefined],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "prompts/list" }, 200, -32_601],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], 400, -32_600],
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }, 400, -32_600],
    ["not an object", 7, 400, -32_600],
  ])("%s", async (_name, body, status, code) => {
    const answer = await rpc(body);
    expect([answer.status, answer.json?.error?.code]).toEqual([status, code]);
  });

  test("a slash at the end of the path makes no difference", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await ask({ ...site, path: "/mcp/", headers: newReader(), body })).json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {},
    });
  });

  test("there are no streams and sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await send({
        port: site.port,
        path: "/mcp",
        method,
        host: `${site.host}:${site.port}`,
        headers: { accept: "text/event-stream" },
      });
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
    }
  });

  test("cross-origin requests are refused; programs send no Origin", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await rpc(ping, { origin: "http://evil.example" })).status).toBe(403);
    const program = await send({
      port: site.port,
      path: "/mcp",
      method: "POST",
      host: `${site.host}:${site.port}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ping),
    });
    expect(program.status).toBe(200);
  });

  test("bodies have a size limit", async () => {
    expect(
      (await rpc({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "y".repeat(70_000) } })).status,
    ).toBe(413);
  });

  test("the rate limit is 300 requests a minute", async () => {
    const reader = newReader();
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const statuses: number[] = [];
    for (let n = 0; n < 310; n++)
      statuses.push((await ask({ ...site, path: "/mcp", headers: reader, body: ping })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(statuses.at(-1)).toBe(429);
  });
});
