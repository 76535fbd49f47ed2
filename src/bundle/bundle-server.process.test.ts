/** The bundle server: fetches, checks and serves bundles, and switches between them. */

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { breakAfter, bundle, startStore } from "../../test/bundle/bundles.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "octavo-bundles-"));
  file = path.join(folder, "bundle.tar.gz");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = bundle("v1", "first");

describe("a good bundle", () => {
  let server: BundleServer;

  beforeAll(async () => {
    writeFileSync(file, good);
    server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
  });
  afterAll(() => server.stop());

  test("is served at any host name, by the same rules as in the service", async () => {
    expect(await server.settled()).toEqual({ code: 200, status: "ready", version: "v1", stale: false });
    const page = await server.get("/guides/start");
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("Start first");
    expect(page.headers["content-security-policy"]).toContain("default-src 'self'");
    expect((await server.get("/guides/start.html")).status).toBe(200);
    expect((await server.get("/nothing")).text).toBe("<h1>Not found</h1>");
    expect(
      (await server.get("/", { "if-none-match": String((await server.get("/")).headers.etag) })).status,
    ).toBe(304);
    expect((await server.get("/_octavo/page-0123456789.js")).headers["cache-control"]).toContain("immutable");
    expect((await server.get("/manifest.json")).status).toBe(404);
    expect((await server.get("/_octavo/redirects.json")).text).not.toContain("redirects");
  });

  test("is served compressed after compression", async () => {
    await expect
      .poll(
        async () =>
          (await server.get("/guides/start", { "accept-encoding": "gzip" })).headers["content-encoding"],
      )
      .toBe("gzip");
  });

  test("is ready, and shows details on the operator's port only", async () => {
    const { status, text } = await server.get("/readyz");
    expect([status, text]).toEqual([200, '{"status":"ready"}']);
    expect((await server.get("/status")).text).toBe("<h1>Not found</h1>");
    expect(await server.ready()).toMatchObject({ version: "v1", stale: false });
  });

  test("is replaced by the next one without a failed request", async () => {
    writeFileSync(file, bundle("v2", "second"));
    let isDone = false;
    const seen = new Map<string, number>();
    const asking = (async () => {
      while (!isDone) {
        const { status, text } = await server.get("/");
        const key = `${status} ${text}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    })();
    expect(await server.fetchAgain()).toMatchObject({ code: 200, version: "v2", stale: false });
    await new Promise((resolve) => setTimeout(resolve, 100));
    isDone = true;
    await asking;
    expect([...seen.keys()].sort()).toEqual(
      ["200 <h1>first</h1>", "200 <h1>second</h1>"].filter((key) => seen.has(key)),
    );
    expect((await server.get("/")).text).toBe("<h1>second</h1>");
  });
});

describe("a damaged bundle is not served", () => {
  let server: BundleServer;

  beforeAll(async () => {
    writeFileSync(file, good);
    server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
    await server.settled();
  });
  afterAll(() => server.stop());

  const hash = "0".repeat(64);
  test.each([
    ["an empty file", Buffer.alloc(0), "isn't an archive from an export"],
    ["not gzip", Buffer.from("<Error>AccessDenied</Error>"), "isn't an archive from an export"],
    ["truncated", good.subarray(0, good.length - 200), "archive is incomplete"],
    ["only the gzip header", good.subarray(0, 10), "archive is incomplete"],
    ["additional bytes at the end", Buffer.concat([good, Buffer.from("more")]), "damaged"],
    [
      "a file that is not listed",
      bundle("v2", "evil", { more: [{ name: "extra.html", content: "x" }] }),
      "isn't in its manifest",
    ],
    ["a file that is missing", bundle("v2", "evil", { without: ["index.html"] }), "is missing index.html"],
    [
      "a file with another hash",
      bundle("v2", "evil", { manifest: ({ files }) => void (files[4]!.sha256 = hash) }),
      "doesn't match the manifest",
    ],
    [
      "a file with another size",
      bundle("v2", "evil", { manifest: ({ files }) => void files[4]!.bytes++ }),
      "according to the manifest",
    ],
    [
      "a manifest with another format",
      bundle("v2", "evil", { manifest: (manifest) => void (manifest.formatVersion = 2) }),
      "format 2",
    ],
    [
      "a manifest without files",
      bundle("v2", "evil", { manifest: (manifest) => void (manifest.files = []) }),
      "is damaged",
    ],
    [
      "a manifest with a path outside of the bundle",
      bundle("v2", "evil", { manifest: ({ files }) => void (files[0]!.path = "../x") }),
      "is damaged",
    ],
    [
      "a path outside of the bundle",
      bundle("v2", "evil", { more: [{ name: "../evil.html", content: "x" }] }),
      "evil.html",
    ],
    [
      "an absolute path",
      bundle("v2", "evil", { more: [{ name: "/tmp/evil.html", content: "x" }] }),
      "evil.html",
    ],
    [
      "a link",
      bundle("v2", "evil", { more: [{ name: "link.html", type: "2", link: "/etc/passwd" }] }),
      "is a link",
    ],
    [
      "a hard link",
      bundle("v2", "evil", { more: [{ name: "link.html", type: "1", link: "index.html" }] }),
      "is a link",
    ],
    ["a device", bundle("v2", "evil", { more: [{ name: "null", type: "3" }] }), "is a device"],
    ["a duplicate name", bundle("v2", "evil", { more: [{ name: "index.html", content: "x" }] }), "twice"],
    [
      "a header with a huge size",
      bundle("v2", "evil", { more: [{ name: "huge", size: 7_000_000_000, content: "x" }] }),
      "larger than",
    ],
  ])("%s", async (_title, bytes, message) => {
    writeFileSync(file, bytes);
    const state = await server.fetchAgain();
    expect(state).toMatchObject({ code: 200, status: "ready", version: "v1", stale: true });
    expect(state.problem).toContain(message);
    expect(state.problem).toContain("The server keeps serving version v1, the last good version");
    expect((await server.get("/")).text).toBe("<h1>first</h1>");
  });

  test("the files of the served bundle are unchanged", async () => {
    expect((await server.get("/guides/start")).text).toContain("Start first");
  });
});

describe("1,000 bundles with one flipped bit", () => {
  const next = bundle("v2", "second");

  /**
   * Copies of the bundle with one flipped bit, and their names: every bit of the gzip header, then random
   * bits.
   */
  function* flips(): Generator<[string, Buffer]> {
    let seed = 7;
    for (let round = 0; round < 1_000; round++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const at = round < 80 ? Math.floor(round / 8) : seed % next.length;
      const bytes = Buffer.from(next);
      bytes[at]! ^= 1 << (round % 8);
      yield [`bit ${round % 8} of byte ${at}`, bytes];
    }
  }

  test("none is accepted if the archive's hash is pinned", { timeout: 300_000 }, async () => {
    const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
    writeFileSync(file, good);
    const before = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    await before.settled();
    await before.stop();
    const sha256 = createHash("sha256").update(next).digest("hex");
    const server = await startBundleServer(
      { OCTAVO_BUNDLE_URL: file, OCTAVO_BUNDLE_SHA256: sha256 },
      { volume },
    );
    await server.settled();
    for (const [name, bytes] of flips()) {
      writeFileSync(file, bytes);
      expect(await server.fetchAgain(), name).toMatchObject({ version: "v1", stale: true });
    }
    writeFileSync(file, next);
    expect(await server.fetchAgain()).toMatchObject({ version: "v2", stale: false });
    await server.stop();
    rmSync(volume, { recursive: true });
  });

  test("if the hash is not pinned, all served files are unchanged", { timeout: 300_000 }, async () => {
    writeFileSync(file, good);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
    await server.settled();
    let same = 0;
    for (const [name, bytes] of flips()) {
      writeFileSync(file, bytes);
      const state = await server.fetchAgain();
      if (state.version === "v1") continue;
      // Some bits of an archive can be changed without changing its files.
      same++;
      expect((await server.get("/")).text, name).toBe("<h1>second</h1>");
      expect(gunzipSync(bytes).equals(gunzipSync(next)), name).toBe(true);
      writeFileSync(file, good);
      await server.fetchAgain();
    }
    expect(same).toBeLessThan(20);
    await server.stop();
  });
});

describe("a broken link", () => {
  const secret = "?X-Amz-Signature=do-not-log-me";

  test.each([403, 404, 410])("%i with an empty volume: not ready, with advice", async (status) => {
    const store = await startStore((_request, response) => response.writeHead(status).end("<Error/>"));
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/bundle.tar.gz${secret}` });
    const state = await server.settled();
    expect(state).toMatchObject({ code: 503, status: "not ready", version: null, stale: true });
    expect(state.problem).toContain(`status ${status}`);
    expect(state.problem).toContain("Get a new one");
    expect(await server.get("/")).toMatchObject({ status: 404, text: "No bundle yet\n" });
    expect(store.asked).toHaveLength(1);
    expect(server.output() + state.problem).not.toContain("do-not-log-me");
    await server.stop();
    store.close();
  });

  test("with a bundle on the volume: that one is served, even if the store does not respond", async () => {
    const store = await startStore((_request, response) => response.end(good));
    const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
    const first = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a${secret}` }, { volume });
    expect(await first.settled()).toMatchObject({ version: "v1" });
    await first.stop();
    store.answer = (_request, response) => response.writeHead(403).end();
    const second = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a${secret}` }, { volume });
    expect(await second.settled()).toMatchObject({ code: 200, version: "v1", stale: true });
    expect((await second.get("/guides/start")).status).toBe(200);
    await second.stop();
    store.close();
    const third = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a${secret}` }, { volume });
    await expect.poll(async () => (await third.get("/")).text, { timeout: 10_000 }).toBe("<h1>first</h1>");
    expect(await third.ready()).toMatchObject({ code: 200, version: "v1", stale: true });
    await third.stop();
    rmSync(volume, { recursive: true });
  });

  test("an interrupted download is resumed, and a busy store is asked again", async () => {
    let count = 0;
    const store = await startStore((request, response) => {
      count++;
      if (count === 1) return void response.writeHead(503).end();
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(from ? 206 : 200, { etag: '"x"', "content-length": good.length - from });
      if (count > 2) return void response.end(good.subarray(from));
      breakAfter(response, good.subarray(0, 100));
    });
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/a` });
    expect(await server.settled()).toMatchObject({ version: "v1", stale: false });
    expect(store.asked.map(({ range }) => range)).toEqual([undefined, undefined, "bytes=100-"]);
    expect(store.asked[2]!["if-range"]).toBe('"x"');
    await server.stop();
    store.close();
  });
});

