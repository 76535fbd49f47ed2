/** Effects of floods from 1, 30 and 100 IP addresses, and of 10,000 open connections, on other visitors. */

import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOf } from "../../../test/service/ask-assistant.ts";
import { newMember, password, visitor } from "../../../test/service/dashboard.ts";
import { type RunningService, send } from "../../../test/service/service.ts";
import { guide, newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { startService } from "../../../test/shared/service.ts";

let target: Server;
let service: RunningService;
let site: TestSite;
let operation: string;
let email: string;

const host = () => `${site.host}:${site.port}`;
const json = { "content-type": "application/json" };
const post = (address: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  send({
    port: site.port,
    path,
    method: "POST",
    host: host(),
    headers: { ...json, origin: site.origin, "x-forwarded-for": address, ...headers },
    body: JSON.stringify(body),
  }).then(({ status }) => status);

const actions = {
  page: (address: string) =>
    send({
      port: site.port,
      path: "/guides/install",
      host: host(),
      headers: { "x-forwarded-for": address },
    }).then(({ status }) => status),
  search: (address: string) => post(address, "/_octavo/search", { query: "install" }),
  assistant: (address: string) => post(address, "/_octavo/assistant", bodyOf("How do I install Acme?")),
  playground: (address: string) =>
    post(
      address,
      "/_octavo/proxy",
      {},
      {
        "octavo-operation": operation,
        "octavo-target": `http://127.0.0.1:${(target.address() as AddressInfo).port}/a`,
        "octavo-method": "GET",
        "octavo-headers": Buffer.from("[]").toString("base64url"),
      },
    ),
  "sign-in": async (address: string, tried = password) =>
    (
      await visitor(service).submit(
        "/dashboard/sign-in",
        { email, password: tried },
        { headers: { "x-forwarded-for": address } },
      )
    ).status,
};
type Action = keyof typeof actions;

beforeAll(async () => {
  target = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const origin = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService({ env: { ...trusting, OCTAVO_OUTBOUND_ALLOW: origin } });
  const api = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: `http://${origin}` }],
    paths: { "/a": { get: { summary: "A", responses: { 200: { description: "Fine" } } } } },
  };
  const settings = JSON.parse(guide["docs.json"] as string);
  settings.navigation.groups.push({ group: "API", openapi: "api.json" });
  site = await newSite(service, {
    ...guide,
    "api.json": JSON.stringify(api),
    "docs.json": JSON.stringify(settings),
  });
  const page = await send({ port: site.port, path: "/api-reference/a", host: host() });
  operation = /"operation":"([^"]+)"/.exec(page.text)![1]!;
  email = (await newMember(service, site.organization.id)).email;
}, 120_000);

afterAll(async () => {
  target.close();
  await service.stop();
});

const succeeded = (status: number) => status === 200;

/** Measures the responses for a normal visitor, who sends each kind of request once per round. */
async function measure(
  address: string,
  rounds: number,
): Promise<Record<Action, { succeeded: string; median_ms: number; longest_ms: number }>> {
  const results = Object.fromEntries(
    Object.keys(actions).map((name) => [name, [] as { ms: number; ok: boolean }[]]),
  );
  for (let round = 0; round < rounds; round++)
    for (const [name, act] of Object.entries(actions)) {
      const from = performance.now();
      const status = await act(address);
      results[name]!.push({ ms: Math.round(performance.now() - from), ok: succeeded(status) });
    }
  const summary = Object.entries(results).map(([name, list]) => {
    const times = list.map(({ ms }) => ms).sort((a, b) => a - b);
    const count = list.filter(({ ok }) => ok).length;
    return [
      name,
      {
        succeeded: `${count} of ${list.length}`,
        median_ms: times[times.length >> 1]!,
        longest_ms: times.at(-1)!,
      },
    ];
  });
  return Object.fromEntries(summary);
}

describe("a flood of all kinds of requests", () => {
  test.each([
    [1, "198.18.0.9"],
    [30, "198.18.1.9"],
    [100, "198.18.2.9"],
  ])("from %i addresses: another visitor is served", { timeout: 300_000 }, async (count, other) => {
    const addresses = Array.from({ length: count }, (_, n) => `10.${count}.${n}.7`);
    const before = await measure(other, 4);
    let isOver = false;
    const statuses: Record<string, number> = {};
    const flooders = Array.from({ length: 40 }, async (_, worker) => {
      for (let n = worker; !isOver; n++) {
        const address = addresses[n % count]!;
        const name = (["search", "assistant", "playground", "sign-in"] as const)[n % 4]!;
        const status =
          name === "sign-in" ? await actions[name](address, `guess ${n}`) : await actions[name](address);
        const key = `${name} ${status}`;
        statuses[key] = (statuses[key] ?? 0) + 1;
      }
    });
    // The flood is going on before the other visitor starts.
    const responses = () => Object.values(statuses).reduce((sum, count) => sum + count, 0);
    await expect.poll(responses, { timeout: 120_000 }).toBeGreaterThan(1_000);
    const during = await measure(other, 4);
    isOver = true;
    await Promise.all(flooders);
    console.log(`flood from ${count}`, JSON.stringify({ before, during, flood: statuses }, null, 1));
    for (const name of Object.keys(actions) as Action[]) expect(during[name].succeeded, name).toBe("4 of 4");
  });
});

test("10,000 open connections: pages are still served", { timeout: 300_000 }, async () => {
  // This service has no trusted proxy, because a trusted proxy may open many connections.
  const direct = await startService();
  const { port } = direct;
  const page = () => send({ port, path: "/dashboard/sign-in" }).then(({ status }) => status);
  const sockets: Socket[] = [];
  const connectAll = async (count: number, address: (n: number) => string, text: string) => {
    for (let from = 0; from < count; from += 250)
      await Promise.all(
        Array.from({ length: 250 }, (_, n) => {
          const socket = connect({ port, host: "127.0.0.1", localAddress: address(from + n) });
          sockets.push(socket);
          socket.on("error", () => {});
          socket.resume();
          return new Promise<void>((resolve) => {
            socket.once("connect", () => {
              if (text) socket.write(text);
              resolve();
            });
            socket.once("error", () => resolve());
          });
        }),
      );
  };
  const held = () => sockets.filter((socket) => !socket.destroyed).length;
  const seen = [];
  for (const [name, address] of [
    ["one address", () => "127.0.0.1"],
    ["100 addresses", (n: number) => `127.0.1.${1 + (n % 100)}`],
  ] as const)
    for (const text of ["", `GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n`]) {
      const filling = connectAll(10_000, address, text);
      const statuses: number[] = [];
      const times: number[] = [];
      for (let n = 0; n < 30; n++) {
        const from = performance.now();
        statuses.push(await page().catch(() => 0));
        times.push(Math.round(performance.now() - from));
      }
      await filling;
      for (let n = 0; n < 10; n++) statuses.push(await page().catch(() => 0));
      const pages = statuses.filter(succeeded).length;
      seen.push({
        from: name,
        request: text !== "",
        held: held(),
        pages: `${pages} of ${statuses.length}`,
        longest_ms: Math.max(...times),
      });
      for (const socket of sockets.splice(0)) socket.destroy();
    }
  await direct.stop();
  console.log("held connections", JSON.stringify(seen, null, 1));
  for (const { pages } of seen) expect(pages).toBe("40 of 40");
});
