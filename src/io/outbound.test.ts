/** Tests that untrusted URLs are only fetched from the public internet. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../main/service-configuration.ts";
import { parseAllowedHosts } from "./allowed-hosts.ts";
import { fetchDocument } from "./fetch-document.ts";
import { sendRequest } from "./outbound.ts";
import { isPublicAddress } from "./public-address.ts";

const refusal = /isn't allowed to call/;

let server: Server;
let port: number;
const arrived: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    arrived.push(request.url ?? "");
    const url = new URL(request.url ?? "/", "http://x");
    if (url.pathname === "/redirect")
      response.writeHead(302, { location: url.searchParams.get("to")! }).end();
    else if (url.pathname === "/bomb")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(80_000_000)));
    else if (url.pathname === "/slow") response.writeHead(200).write("{");
    else if (url.pathname === "/once" && arrived.filter((path) => path === "/once").length === 1)
      response.writeHead(503).end();
    else if (url.pathname === "/gone") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"openapi":"3.1.0"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const local = (path: string) => `http://127.0.0.1:${port}${path}`;

async function attempt(url: string, lookup?: never, allow = ""): Promise<string> {
  try {
    const response = await sendRequest(new URL(url), {
      sender: "document",
      method: "GET",
      headers: {},
      signal: AbortSignal.timeout(3_000),
      ...(lookup ? { lookup } : {}),
      allowed: parseAllowedHosts(allow).hosts,
    });
    response.destroy();
    return `arrived: ${response.statusCode}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("reserved and private addresses", () => {
  const reserved = [
    ..."127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255".split(
      " ",
    ),
    ..."[::] [::1] [fc00::1] [fd00:ec2::254] [fe80::1] [ff02::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [2001::1] [2001:db8::1]".split(
      " ",
    ),
  ];
  test.each(reserved)("%s", async (host) => {
    expect(await attempt(`http://${host}:${port}/`)).toMatch(refusal);
  });

  test.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "172.32.0.1", "100.128.0.1"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("other spellings of the same address", () => {
  test.each([
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.1",
    "①②⑦.⓪.⓪.①",
    "127.0.0.1.",
    "0x7f000001",
    "017700000001",
    "127。0。0。1",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "localhost",
    "localhost.",
    "LOCALHOST",
  ])("%s", async (host) => {
    const before = arrived.length;
    // Some systems can't resolve `localhost.`.
    expect(await attempt(`http://${host}:${port}/`)).toMatch(refusal);
    expect(arrived.length).toBe(before);
  });

  test("a user name in the URL", async () => {
    expect(await attempt("http://user@8.8.8.8/")).toContain("user name or password");
    expect(await attempt("http://169.254.169.254\\@8.8.8.8/")).toMatch(refusal);
  });

  test.each(["file:///etc/passwd", "ftp://8.8.8.8/", "data:,x"])("%s", async (url) => {
    expect(await attempt(url)).toBe("only http and https URLs are allowed");
  });

  test.each([22, 25, 53, 389])("port %d", async (low) => {
    expect(await attempt(`http://8.8.8.8:${low}/`)).toMatch(refusal);
  });
});

describe("names that resolve to private addresses", () => {
  const resolving = (...addresses: string[]) =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      )) as never;

  test("a private address", async () => {
    expect(await attempt(`http://inside.example:${port}/`, resolving("127.0.0.1"))).toMatch(refusal);
  });
  test("a public and a private address", async () => {
    expect(await attempt(`http://mixed.example:${port}/`, resolving("8.8.8.8", "10.0.0.1"))).toMatch(refusal);
  });
  test("only a private IPv6 address", async () => {
    expect(await attempt(`http://six.example:${port}/`, resolving("::1"))).toMatch(refusal);
  });
  test.each(["ENOTFOUND", "ENODATA"])(
    "an unknown name (%s) causes the same error as an internal one",
    async (code) => {
      const unknown = ((_: string, __: object, callback: (error: Error) => void) =>
        callback(Object.assign(new Error(`getaddrinfo ${code} inside.example`), { code }))) as never;
      const url = `http://inside.example:${port}/`;
      expect(await attempt(url, unknown)).toBe(await attempt(url, resolving("10.0.0.1")));
      for (const from of ["https", "http"])
        await expect(fetchDocument(`${from}://inside.example/`, { lookup: unknown })).rejects.toThrow(
          from === "http" ? "only https URLs can be fetched" : refusal,
        );
    },
  );
  test("a name is resolved only once for a connection", async () => {
    let asked = 0;
    const rebinding = ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: ++asked === 1 ? "10.0.0.1" : "127.0.0.1", family: 4 }])) as never;
    expect(await attempt(`http://rebind.example:${port}/`, rebinding)).toMatch(refusal);
    expect(asked).toBe(1);
  });
});

describe("the operator's allow-list", () => {
  const resolving = (...addresses: string[]) =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      )) as never;
  const try_ = (url: string, address: string, allow: string) =>
    attempt(url.replace("PORT", String(port)), resolving(address), allow);

  test.each([
    ["http://api.corp.example:PORT/", "127.0.0.1", "api.corp.example"],
    ["http://API.corp.example.:PORT/", "127.0.0.1", "other.example, Api.Corp.Example"],
    ["http://a.b.corp.example:PORT/", "127.0.0.1", "*.corp.example"],
    ["http://api.corp.example:PORT/", "127.0.0.1", "127.0.0.0/8"],
    ["http://127.0.0.1:PORT/", "", "127.0.0.1"],
    ["http://api.corp.example:PORT/", "127.0.0.1", "x.example api.corp.example:1024-65535"],
    ["http://[::ffff:127.0.0.1]:PORT/", "", "127.0.0.0/8"],
  ])("%s at %s is allowed with %s", async (url, address, allow) => {
    expect(await try_(url, address, allow)).toBe("arrived: 200");
    expect(await try_(url, address, "")).toMatch(refusal);
  });

  test.each([
    ["http://evil.example:PORT/", "127.0.0.1", "api.corp.example"],
    ["http://corp.example.evil.example:PORT/", "127.0.0.1", "*.corp.example corp.example"],
    ["http://corp.example:PORT/", "127.0.0.1", "*.corp.example"],
    ["http://api.corp.example:PORT/", "127.0.0.1", "api.corp.example:443"],
    ["http://api.corp.example:22/", "127.0.0.1", "api.corp.example"],
    ["http://api.corp.example:PORT/", "127.0.0.1", "10.0.0.0/8"],
    // Entries with a name or a network don't allow metadata services.
    ["http://api.corp.example:PORT/", "169.254.169.254", "api.corp.example"],
    ["http://api.corp.example:PORT/", "168.63.129.16", "api.corp.example"],
    ["http://api.corp.example:PORT/", "fd00:ec2::254", "api.corp.example"],
    ["http://169.254.169.254:PORT/", "", "0.0.0.0/0 ::/0"],
    ["http://168.63.129.16:PORT/", "", "168.0.0.0/8"],
    ["http://[fd00:ec2::254]:PORT/", "", "fd00::/8"],
    ["http://[::ffff:169.254.169.254]:PORT/", "", "0.0.0.0/0 ::/0"],
    ["http://[64:ff9b::a9fe:a9fe]:PORT/", "", "64:ff9b::/96"],
    ["http://[2002:a9fe:a9fe::]:PORT/", "", "2002::/16"],
  ])("%s at %s is refused with %s", async (url, address, allow) => {
    expect(await try_(url, address, allow)).toMatch(refusal);
  });

  test("a metadata address is allowed only if exactly this address is listed", () => {
    const { hosts } = parseAllowedHosts("169.254.169.254 fd00:ec2::254 168.63.129.16/32:80");
    expect(hosts.allows("169.254.169.254", 80, "169.254.169.254")).toBe(true);
    expect(hosts.allows("metadata.example", 80, "fd00:ec2::254")).toBe(true);
    expect(hosts.allows("168.63.129.16", 80, "168.63.129.16")).toBe(true);
    expect(hosts.allows("168.63.129.16", 443, "168.63.129.16")).toBe(false);
    expect(hosts.allows("169.254.169.253", 80, "169.254.169.253")).toBe(false);
  });

  test("the error names the host and the setting, and doesn't say whether the name exists", async () => {
    expect(await try_("http://api.corp.example:PORT/", "127.0.0.1", "")).toBe(
      `api.corp.example can't be found, or this docs server isn't allowed to call it. Check the host name, or add api.corp.example:${port} to OCTAVO_OUTBOUND_ALLOW`,
    );
  });

  test.each([
    ["a service on one machine can call its own API", {}, "localhost", 4000, true],
    ["a service on one machine can't call other ports", {}, "localhost", 4001, false],
    [
      "a service whose URL has no port can't call its listening port",
      { OCTAVO_URL: "http://localhost" },
      "localhost",
      4000,
      false,
    ],
    [
      "a public service has no exception for its own API",
      { OCTAVO_URL: "https://docs.example.com" },
      "localhost",
      4000,
      false,
    ],
    [
      "hosts of the operator's list are allowed in addition",
      { OCTAVO_OUTBOUND_ALLOW: "127.0.0.0/8:4001" },
      "localhost",
      4001,
      true,
    ],
  ])("%s", (_, env, host, at, wanted) => {
    expect(
      readConfiguration({ OCTAVO_SECRET: "0123456789abcdef".repeat(2), ...env }).allowed.allows(
        host,
        at,
        "127.0.0.1",
      ),
    ).toBe(wanted);
  });

  test("invalid settings prevent the start and are all reported", () => {
    const read = () =>
      readConfiguration({
        OCTAVO_SECRET: "0123456789abcdef".repeat(2),
        OCTAVO_OUTBOUND_ALLOW: "http://a",
        NODE_EXTRA_CA_CERTS: "/no/ca.pem",
      });
    expect(read).toThrow(
      /OCTAVO_OUTBOUND_ALLOW: http:\/\/a isn't a host name[\s\S]*NODE_EXTRA_CA_CERTS must be the path to a PEM file, but there is no file at \/no\/ca.pem/,
    );
  });

  test("documents may use plain http on listed hosts only", async () => {
    const { hosts: allowed } = parseAllowedHosts("127.0.0.1");
    expect(await fetchDocument(local("/api.json"), { allowed })).toContain("openapi");
    await expect(fetchDocument("http://8.8.8.8/api.json", { allowed })).rejects.toThrow(
      "only https URLs can be fetched",
    );
  });

  test.each([
    "http://api.example",
    "api.example/v1",
    "*",
    "api.*.example",
    "10.0.0.0/33",
    "10.0.0.0/x",
    "api.example:0",
    "api.example:90000",
    "api.example:9-8",
    "169.254.0.0/16",
    "fe80::/10",
    "fe80::1%eth0",
    "user@api.example",
    "300.1.1.1",
    "127.1",
  ])("%s is not a valid entry", (entry) => {
    expect(parseAllowedHosts(`good.example ${entry}`).problems).toEqual([
      expect.stringMatching(/^OCTAVO_OUTBOUND_ALLOW: /),
    ]);
  });
});

describe("documents by URL", () => {
  const inside = { allowPrivate: true };

  test("a document is fetched", async () => {
    expect(await fetchDocument(local("/api.json"), inside)).toBe('{"openapi":"3.1.0"}');
  });
  test("only https, and no private addresses", async () => {
    await expect(fetchDocument(local("/api.json"))).rejects.toThrow(
      "only https URLs can be fetched, unless the host is listed in OCTAVO_OUTBOUND_ALLOW",
    );
    await expect(fetchDocument(`https://127.0.0.1:${port}/`)).rejects.toThrow(refusal);
  });
  test("at most three redirects are followed, and each is checked", async () => {
    const chain = (hops: number): string =>
      hops === 0 ? "/api.json" : `/redirect?to=${encodeURIComponent(chain(hops - 1))}`;
    expect(await fetchDocument(local(chain(3)), inside)).toContain("openapi");
    await expect(fetchDocument(local(chain(4)), inside)).rejects.toThrow("more than 3 times");
    await expect(fetchDocument(local("/redirect?to=file:///etc/passwd"), inside)).rejects.toThrow(
      "only http and https",
    );
  });
  test("decompression stops at the limit", async () => {
    await expect(fetchDocument(local("/bomb"), inside)).rejects.toThrow("larger than 64 MB");
  });
  test("a response that never ends", async () => {
    const started = Date.now();
    await expect(fetchDocument(local("/slow"), { ...inside, timeout_ms: 500 })).rejects.toThrow(
      "within 0.5 seconds",
    );
    expect(Date.now() - started).toBeLessThan(5_000);
  });
  test("transient errors are retried, and other errors are not", async () => {
    expect(await fetchDocument(local("/once"), inside)).toContain("openapi");
    const before = arrived.length;
    await expect(fetchDocument(local("/gone"), inside)).rejects.toThrow("status 404");
    expect(arrived.length).toBe(before + 1);
  });
});