describe("a pinned version", () => {
  test("another version is refused with both names, and the server is not ready", async () => {
    writeFileSync(file, good);
    const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
    const first = await startBundleServer(
      { OCTAVO_BUNDLE_URL: file, OCTAVO_BUNDLE_VERSION: "v1" },
      { volume },
    );
    expect(await first.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
    await first.stop();
    // The server serves the bundle on the volume. It isn't ready, because this isn't the pinned version, so
    // the rollout stops.
    const second = await startBundleServer(
      { OCTAVO_BUNDLE_URL: file, OCTAVO_BUNDLE_VERSION: "v2" },
      { volume },
    );
    const state = await second.settled();
    expect(state).toMatchObject({ code: 503, version: "v1", stale: true });
    expect(state.problem).toMatch(/"v1".*"v2"/);
    expect((await second.get("/")).text).toBe("<h1>first</h1>");
    await second.stop();
    rmSync(volume, { recursive: true });
  });
});

describe("a rollback", () => {
  test("serves the previous bundle and fetches none", async () => {
    const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
    writeFileSync(file, good);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    await server.settled();
    writeFileSync(file, bundle("v2", "second"));
    expect(await server.fetchAgain()).toMatchObject({ version: "v2" });
    await server.stop();
    const back = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume, args: ["--rollback"] });
    expect(await back.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
    expect((await back.get("/")).text).toBe("<h1>first</h1>");
    await back.stop();
    rmSync(volume, { recursive: true });
  });

  test("fails with a message if there is no previous bundle", async () => {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { args: ["--rollback"] });
    expect(await server.ended).toBe(2);
    expect(server.output()).toContain("no previous bundle");
  });
});

