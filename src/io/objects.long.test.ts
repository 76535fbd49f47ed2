/**
 * Tests that object storage in a folder and on a real S3 server behaves the same, including signed links.
 * Also tests S3 with transient errors.
 */

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../test/service/postgres.ts";
import { type RunningService, send } from "../../test/service/service.ts";
import { startService } from "../../test/shared/service.ts";
import { missingSwift, startSwift } from "../../test/shared/swift.js";
import { FolderObjects } from "./folder-objects.ts";
import type { Objects } from "./objects.ts";
import { openObjects } from "./open-objects.ts";
import { S3Objects } from "./s3-objects.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-objects-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noS3 = missingSwift();
if (noS3) console.error(`Not tested with S3: ${noS3}.`);

/** Starts a service that uses storage in a folder and serves its links, and opens the same storage. */
async function startFolder() {
  const port = await freePort();
  const storage = `file:${path.join(folder, "store")}`;
  const service: RunningService = await startService({
    port,
    storage,
    secret: "a secret of the tests of this test, long enough to be one",
  });
  const objects = await openObjects(storage, {
    url: `http://localhost:${port}`,
    secret: "a secret of the tests of this test, long enough to be one",
  });
  return { objects, stop: () => service.stop() };
}

let swift: Awaited<ReturnType<typeof startSwift>>;
beforeAll(async () => {
  if (noS3) return;
  swift = await startSwift();
  Object.assign(process.env, swift.env);
});
afterAll(() => swift?.stop());

async function startS3() {
  await swift.createBucket("octavo-tests");
  return {
    objects: await openObjects(swift.storage("octavo-tests"), { url: "", secret: "" }),
    stop: async () => {},
  };
}

async function listed(objects: Objects, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of objects.keys(prefix)) keys.push(key);
  return keys.sort();
}

