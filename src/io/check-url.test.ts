import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listen } from "../../test/shared/listen.ts";
import { parseAllowedHosts } from "./allowed-hosts.ts";
import { checkUrl } from "./check-url.ts";

let requests: string[] = [];
let base: string;
let temporary_count = 0;

const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/ok": (_, response) => response.end("text"),
  "/only-get": ({ method }, response) => response.writeHead(method === "HEAD" ? 405 : 200).end(),
  "/get-is-missing": ({ method }, response) => response.writeHead(method === "HEAD" ? 403 : 404).end(),
  "/moved": (_, response) => response.writeHead(301, { location: "/ok" }).end(),
  "/moved-away": (_, response) => response.writeHead(302, { location: "/missing" }).end(),
  "/to-private": (_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  "/circle": (_, response) => response.writeHead(302, { location: "/circle" }).end(),
  "/gone": (_, response) => response.writeHead(410).end(),
  "/later": (_, response) => (temporary_count++ < 2 ? response.writeHead(503).end() : response.end("text")),
  "/silent": () => {},
  "/interrupted": (request) => request.socket.destroy(),
  "/endless": ({ method }, response) => {
    if (method === "HEAD") return void response.writeHead(405).end();
    const write = () => {
      if (!response.destroyed) response.write("x".repeat(10_000), () => setImmediate(write));
    };
    write();
  },
};

const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const status = /^\/status\/(\d+)/.exec(request.url!)?.[1];
  if (status !== undefined) response.writeHead(Number(status)).end();
  else (answers[request.url!] ?? ((_, missing) => missing.writeHead(404).end()))(request, response);
});

beforeAll(async () => {
  base = await listen(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  temporary_count = 0;
});

const check = (path: string, url = base) =>
  checkUrl(url + path, {
    allowed: parseAllowedHosts(base.slice("http://".length)).hosts,
    pause_ms: 1,
    timeout_ms: 500,
  });

test.each([
  ["/ok", "alive", undefined, ["HEAD /ok"]],
  ["/only-get", "alive", undefined, ["HEAD /only-get", "GET /only-get"]],
  ["/moved", "alive", undefined, ["HEAD /moved", "HEAD /ok"]],
  ["/circle", "alive", undefined, Array(6).fill("HEAD /circle")],
  ["/endless", "alive", undefined, ["HEAD /endless", "GET /endless"]],
  ["/missing", "dead", "status 404", ["HEAD /missing", "GET /missing"]],
  ["/get-is-missing", "dead", "status 404", ["HEAD /get-is-missing", "GET /get-is-missing"]],
  ["/gone", "dead", "status 410", ["HEAD /gone", "GET /gone"]],
  [
    "/moved-away",
    "dead",
    "status 404",
    ["HEAD /moved-away", "HEAD /missing", "GET /moved-away", "GET /missing"],
  ],
  ["/status/401", "blocked", "status 401", ["HEAD /status/401", "GET /status/401"]],
  ["/status/403", "blocked", "status 403", ["HEAD /status/403", "GET /status/403"]],
  ["/status/999", "blocked", "status 999", ["HEAD /status/999", "GET /status/999"]],
  [
    "/status/429",
    "blocked",
    "status 429",
    ["HEAD /status/429", "GET /status/429", "HEAD /status/429", "GET /status/429"],
  ],
  ["/later", "alive", undefined, ["HEAD /later", "GET /later", "HEAD /later"]],
  ["/silent", "blocked", "no response", ["HEAD /silent", "HEAD /silent"]],
  ["/interrupted", "blocked", "the connection was interrupted", ["HEAD /interrupted", "HEAD /interrupted"]],
  ["/to-private", "skipped", "the host isn't on the public internet", ["HEAD /to-private"]],
])("%s is %s", async (path, state, reason, sent) => {
  expect(await check(path)).toEqual({ state, ...(reason === undefined ? {} : { reason }) });
  expect(requests).toEqual(sent);
});

test.each([
  ["http://10.0.0.1/", "skipped"],
  ["http://169.254.169.254/latest/meta-data", "skipped"],
  ["http://user:password@127.0.0.1/", "skipped"],
  ["https://[::1]/", "skipped"],
])("%s is %s", async (url, state) => {
  expect((await check("", url)).state).toBe(state);
  expect(requests).toEqual([]);
});

test("a host name that doesn't exist is dead, and one that can't be resolved now is blocked", async () => {
  const failing = (code: string) =>
    checkUrl("https://docs.acme.dev/", {
      pause_ms: 1,
      lookup: ((_name: string, _options: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error(code), { code }))) as never,
    });
  expect(await failing("ENOTFOUND")).toEqual({ state: "dead", reason: "the host doesn't exist" });
  expect(await failing("EAI_AGAIN")).toMatchObject({ state: "blocked" });
});