describe("a damaged or locked volume", () => {
  test("the previous bundle is served instead of one with a changed file", async () => {
    const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
    writeFileSync(file, good);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    await server.settled();
    writeFileSync(file, bundle("v2", "second"));
    await server.fetchAgain();
    await server.stop();
    const { current } = JSON.parse(readFileSync(path.join(volume, "current.json"), "utf8")) as {
      current: string;
    };
    expect(readdirSync(path.join(volume, "bundles"))).toHaveLength(2);
    writeFileSync(path.join(volume, "bundles", current, "site/index.html"), "<h1>evil!!</h1>");
    const after = await startBundleServer({ OCTAVO_BUNDLE_URL: "/nothing/there.tar.gz" }, { volume });
    await after.settled();
    expect((await after.get("/")).text).toBe("<h1>first</h1>");
    await after.stop();
    rmSync(volume, { recursive: true });
  });

  test("a second server on the same volume is refused", async () => {
    writeFileSync(file, good);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
    await server.settled();
    const second = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume: server.folder });
    expect(await second.ended).toBe(2);
    expect((await server.get("/")).status).toBe(200);
    await server.stop();
  });
});

describe("the operator's settings", () => {
  test("air-gapped: no host in the policy, and the settings are in the operator's file", async () => {
    writeFileSync(file, good);
    const server = await startBundleServer({
      OCTAVO_BUNDLE_URL: file,
      OCTAVO_KIND: "air-gapped",
      OCTAVO_SEARCH: "local",
    });
    await server.settled();
    expect((await server.get("/")).headers["content-security-policy"]).toBe(
      "default-src 'self'; img-src 'self' data:",
    );
    expect((await server.get("/octavo.config.js")).text).toBe(
      'octavoConfig = {"kind":"air-gapped","search":"local","assistant":false,"analytics":false,"playground":false};\n',
    );
    await server.stop();
  });

  test("without settings: the defaults of the kind `client-hosted`", async () => {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
    await server.settled();
    expect((await server.get("/octavo.config.js")).text).toBe(
      'octavoConfig = {"kind":"client-hosted","search":true,"assistant":false,"analytics":"services","playground":true};\n',
    );
    await server.stop();
  });

  test("all invalid settings are reported together", async () => {
    const server = await startBundleServer({
      OCTAVO_BUNDLE_URL: "ftp://x/y",
      OCTAVO_KIND: "cloud",
      OCTAVO_SEARCH: "maybe",
    });
    expect(await server.ended).toBe(2);
    for (const name of ["OCTAVO_BUNDLE_URL", "OCTAVO_KIND", "OCTAVO_SEARCH"])
      expect(server.output()).toContain(name);
  });
});