async function read(stream: AsyncIterable<Buffer> | undefined): Promise<string | undefined> {
  if (!stream) return undefined;
  let text = "";
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

const stores = [
  ["a folder", startFolder, undefined],
  ["S3", startS3, noS3],
] as const;

for (const [name, start, missing] of stores)
  describe.skipIf(missing)(`objects in ${name}`, () => {
    let objects: Objects;
    let stop: () => Promise<unknown>;
    beforeAll(async () => {
      ({ objects, stop } = await start());
    });
    afterAll(() => stop());

    test("put, get, replace, delete", async () => {
      await objects.put("a/b.txt", Buffer.from("one"));
      await objects.put("a/b.txt", Buffer.from("two"));
      expect(Buffer.from((await objects.get("a/b.txt"))!).toString()).toBe("two");
      await objects.delete("a/b.txt");
      await objects.delete("a/b.txt");
      expect(await objects.get("a/b.txt")).toBeUndefined();
      expect(await objects.open("a/b.txt")).toBeUndefined();
      await objects.put("a/empty", new Uint8Array());
      expect((await objects.get("a/empty"))!.length).toBe(0);
    });

    test("the size is returned without reading the object", async () => {
      await objects.put("sized/one", Buffer.from("12345"));
      expect(await objects.size("sized/one")).toBe(5);
      expect(await objects.size("sized/none")).toBeUndefined();
    });

    test("a range ends with its last byte", async () => {
      await objects.put("range", Buffer.from("0123456789"));
      expect(await read(await objects.open("range", { start: 2, end: 4 }))).toBe("234");
      expect(await read(await objects.open("range", { start: 9, end: 9 }))).toBe("9");
      expect(await read(await objects.open("range"))).toBe("0123456789");
    });

    test("keys with a prefix that doesn't need to end at a folder", async () => {
      for (const key of ["list/a/1", "list/a/2", "list/ab", "list/b"])
        await objects.put(key, Buffer.from("x"));
      expect(await listed(objects, "list/a")).toEqual(["list/a/1", "list/a/2", "list/ab"]);
      expect(await listed(objects, "list/a/")).toEqual(["list/a/1", "list/a/2"]);
      expect(await listed(objects, "none/")).toEqual([]);
    });

    test("23 MB from a file and back, unchanged", async () => {
      const bytes = randomBytes(23_000_000);
      const file = path.join(folder, "large");
      writeFileSync(file, bytes);
      await objects.put("large", { file });
      const hash = createHash("sha256");
      for await (const chunk of (await objects.open("large"))!) hash.update(chunk as Buffer);
      expect(hash.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
    });

    test.each(["../x", "/x", "a/../b", "a//b", ".parts/x", "a/.b", "A", "a b", "", "a\\b", "a%2fb"])(
      "%j is not a valid key",
      async (key) => {
        await expect(objects.put(key, Buffer.from("x"))).rejects.toThrow(/valid object key/);
        await expect(objects.get(key)).rejects.toThrow(/valid object key/);
      },
    );

    describe("a link", () => {
      let url: URL;
      beforeAll(async () => {
        await objects.put("secret/one", Buffer.from("one"));
        await objects.put("secret/two", Buffer.from("two"));
        const link = await objects.link("secret/one", { seconds: 60, fileName: "bundle.tar.gz" });
        url = new URL(link.url);
        expect(Math.abs(link.expiresAt.getTime() - Date.now() - 60_000)).toBeLessThan(2_000);
      });

      const ask = (
        link: URL,
        more: { method?: string; host?: string; body?: string; headers?: Record<string, string> } = {},
      ) => send({ port: Number(link.port), path: link.pathname + link.search, host: link.host, ...more });
      const changed = (change: (link: URL) => void) => {
        const link = new URL(url);
        change(link);
        return link;
      };
      const names = () => [...url.searchParams.keys()];
      const named = (part: RegExp) => names().find((key) => part.test(key))!;

      test("serves the object as an attachment any number of times", async () => {
        for (let i = 0; i < 2; i++) {
          const answer = await ask(url);
          expect([answer.status, answer.text]).toEqual([200, "one"]);
          expect(answer.headers["content-disposition"]).toBe('attachment; filename="bundle.tar.gz"');
        }
      });

      test("returns the length, and serves the rest of an interrupted download", async () => {
        expect((await ask(url)).headers["content-length"]).toBe("3");
        const rest = await ask(url, { headers: { range: "bytes=1-" } });
        expect([rest.status, rest.text, rest.headers["content-range"]]).toEqual([206, "ne", "bytes 1-2/3"]);
        expect((await ask(url, { headers: { range: "bytes=7-" } })).status).toBe(416);
      });

      test("with a different key is refused", async () => {
        expect(
          (await ask(changed((link) => (link.pathname = link.pathname.replace("one", "two"))))).status,
        ).toBe(403);
        expect(
          (await ask(changed((link) => (link.pathname = link.pathname.replace("secret/one", ""))))).status,
        ).not.toBe(200);
      });

      test("with a different expiry is refused", async () => {
        const end = named(/expires/i);
        expect(
          (
            await ask(
              changed((link) => link.searchParams.set(end, String(Number(url.searchParams.get(end)) + 500))),
            )
          ).status,
        ).toBe(403);
      });

      test("without its signature, or with a different one, is refused", async () => {
        const signature = named(/signature$/i);
        expect((await ask(changed((link) => link.searchParams.delete(signature)))).status).toBe(403);
        expect((await ask(changed((link) => link.searchParams.set(signature, "0".repeat(64))))).status).toBe(
          403,
        );
      });

      test("with a different file name is refused", async () => {
        const disposition = named(/^name$|disposition/);
        expect((await ask(changed((link) => link.searchParams.set(disposition, "evil.html")))).status).toBe(
          403,
        );
      });

      test.each(["PUT", "POST", "DELETE"])("does not serve %s", async (method) => {
        expect((await ask(url, { method, body: "evil" })).status).toBeGreaterThanOrEqual(400);
        expect(Buffer.from((await objects.get("secret/one"))!).toString()).toBe("one");
      });

      test("for a different host is refused", async () => {
        expect((await ask(url, { host: "elsewhere.example" })).status).toBeGreaterThanOrEqual(400);
      });

      test("lists nothing", async () => {
        expect(
          (await ask(changed((link) => (link.pathname = link.pathname.replace(/secret\/one$/, ""))))).text,
        ).not.toContain("secret/two");
      });

      test("expires at its expiry", async () => {
        const link = await objects.link("secret/one", { seconds: 2, fileName: "x" });
        expect((await ask(new URL(link.url))).status).toBe(200);
        await wait(link.expiresAt.getTime() - Date.now() + 1_000);
        expect((await ask(new URL(link.url))).status).toBe(403);
      });
    });
  });

/** Handles one request to the store. `pass` sends the request on to the store. */
type Fault = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

async function startFaultyProxy(target: URL) {
  let fault: Fault | undefined;
  const server = createServer((request, response) => {
    const pass = () => {
      const onward = httpRequest(
        {
          host: target.hostname,
          port: target.port,
          path: request.url,
          method: request.method,
          headers: request.headers,
        },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(onward);
    };
    const now = fault;
    fault = undefined;
    if (now) now(request, response, pass);
    else pass();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    failNext: (next: Fault) => (fault = next),
    hasFailed: () => fault === undefined,
    stop: () => void server.close(),
  };
}

describe.skipIf(noS3)("S3 with transient errors", () => {
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
  let objects: Objects;
  const bytes = randomBytes(300_000);
  const file = path.join(folder, "some");

  beforeAll(async () => {
    proxy = await startFaultyProxy(new URL(swift.endpoint));
    await swift.createBucket("octavo-faults");
    objects = await openObjects(`s3://octavo-faults?endpoint=${proxy.endpoint}`, { url: "", secret: "" });
    writeFileSync(file, bytes);
  });
  afterAll(() => proxy.stop());

  const faults: [string, Fault][] = [
    [
      "503 SlowDown",
      (_request, response) => response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>"),
    ],
    ["a connection that is reset", (request) => request.socket.destroy()],
    [
      "an answer that ends in the middle",
      (request, response) => {
        response.writeHead(200, { "content-length": "300000" });
        response.write(bytes.subarray(0, 1_000));
        setTimeout(() => request.socket.destroy(), 50);
      },
    ],
    ["2 s of silence", (_request, _response, pass) => setTimeout(pass, 2_000)],
  ];
  const calls: [string, () => Promise<void>][] = [
    ["put of bytes", () => objects.put("a", bytes)],
    ["put of a file", () => objects.put("a", { file })],
    ["get", async () => expect(Buffer.from((await objects.get("a"))!).equals(bytes)).toBe(true)],
    ["delete", () => objects.delete("b")],
    ["keys", async () => expect(await listed(objects, "a")).toEqual(["a"])],
  ];

  for (const [title, fault] of faults)
    test.each(calls)(`${title}: %s`, async (_, call) => {
      await objects.put("a", bytes);
      proxy.failNext(fault);
      await call();
      expect(proxy.hasFailed()).toBe(true);
      expect(Buffer.from((await objects.get("a"))!).equals(bytes)).toBe(true);
    });

  test("permanent errors are not retried", async () => {
    const elsewhere = await openObjects(`s3://no-such-bucket?endpoint=${proxy.endpoint}`, {
      url: "",
      secret: "",
    });
    const asked = performance.now();
    await expect(elsewhere.put("a", bytes)).rejects.toThrow();
    expect(performance.now() - asked).toBeLessThan(1_000);
  });
});

describe.concurrent("S3 that stops responding", () => {
  const stall_ms = 1_000;
  const firstPart = Buffer.alloc(200_000, "a");
  let calls = 0;
  let server: Server;
  let objects: Objects;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const size = request.url!.includes("small") ? 3 : 2 * firstPart.length;
      response.writeHead(200, { "content-length": size });
      if (request.url!.includes("small")) calls++ === 0 ? response.write("a") : response.end("abc");
      else if (request.url!.includes("stalled")) response.write(firstPart);
      else response.end(Buffer.concat([firstPart, firstPart]));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.env.AWS_ACCESS_KEY_ID ??= "test";
    process.env.AWS_SECRET_ACCESS_KEY ??= "test";
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    objects = new S3Objects({ bucket: "bucket", endpoint, stall_ms });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("a call is retried after too long without data", async () => {
    expect(Buffer.from((await objects.get("small"))!).toString()).toBe("abc");
    expect(calls).toBe(2);
  });

  test("a stream fails after too long without data", async () => {
    const stream = (await objects.open("stalled"))!;
    await expect(buffer(stream)).rejects.toThrow("stopped sending data");
  });

  test("a reader that pauses for longer gets the whole object", async () => {
    const stream = (await objects.open("whole"))!;
    await wait(2 * stall_ms);
    expect((await buffer(stream)).length).toBe(2 * firstPart.length);
  });
});

describe("a folder of objects", () => {
  test("unfinished files of a process are removed and not listed", async () => {
    const root = path.join(folder, "parts");
    mkdirSync(path.join(root, ".parts"), { recursive: true });
    writeFileSync(path.join(root, ".parts/old"), "x");
    writeFileSync(path.join(root, ".parts/new"), "x");
    utimesSync(path.join(root, ".parts/old"), new Date(), new Date(Date.now() - 7_200_000));
    const objects = await FolderObjects.open(root, { url: "", secret: "" });
    expect(readdirSync(path.join(root, ".parts"))).toEqual(["new"]);
    expect(await listed(objects, "")).toEqual([]);
  });
});
