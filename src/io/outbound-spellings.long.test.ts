/** Tests that every client for untrusted URLs refuses every spelling of a non-public address. */

import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { parseAllowedHosts } from "./allowed-hosts.ts";
import { fetchDocument } from "./fetch-document.ts";
import { sendRequest } from "./outbound.ts";
import { outboundFetch, outboundStream } from "./outbound-fetch.ts";
import { readBranch } from "./read-git-branch.ts";

const addresses =
  "127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 161.26.0.10 166.9.20.1".split(
    " ",
  );

function spellings(address: string): string[] {
  const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [...address]
      .map((letter) => (letter === "." ? "\u3002" : String.fromCodePoint(0xff10 + Number(letter))))
      .join(""),
    address.replace(".", "%2e"),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ];
}

const ipv6 =
  "[::] [::1] [0:0:0:0:0:0:0:1] [fc00::1] [fd00::1] [fd00:ec2::254] [fd20:ce::254] [fd00:42::42] [fe80::1] [fe80::a9fe:a9fe] [fec0::1] [ff02::1] [100::1] [2001:db8::1] [2001:10::1] [3fff::1] [5f00::1] [4000::1]".split(
    " ",
  );
const hosts = [...addresses.flatMap(spellings), ...ipv6];
const schemes =
  "file ftp gopher dict ldap tftp data blob javascript ws wss jar netdoc ssh git unix php sftp".split(" ");

let server: Server;
let port = 0;
let arrived = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const to = new URL(request.url!, "http://x").searchParams.get("to");
    if (to === null) arrived++;
    response
      .writeHead(
        to === null ? 200 : 302,
        to === null ? {} : { location: to.replace(/[^\0-\x7f]+/g, encodeURIComponent) },
      )
      .end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const refusal = /isn't allowed to call|only https? |only http and https|[Ii]nvalid URL|isn't a URL|user name/;
const signal = () => AbortSignal.timeout(3_000);

/** Clients by name. Each one sends a request to a URL and rejects if the URL is refused. */
const clients: Record<string, (url: string) => Promise<unknown>> = {
  "playground proxy": async (url) => {
    const options = { sender: "playground", method: "GET", headers: {}, signal: signal() } as const;
    return sendRequest(new URL(url), options);
  },
  "document by URL": (url) => fetchDocument(url, { timeout_ms: 3_000 }),
  "document behind a redirect": (url) =>
    fetchDocument(`http://127.0.0.1:${port}/?to=${encodeURIComponent(url)}`, {
      allowed: parseAllowedHosts(`127.0.0.1:${port}`).hosts,
      timeout_ms: 3_000,
    }),
  "single sign-on": (url) => outboundFetch({ sender: "open-id" })(url, {}),
  "language model": (url) => outboundStream({ sender: "model" })(url, { method: "POST", body: "{}" }),
};

describe.each(Object.entries(clients))("%s", (_, call) => {
  test.each(["http", "https"])(`${hosts.length} hosts by %s`, async (scheme) => {
    const called: string[] = [];
    // Excludes the port of this test's server, because one client may call it.
    for (const host of hosts)
      for (const at of ["", ":8080"])
        await call(`${scheme}://${host}${at}/latest/meta-data`).then(
          () => called.push(host),
          (error: Error) => refusal.test(error.message) || called.push(`${host}: ${error.message}`),
        );
    expect(called).toEqual([]);
    expect(arrived).toBe(0);
  });

  test.each(schemes)("the scheme %s", async (scheme) => {
    await expect(call(`${scheme}://127.0.0.1:${port}/etc/passwd`)).rejects.toThrow(refusal);
    await expect(call(`${scheme}:/etc/passwd`)).rejects.toThrow();
    expect(arrived).toBe(0);
  });
});

describe("names that resolve to such an address", () => {
  const plain = hosts
    .filter((host) => isIP(host.replace(/[[\]]/g, "")) !== 0)
    .map((host) => host.replace(/[[\]]/g, ""));
  /** The first lookup returns a public address, later lookups return `address`. */
  const rebinding = (address: string) => {
    let asked = 0;
    const lookup = ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: asked++ === 0 ? "192.0.2.1" : address, family: isIP(address) }])) as never;
    return { lookup, asked: () => asked };
  };
  const fixed = (address: string) =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address, family: isIP(address) }])) as never;

  test(`${plain.length} answers of a resolver`, async () => {
    for (const address of plain) {
      await expect(
        fetchDocument("https://inside.example/", { lookup: fixed(address) }),
        address,
      ).rejects.toThrow(refusal);
      await expect(
        outboundFetch({ sender: "webhook", lookup: fixed(address) })("http://inside.example/", {}),
        address,
      ).rejects.toThrow(refusal);
    }
  });

  test("names are resolved again for each connection, and each result is checked", async () => {
    for (const address of plain.slice(0, 60)) {
      const { lookup, asked } = rebinding(address);
      for (let attempt = 1; attempt <= 3; attempt++) {
        await expect(
          outboundFetch({ sender: "webhook", lookup })("http://rebind.example/", {}),
          address,
        ).rejects.toThrow(refusal);
        expect(asked()).toBe(attempt);
      }
    }
  });

  test("git", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "scratch"));
    const source = (url: string) => ({ kind: "git" as const, url, branch: "main" });
    const called: string[] = [];
    for (const [i, address] of plain.entries()) {
      const options = { path: process.env.PATH, signal: signal(), lookup: async () => [address] };
      const scratch = path.join(folder, "scratch", String(i));
      await readBranch(
        source("https://inside.example/team/docs.git"),
        path.join(folder, `into-${i}`),
        scratch,
        options,
      ).then(
        () => called.push(address),
        (error: Error) =>
          /isn't allowed to call/.test(error.message) || called.push(`${address}: ${error.message}`),
      );
    }
    expect(called).toEqual([]);
  });
});
