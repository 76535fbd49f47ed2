import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { parseAllowedHosts } from "./allowed-hosts.ts";
import { type DownloadOptions, download } from "./download.ts";

const folder = temporaryFolder();
const received: { url: string | undefined; names: string[] }[] = [];
const answer: RequestListener = (request, response) => {
  received.push({ url: request.url, names: Object.keys(request.headers) });
  const [, kind, rest = ""] = /^\/(\w+)\/?(.*)$/.exec(request.url!)!;
  if (kind === "redirect") response.writeHead(302, { location: decodeURIComponent(rest) || "/file" }).end();
  else if (kind === "loop") response.writeHead(302, { location: "/loop" }).end();
  else if (kind === "error")
    response.writeHead(403).end(`<?xml version="1.0"?><Error><Code>${rest}</Code></Error>`);
  else response.writeHead(200).end("content");
};
const servers = [createServer(answer), createServer(answer)];
const hosts: string[] = [];

beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    hosts.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});
afterAll(() => servers.forEach((server) => server.close()));

const fetched = async (at: string, options: Partial<DownloadOptions> = {}) => {
  const file = path.join(folder, "file");
  const limits = {
    most_bytes: 1_000,
    stall_ms: 5_000,
    tries_count: 1,
    pause_ms: 1,
    signal: new AbortController().signal,
  };
  await download(new URL(at, hosts[0]), file, { ...limits, ...options });
  return readFileSync(file, "utf8");
};

describe("redirects of a download", () => {
  test("to the same host are followed, without credentials", async () => {
    received.length = 0;
    expect(await fetched("/redirect")).toBe("content");
    expect(received.map(({ url }) => url)).toEqual(["/redirect", "/file"]);
    expect(received[1]!.names.sort()).toEqual(["connection", "host"]);
  });

  test("to another host in a private network are followed only if the operator allows the host", async () => {
    const at = `/redirect/${encodeURIComponent(`${hosts[1]}/file`)}`;
    await expect(fetched(at)).rejects.toThrow("isn't allowed to call");
    expect(await fetched(at, { allowed: parseAllowedHosts(new URL(hosts[1]!).host).hosts })).toBe("content");
  });

  test.each([
    ["/loop", "status 302"],
    [`/redirect/${encodeURIComponent("file:///etc/passwd")}`, "only http and https"],
    [`/redirect/${encodeURIComponent("http://user:secret@127.0.0.1/")}`, "user name or password"],
  ])("from %s are refused", (at, message) => expect(fetched(at)).rejects.toThrow(message));
});

test.each(["AccessDenied", "SignatureDoesNotMatch"])(
  "the error code %s of an object store is in the message",
  (code) => expect(fetched(`/error/${code}`)).rejects.toThrow(`status 403 (${code})`),
);
