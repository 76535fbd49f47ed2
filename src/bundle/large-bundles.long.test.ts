/** Large bundles over slow, stalled and interrupted connections. */

import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { breakAfter, bundle, startStore } from "../../test/bundle/bundles.ts";
import { writeLargeBundle } from "../../test/bundle/large-bundle.ts";
import { startBundleServer } from "../../test/bundle/server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = bundle("v1", "first");
const rangeOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);

test("a download of 300 MB is resumed after a stall, with at most 256 MB of memory", {
  timeout: 240_000,
}, async () => {
  const archive = path.join(folder, "large.tar.gz");
  const { bytes } = await writeLargeBundle(archive, {
    version: "v1",
    pages: 3_000,
    pictures: 2_800,
    level: 0,
  });
  expect(bytes).toBeGreaterThan(300_000_000);
  const half = Math.floor(bytes / 2);
  const store = await startStore((request, response) => {
    const start = rangeOf(request.headers.range);
    response.writeHead(start ? 206 : 200, {
      etag: '"large"',
      "content-length": statSync(archive).size - start,
    });
    // The connection stalls from here on.
    if (start === 0) createReadStream(archive, { end: half - 1 }).pipe(response, { end: false });
    else createReadStream(archive, { start }).pipe(response);
  });
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/large` });
  let peak_mb = 0;
  const watching = setInterval(() => (peak_mb = Math.max(peak_mb, memoryOf_mb(server.process.pid!))), 50);
  try {
    expect(await server.settled(120_000)).toMatchObject({ code: 200, version: "v1", stale: false });
    expect(store.asked.map(({ range }) => range)).toEqual([undefined, `bytes=${half}-`]);
    expect((await server.get("/images/2799.png")).body).toHaveLength(100_000);
    // Compression continues in the background.
    await expect
      .poll(
        async () =>
          (await server.get("/group-1/page-1", { "accept-encoding": "gzip" })).headers["content-encoding"],
        {
          timeout: 60_000,
        },
      )
      .toBe("gzip");
    expect(peak_mb).toBeGreaterThan(0);
    expect(peak_mb).toBeLessThan(256);
  } finally {
    clearInterval(watching);
    await server.stop();
    store.close();
  }
});

/** Peak memory of a process in MiB. */
function memoryOf_mb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
}

describe("an interrupted connection", () => {
  test.each<[string, Record<string, string>, boolean, (string | undefined)[]]>([
    [
      "a store without range requests restarts the download",
      { etag: '"x"' },
      false,
      [undefined, "bytes=500-"],
    ],
    ["a store without an ETag restarts the download", {}, true, [undefined, undefined]],
    ["a store with a weak ETag restarts the download", { etag: 'W/"x"' }, true, [undefined, undefined]],
    ["a store with range requests resumes the download", { etag: '"x"' }, true, [undefined, "bytes=500-"]],
  ])("%s", async (_title, headers, knowsParts, asked) => {
    let count = 0;
    const store = await startStore((request, response) => {
      const start = knowsParts ? rangeOf(request.headers.range) : 0;
      response.writeHead(start ? 206 : 200, { ...headers, "content-length": good.length - start });
      if (++count === 1) breakAfter(response, good.subarray(0, 500));
      else response.end(good.subarray(start));
    });
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
    expect(store.asked.map(({ range }) => range)).toEqual(asked);
    await server.stop();
    store.close();
  });

  test("the received part is kept while the store is busy or unreachable", async () => {
    let count = 0;
    const store = await startStore((request, response) => {
      const start = rangeOf(request.headers.range);
      count++;
      if (count === 2) return void response.writeHead(503).end();
      if (count === 3) return void response.destroy();
      response.writeHead(start ? 206 : 200, { etag: '"x"', "content-length": good.length - start });
      if (count === 1) breakAfter(response, good.subarray(0, 500));
      else response.end(good.subarray(start));
    });
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v1" });
    expect(store.asked.map(({ range }) => range)).toEqual([
      undefined,
      "bytes=500-",
      "bytes=500-",
      "bytes=500-",
    ]);
    await server.stop();
    store.close();
  });

  test("another file at the same URL is downloaded whole, and the two files are not mixed", async () => {
    const next = bundle("v2", "second");
    let count = 0;
    const store = await startStore((_request, response) => {
      const bytes = ++count === 1 ? good : next;
      response.writeHead(200, { etag: `"${count}"`, "content-length": bytes.length });
      if (count === 1) breakAfter(response, bytes.subarray(0, 500));
      else response.end(bytes);
    });
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v2" });
    expect((await server.get("/")).text).toBe("<h1>second</h1>");
    await server.stop();
    store.close();
  });

  test("a store that has no further bytes (416) restarts the download", async () => {
    let count = 0;
    const store = await startStore((request, response) => {
      if (++count === 2) return void response.writeHead(416).end();
      response.writeHead(200, { etag: '"x"', "content-length": good.length });
      if (count === 1) breakAfter(response, good.subarray(0, 500));
      else response.end(request.headers.range ? "" : good);
    });
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v1" });
    expect(store.asked.map(({ range }) => range)).toEqual([undefined, "bytes=500-", undefined]);
    await server.stop();
    store.close();
  });
});

test("a slow download does not time out, and the current bundle is served meanwhile", {
  timeout: 120_000,
}, async () => {
  const next = bundle("v2", "second");
  let isSlow = false;
  const store = await startStore((_request, response) => {
    response.writeHead(200, { etag: '"x"' });
    if (!isSlow) return void response.end(good);
    let at = 0;
    const timer = setInterval(() => {
      response.write(next.subarray(at, at + 100));
      at += 100;
      if (at < next.length) return;
      clearInterval(timer);
      response.end();
    }, 400);
  });
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
  expect(await server.settled()).toMatchObject({ version: "v1" });
  isSlow = true;
  const started = performance.now();
  const coming = server.fetchAgain();
  let pages = 0;
  while ((await server.ready()).version === "v1") {
    expect((await server.get("/")).status).toBe(200);
    pages++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await coming).toMatchObject({ version: "v2", stale: false });
  expect(performance.now() - started).toBeGreaterThan(2_000);
  expect(pages).toBeGreaterThan(20);
  await server.stop();
  store.close();
});