test("changed compressed files on the volume are compressed again", async () => {
  const volume = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
  onTestFinished(() => rmSync(volume, { recursive: true, force: true }));
  writeFileSync(file, good);
  const start = async () => {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    await server.settled();
    const page = () => server.get("/guides/start", { "accept-encoding": "gzip" });
    await expect.poll(async () => (await page()).headers["content-encoding"]).toBe("gzip");
    const text = gunzipSync((await page()).body).toString();
    const settings = (await server.get("/octavo.config.js")).text;
    await server.stop();
    return { text, settings };
  };
  const before = await start();
  const [bundleFolder] = readdirSync(path.join(volume, "bundles")).map((name) =>
    path.join(volume, "bundles", name),
  );
  const [list, packed] = [
    path.join(bundleFolder!, "packed.json"),
    path.join(bundleFolder!, "packed/guides/start.html.gz"),
  ];
  const evil = gzipSync("<script>evil()</script>");
  writeFileSync(packed, evil);
  const sizes = JSON.parse(readFileSync(list, "utf8")) as [string, number][];
  writeFileSync(
    list,
    JSON.stringify(sizes.map(([name, bytes]) => [name, name === "guides/start.html" ? evil.length : bytes])),
  );
  // The operator's file isn't in the manifest: the server sends its own.
  writeFileSync(path.join(bundleFolder!, "site/octavo.config.js"), "evil()");
  expect(await start()).toEqual(before);
  expect(before.text).toContain("Start first");
});
