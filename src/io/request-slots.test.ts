/** Each sender has few requests open at a time, in total and to a host, whatever ends them. */

import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendRequest } from "./outbound.ts";
import { type RequestSender, requestLimits, TooManyRequests } from "./request-slots.ts";

let server: Server;
let port: number;
let held: { host: string; response: ServerResponse }[] = [];
let most = { total: 0, host: 0 };

beforeAll(async () => {
  server = createServer((request, response) => {
    const host = request.headers.host!.replace(/\.?:\d+$/, "");
    held.push({ host, response });
    const same = held.filter((other) => other.host === host);
    most = { total: Math.max(most.total, held.length), host: Math.max(most.host, same.length) };
    response.on("close", () => {
      held = held.filter((other) => other.response !== response);
    });
  }).listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  most = { total: 0, host: 0 };
});

async function send(
  sender: RequestSender,
  host: string,
  signal = new AbortController().signal,
  owner?: string,
) {
  const lookup = ((_name: string, _options: unknown, done: (...found: unknown[]) => void) =>
    done(null, [{ address: "127.0.0.1", family: 4 }])) as never;
  const response = await sendRequest(new URL(`http://${host}:${port}/`), {
    sender,
    owner,
    method: "GET",
    headers: {},
    signal,
    allowPrivate: true,
    lookup,
  });
  for await (const _ of response);
}

/** Ends the open requests in different ways until `count` have ended. */
async function endAll(count: () => number): Promise<void> {
  let turn = 0;
  await expect
    .poll(
      () => {
        for (const { response } of held) {
          if (turn++ % 3 === 0) response.destroy();
          else response.writeHead(turn % 2 ? 200 : 503).end("text");
        }
        return count();
      },
      { interval: 2, timeout: 20_000 },
    )
    .toBe(0);
}

describe.each(Object.keys(requestLimits) as RequestSender[])("%s", (sender) => {
  const limit = requestLimits[sender];

  test("one host", async () => {
    let open = limit.host + Math.min(limit.waiting, 60);
    const all = Array.from({ length: open }, (_, index) =>
      send(sender, index % 2 ? "one.example" : "ONE.example.")
        .catch(() => {})
        .then(() => open--),
    );
    await expect.poll(() => held.length).toBe(Math.min(limit.host, limit.total));
    await endAll(() => open);
    await Promise.all(all);
    expect(most.host).toBe(Math.min(limit.host, limit.total));
  });

  test("many hosts", async () => {
    let open = limit.total + Math.min(limit.waiting, 60);
    const all = Array.from({ length: open }, (_, index) =>
      send(sender, `h${index}.example`)
        .catch(() => {})
        .then(() => open--),
    );
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(limit.total);
    await endAll(() => open);
    await Promise.all(all);
    expect(most.total).toBe(limit.total);
  });

  test("more than may wait are refused, and aborted ones leave the line", async () => {
    const abort = new AbortController();
    const count = limit.host + limit.waiting;
    const all = Array.from({ length: count }, () =>
      send(sender, "busy.example", abort.signal).catch((error: Error) => error.name),
    );
    await expect.poll(() => held.length).toBe(limit.host);
    await expect(send(sender, "busy.example")).rejects.toThrow(TooManyRequests);
    abort.abort();
    expect(new Set(await Promise.all(all))).toEqual(new Set(["AbortError"]));

    const next = send(sender, "busy.example");
    await expect.poll(() => held.length).toBe(1);
    held[0]!.response.end();
    await next;
  });
});

test("a request to another host doesn't wait for a busy one, and a blocked URL takes no slot", async () => {
  const abort = new AbortController();
  const busy = Array.from({ length: 40 }, () =>
    send("tls-check", "busy.example", abort.signal).catch(() => {}),
  );
  for (let index = 0; index < 40; index++)
    await expect(
      sendRequest(new URL("http://127.0.0.1/"), {
        sender: "tls-check",
        method: "GET",
        headers: {},
        signal: abort.signal,
      }),
    ).rejects.toThrow(/isn't allowed/);
  const other = send("tls-check", "other.example");
  await expect.poll(() => held.some(({ host }) => host === "other.example")).toBe(true);
  held.find(({ host }) => host === "other.example")!.response.end();
  await other;
  abort.abort();
  await Promise.all(busy);
});

describe.each(["playground", "open-id", "model"] as const)("%s of organizations", (sender) => {
  const limit = requestLimits[sender];

  test("one that sends to many hosts leaves most requests to others", async () => {
    const abort = new AbortController();
    const hosts = 2 * Math.ceil((limit.total + limit.waiting) / limit.host);
    const refused: unknown[] = [];
    const busy = Array.from({ length: hosts * limit.host }, (_, index) =>
      send(sender, `h${index % hosts}.example`, abort.signal, "busy").catch((error) => refused.push(error)),
    );
    await expect.poll(() => held.length).toBe(limit.total / 4);

    const others = ["first", "second", "third", undefined];
    const sent = others.map((owner) => send(sender, `${owner}.example`, abort.signal, owner));
    const arrived = () => held.filter(({ host }) => others.some((owner) => host === `${owner}.example`));
    await expect.poll(() => arrived().length).toBe(others.length);
    for (const { response } of arrived()) response.end();
    await Promise.all(sent);

    expect(held.length).toBe(limit.total / 4);
    expect(refused.every((error) => error instanceof TooManyRequests)).toBe(true);
    expect(busy.length - refused.length).toBe(limit.total / 4 + limit.waiting / 4);
    abort.abort();
    await Promise.all(busy);
    await expect.poll(() => held.length).toBe(0);
  });
});

test("many organizations share all requests", async () => {
  const { total } = requestLimits.playground;
  let open = 400;
  const all = Array.from({ length: open }, (_, index) =>
    send("playground", `h${index % 40}.example`, undefined, `organization ${index % 40}`)
      .catch(() => {})
      .then(() => open--),
  );
  await expect.poll(() => held.length).toBeGreaterThan(total / 2);
  await endAll(() => open);
  await Promise.all(all);
  expect(most.total).toBeLessThanOrEqual(total);
});

test("the documentation lists the limits", () => {
  const docs = readFileSync("docs/service/security.mdx", "utf8");
  const { bundle: _, ...listed } = requestLimits;
  for (const { total, host } of Object.values(listed)) expect(docs).toContain(`| ${total} and ${host} `);
});
