import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryStore } from "../engine/incremental/store.ts";
import { parseAllowedHosts } from "../io/allowed-hosts.ts";
import { fetchDocuments } from "./fetched-documents.ts";

/** A loopback URL, which is not allowed. */
const address = "https://127.0.0.1/openapi.json";

test("a document that cannot be fetched is replaced by its last copy, with a warning", async () => {
  const found = (await fetchDocuments([address], undefined, { last: { [address]: "openapi: 3.1.0" } })).get(
    address,
  );
  expect(found).toMatchObject({
    text: "openapi: 3.1.0",
    problem: { code: "openapi-stale", severity: "warning" },
  });
});

test("the copy of the last deployment comes before the one in the cache", async () => {
  const store = new MemoryStore();
  store.keep(`fetched\n${address}`, "", "cached: true");
  const found = async (last: Record<string, string>) =>
    (await fetchDocuments([address], store, { last })).get(address);
  expect(await found({ [address]: "deployed: true" })).toMatchObject({ text: "deployed: true" });
  expect(await found({})).toMatchObject({ text: "cached: true" });
});

test("a document that cannot be fetched and has no earlier copy is an error", async () => {
  const found = (await fetchDocuments([address], undefined)).get(address);
  expect(found).toMatchObject({ problem: { code: "openapi-fetch", severity: "error" } });
  expect(found).not.toHaveProperty("text");
});

const { hosts: allowed } = parseAllowedHosts("127.0.0.0/8");
let server: Server;
let port: number;
/**
 * Host names of the requests that arrived, and those of the requests that were open when the most were, in
 * total and of one host.
 */
let arrived: string[] = [];
let open: string[] = [];
let most = { total: 0, host: 0 };
let isHanging = false;

beforeAll(async () => {
  server = createServer((request, response) => {
    const host = request.headers.host!;
    arrived.push(host);
    open.push(host);
    most = {
      total: Math.max(most.total, open.length),
      host: Math.max(most.host, open.filter((other) => other === host).length),
    };
    response.on("close", () => open.splice(open.indexOf(host), 1));
    if (isHanging) return;
    if (request.url!.startsWith("/busy")) setTimeout(() => response.writeHead(503).end(), 2);
    else setTimeout(() => response.end("openapi: 3.1.0"), 2);
  }).listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Returns URLs on loopback hosts. */
const manyUrls = (count: number, name = "api", hosts = 10) =>
  Array.from(
    { length: count },
    (_, index) => `http://127.0.0.${(index % hosts) + 1}:${port}/${name}-${index}.yaml`,
  );

test("a build fetches at most 100 documents, 8 at a time and 2 from each host, and reports the others", async () => {
  [arrived, open, most] = [[], [], { total: 0, host: 0 }];
  const urls = manyUrls(130);
  const found = await fetchDocuments(urls, undefined, { allowed, last: { [urls[129]!]: "openapi: 3.0.0" } });
  expect(arrived).toHaveLength(100);
  expect(most.total).toBe(8);
  expect(most.host).toBeLessThanOrEqual(2);
  expect([...found.keys()]).toEqual(urls);
  expect(found.get(urls[99]!)).toEqual({ text: "openapi: 3.1.0" });
  expect(found.get(urls[100]!)).toMatchObject({
    problem: {
      code: "openapi-fetch",
      message: `${urls[100]}: not fetched, because docs.json has more than 100 URLs`,
    },
  });
  expect(found.get(urls[129]!)).toMatchObject({ text: "openapi: 3.0.0", problem: { code: "openapi-stale" } });
});

test("a document whose server is busy is requested twice, and its host isn't flooded", async () => {
  [arrived, open, most] = [[], [], { total: 0, host: 0 }];
  await fetchDocuments(manyUrls(4, "busy", 1), undefined, { allowed });
  expect(arrived).toHaveLength(8);
  expect(most).toEqual({ total: 2, host: 2 });
});

test("all documents of a build together have a time limit", async () => {
  isHanging = true;
  const urls = manyUrls(5, "api", 1);
  const found = await fetchDocuments(urls, undefined, { allowed, total_ms: 300 });
  isHanging = false;
  expect(urls.map((url) => found.get(url)!.problem!.message.slice(url.length))).toEqual([
    ...Array(2).fill(expect.stringContaining(": No response within")),
    ...Array(3).fill(": not fetched, because the other documents took 0.3 seconds"),
  ]);
});
