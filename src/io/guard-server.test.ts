/** Tests that a server keeps responding while one visitor has many connections or slow request bodies. */

import { createServer, request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { expectLongBody, type GuardOptions, guardServer } from "./guard-server.ts";

let server: Server;
let sockets: Socket[] = [];
let requests_count = 0;

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.closeAllConnections();
  server.close();
});

/**
 * Starts a server. The header `x-visitor` sets the visitor's address. Request bodies of `/upload` get a
 * longer timeout.
 */
async function start(options: Partial<GuardOptions>): Promise<number> {
  requests_count = 0;
  server = createServer((request, response) => {
    requests_count++;
    if (request.url === "/upload") expectLongBody(request, 60_000);
    request.resume();
    if (request.url === "/early") response.writeHead(401).end();
    else request.on("end", () => response.end("fine"));
  });
  guardServer(server, {
    addressOf: (request) => String(request.headers["x-visitor"] ?? "203.0.113.1"),
    isTrusted: () => false,
    connections_count: 1_000,
    connectionsOfVisitor_count: 1_000,
    body_ms: 60_000,
    slowBody_ms: 60_000,
    slowBodies_count: 1_000,
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Opens a connection. Each local address in 127.0.0.0/8 is a different visitor. */
async function open(
  port: number,
  localAddress = "127.0.0.1",
  text = "",
): Promise<{ closed: Promise<true>; isOpen(): boolean }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => {});
  socket.resume();
  const closed = new Promise<true>((resolve) => socket.once("close", () => resolve(true)));
  await new Promise((resolve) => socket.once("connect", resolve));
  if (text) socket.write(text);
  return { closed, isOpen: () => !socket.destroyed };
}

const get = (port: number, localAddress = "127.0.0.1"): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", localAddress, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode!));
    });
    request.on("error", reject);
    request.end();
  });

const slow = (path: string, visitor = "203.0.113.1") =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nx-visitor: ${visitor}\r\ncontent-length: 10\r\n\r\nx`;

test("a visitor with too many connections loses the longest idle one", async () => {
  const port = await start({ connectionsOfVisitor_count: 10 });
  const held: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 10; n++) held.push(await open(port));
  const other = await open(port, "127.0.0.2");
  expect(await get(port)).toBe(200);
  expect(await held[0]!.closed).toBe(true);
  expect(held.slice(1).every(({ isOpen }) => isOpen())).toBe(true);
  expect(other.isOpen()).toBe(true);
});

test("a full server closes an idle connection of the visitor with the most connections", async () => {
  const port = await start({ connections_count: 20 });
  const other = await open(port, "127.0.0.2");
  const held: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 19; n++) held.push(await open(port));
  for (let n = 3; n < 8; n++) expect(await get(port, `127.0.0.${n}`)).toBe(200);
  expect(await held[0]!.closed).toBe(true);
  expect(other.isOpen()).toBe(true);
});

test("a connection with an open request is not closed for a new one", async () => {
  const port = await start({ connectionsOfVisitor_count: 3 });
  const busy = [
    await open(port, undefined, slow("/")),
    await open(port, undefined, slow("/")),
    await open(port, undefined, slow("/")),
  ];
  await expect.poll(() => requests_count).toBe(3);
  await expect(get(port)).rejects.toThrow();
  expect(busy.every(({ isOpen }) => isOpen())).toBe(true);
});

test.each(["/", "/early"])(
  "a body that takes too long ends its connection, and an upload continues: %s",
  async (path) => {
    const port = await start({ body_ms: 50 });
    const upload = await open(port, undefined, slow("/upload"));
    const dribbling = await open(port, undefined, slow(path));
    expect(await dribbling.closed).toBe(true);
    expect(upload.isOpen()).toBe(true);
  },
);

test("the number of slow bodies is limited for each visitor separately", async () => {
  const port = await start({ slowBody_ms: 30, slowBodies_count: 3 });
  const held: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 6; n++) held.push(await open(port, undefined, slow("/")));
  const other = await open(port, undefined, slow("/", "198.51.100.7"));
  await expect.poll(() => held.filter(({ isOpen }) => isOpen()).length).toBe(3);
  expect(other.isOpen()).toBe(true);
  expect(await get(port)).toBe(200);
});
