/**
 * Preview servers refuse requests that other sites make a browser send, and don't follow symbolic links out
 * of their folder.
 */

import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { type Sent, send } from "../../test/service/service.ts";
import { preview } from "./commands/preview.ts";
import type { Terminal } from "./terminal.ts";

const operation = "_octavo/api/ping.json";
let port = 0;
let arrived = 0;
let stop = () => {};
const ended: Promise<unknown>[] = [];
const localApi = createServer((_, response) => {
  arrived++;
  response.end("local");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => localApi.listen(0, "127.0.0.1", resolve));
  const outside = writeFiles(temporaryFolder(), { "secret.txt": "secret", "folder/secret.txt": "secret" });
  const site = writeFiles(temporaryFolder(), {
    "_octavo/redirects.json": JSON.stringify({ redirects: [], notFound: "page", links: "html" }),
    "_octavo/proxy.json": JSON.stringify({
      [operation]: [localOrigin(), "http://169.254.169.254", "http://10.0.0.1:8000"],
    }),
    "index.html": "<p>Home</p>",
    "404.html": "<p>Not found</p>",
  });
  symlinkSync(path.join(outside, "secret.txt"), path.join(site, "link.txt"));
  symlinkSync(path.join(outside, "folder"), path.join(site, "linked"));
  symlinkSync(path.join(site, "index.html"), path.join(site, "own.html"));
  const root = path.join(temporaryFolder(), "site");
  symlinkSync(site, root);
  port = await serve(root);
});

afterAll(async () => {
  stop();
  localApi.close();
  await Promise.all(ended);
});

const localOrigin = () => `http://127.0.0.1:${(localApi.address() as AddressInfo).port}`;

/** Resolves with the port. */
function serve(folder: string): Promise<number> {
  return new Promise((resolve) => {
    const terminal = {
      out: (text: string) => resolve(Number(/localhost:(\d+)/.exec(text)![1])),
      outboundAllow: "",
      interrupted: new Promise<void>((interrupt) => {
        stop = interrupt;
      }),
    } as Partial<Terminal> as Terminal;
    ended.push(
      preview.run(
        {
          positionals: [folder],
          values: { port: "0", "allow-host": "docs.corp.example, docs.tunnel.example" },
        },
        terminal,
      ),
    );
  });
}

const get = (more: Partial<Sent> = {}) => send({ port, path: "/", ...more });

function proxied(target: string, host = `localhost:${port}`, headers: Record<string, string> = {}) {
  return get({
    path: "/_octavo/proxy",
    method: "POST",
    host,
    headers: {
      origin: `http://${host}`,
      "octavo-operation": `/${operation}`,
      "octavo-method": "GET",
      "octavo-target": target,
      "octavo-headers": Buffer.from("[]").toString("base64url"),
      ...headers,
    },
  });
}

describe("host names of a preview", () => {
  const own = [
    "localhost",
    "LOCALHOST",
    "127.0.0.1",
    "[::1]",
    "docs.localhost",
    "docs.corp.example",
    "docs.tunnel.example",
  ];
  test.each(own.flatMap((host) => [[host], [`${host}:4000`]]))("accepts %s", async (host) => {
    expect((await get({ host })).text).toBe("<p>Home</p>");
  });

  const others = [
    "evil.example",
    "localhost.evil.example",
    "evil-localhost",
    "127.0.0.1.evil.example",
    "127.0.0.2",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "x.docs.corp.example",
    "docs.corp.example.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
  ];
  test.each(others.map((host) => [host]))("refuses %s", async (host) => {
    const { status, text } = await get({ host });
    expect([status, text]).toEqual([403, expect.stringContaining("Request blocked: ")]);
  });

  test("the error message contains the option", async () => {
    expect((await get({ host: "docs.other.example" })).text).toContain(
      "start the preview with --allow-host docs.other.example",
    );
  });

  test("an invalid host name ends the command", async () => {
    const run = preview.run(
      { positionals: [temporaryFolder()], values: { "allow-host": "https://docs.example.com" } },
      {} as Terminal,
    );
    await expect(run).rejects.toThrow(/--allow-host accepts host names, such as docs\.example\.com/);
  });
});

describe("requests from another site are refused", () => {
  test.each(["/", "/_octavo/events", "/_octavo/proxy", "/index.html"])("%s", async (at) => {
    for (const origin of ["https://evil.example", "null", "http://localhost:1", "https://docs.corp.example"])
      expect((await get({ path: at, headers: { origin } })).status, origin).toBe(403);
  });
});

test("pages of other sites can't load files of a preview", async () => {
  for (const path of ["/", "/_octavo/redirects.json", "/nothing"])
    expect((await get({ path })).headers["cross-origin-resource-policy"], path).toBe("same-origin");
});

describe("the proxy of a preview", () => {
  test("reaches servers on this machine for pages on this machine", async () => {
    expect((await proxied(`${localOrigin()}/ping`)).text).toBe("local");
  });

  test("reaches no servers on this machine for readers at an allowed host", async () => {
    arrived = 0;
    expect((await proxied(`${localOrigin()}/ping`, "docs.tunnel.example")).json.code).toBe("address");
    expect(arrived).toBe(0);
  });

  test.each(["http://169.254.169.254/latest/meta-data", "http://10.0.0.1:8000/"])(
    "does not reach %s",
    async (target) => {
      const { status, json } = await proxied(target);
      expect([status, json.code]).toEqual([403, "address"]);
    },
  );
});

test("a preview does not follow symbolic links to files outside of its folder", async () => {
  for (const at of ["/link.txt", "/linked/secret.txt", "/%6cink.txt"]) {
    const { status, text } = await get({ path: at });
    expect([at, status, text]).toEqual([at, 404, "<p>Not found</p>"]);
  }
  expect((await get({ path: "/own.html" })).status).toBe(200);
});
