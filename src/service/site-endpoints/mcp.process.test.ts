/** The MCP server of a site, tested with the official client and with single requests. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../test/service/ask-assistant.ts";
import { send } from "../../../test/service/service.ts";
import { newReader, newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { sharedService } from "../../../test/shared/service.ts";

let site: TestSite;
beforeAll(async () => {
  site = await newSite(await sharedService());
});
afterAll(() => site.service.stop());

/** `fetch` that sends requests for any host name to this machine. */
const toThisMachine: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  const headers = Object.fromEntries(new Headers(init?.headers).entries());
  const body = init?.body as string | undefined;
  const answer = await send({
    port: Number(url.port),
    path: url.pathname,
    method: init?.method ?? "GET",
    host: url.host,
    headers,
    ...(body ? { body } : {}),
  });
  const empty = [202, 204, 304].includes(answer.status);
  return new Response(empty ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: answer.headers as Record<string, string>,
  });
};

describe("with the official client", () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${site.origin}/mcp`), { fetch: toThisMachine }) as never,
    );
  });
  afterAll(() => client.close());

  test("initialize returns name and capabilities", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: site.host });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_docs", "get_page"]);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    await client.ping();
  });

  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return { text: (content as { text: string }[])[0]!.text, isError };
  };

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
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "resources/list" }, 200, -32_601],
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
