/** Bundle servers with intact, damaged and full volumes. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundle, bundleOf } from "../../test/bundle/bundles.ts";
import { startBundleServer } from "../../test/bundle/server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-volumes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = path.join(folder, "bundle.tar.gz");
let volume: string;

beforeEach(() => {
  volume = mkdtempSync(path.join(folder, "volume-"));
});
afterEach(() => rmSync(volume, { recursive: true, force: true }));

async function leave(...archives: Buffer[]): Promise<void> {
  for (const archive of archives) {
    writeFileSync(file, archive);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    await server.settled();
    await server.stop();
  }
}

const pointer = () =>
  JSON.parse(readFileSync(path.join(volume, "current.json"), "utf8")) as {
    current: string;
    previous?: string;
  };
const siteOf = (id: string) => path.join(volume, "bundles", id, "site");

describe("a damaged bundle on the volume", () => {
  const damage: [string, (site: string) => void][] = [
    ["a changed page", (site) => writeFileSync(path.join(site, "index.html"), "<h1>evil!!</h1>")],
    ["a truncated page", (site) => writeFileSync(path.join(site, "guides/start.html"), "<h1>")],
    ["a missing page", (site) => rmSync(path.join(site, "guides/start.html"))],
    ["an additional file", (site) => writeFileSync(path.join(site, "evil.html"), "x")],
    ["a pipe", (site) => void spawnSync("mkfifo", [path.join(site, "pipe.html")])],
    ["a damaged manifest", (site) => writeFileSync(path.join(site, "manifest.json"), "{")],
    ["a missing folder", (site) => rmSync(site, { recursive: true })],
  ];

  test.each(damage)(
    "%s: the previous bundle is served, and the archive repairs the damaged one",
    async (_title, harm) => {
      await leave(bundle("v1", "first"), bundle("v2", "second"));
      const { current } = pointer();
      harm(siteOf(current));
      const without = await startBundleServer({ OCTAVO_BUNDLE_URL: "/nothing/there.tar.gz" }, { volume });
      expect(await without.settled()).toMatchObject({ code: 200, version: "v1", stale: true });
      expect(without.output()).toContain("The stored bundle can't be served");
      expect((await without.get("/")).text).toBe("<h1>first</h1>");
      await without.stop();
      const repaired = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
      expect(await repaired.settled()).toMatchObject({ code: 200, version: "v2", stale: false });
      expect((await repaired.get("/")).text).toBe("<h1>second</h1>");
      expect(existsSync(path.join(siteOf(current), "guides/start.html"))).toBe(true);
      await repaired.stop();
    },
  );

  test("both bundles are damaged: nothing is served until the archive is available", async () => {
    await leave(bundle("v1", "first"), bundle("v2", "second"));
    const { current, previous } = pointer();
    for (const id of [current, previous!])
      writeFileSync(path.join(siteOf(id), "index.html"), "<h1>evil!!</h1>");
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: "/nothing/there.tar.gz" }, { volume });
    expect(await server.settled()).toMatchObject({ code: 503, version: null });
    expect((await server.get("/")).status).toBe(404);
    await server.stop();
    const repaired = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
    expect(await repaired.settled()).toMatchObject({ code: 200, version: "v2", stale: false });
    await repaired.stop();
  });
});

test("files that a killed server has left do no harm", async () => {
  await leave(bundle("v1", "first"));
  mkdirSync(path.join(volume, "bundles/incoming/site"), { recursive: true });
  writeFileSync(path.join(volume, "bundles/incoming/site/index.html"), "half");
  writeFileSync(path.join(volume, "current.json.part"), "{");
  writeFileSync(path.join(volume, "work/incoming.tar.gz"), "half");
  const without = await startBundleServer({ OCTAVO_BUNDLE_URL: "/nothing/there.tar.gz" }, { volume });
  expect(await without.settled()).toMatchObject({ code: 200, version: "v1" });
  await without.stop();
  writeFileSync(file, bundle("v2", "second"));
  const next = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
  expect(await next.settled()).toMatchObject({ version: "v2", stale: false });
  await next.stop();
});

test("a damaged pointer: the bundle is fetched, as on an empty volume", async () => {
  await leave(bundle("v1", "first"));
  writeFileSync(path.join(volume, "current.json"), "");
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
  expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
  await server.stop();
});

test("bundles that follow each other before they are compressed leave no files behind", {
  timeout: 120_000,
}, async () => {
  const text = (index: number) =>
    Array.from({ length: 3_000 }, (_, i) => ((index * 7_919 + i) ** 2 % 1_000_003).toString(36)).join(" ");
  const large = (version: string) =>
    bundleOf(version, {
      "index.html": `<h1>${version}</h1>`,
      ...Object.fromEntries(
        Array.from({ length: 1_500 }, (_, index) => [`guides/${index}.html`, `${version} ${text(index)}`]),
      ),
    });
  const archives = ["v0", "v1", "v2", "v3", "v4", "v5"].map((version): [string, Buffer] => [
    version,
    large(version),
  ]);
  writeFileSync(file, archives[0]![1]);
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file }, { volume });
  await server.settled();
  for (const [version, archive] of archives.slice(1)) {
    writeFileSync(file, archive);
    expect(await server.fetchAgain(), server.output()).toMatchObject({ code: 200, version, stale: false });
  }
  await expect
    .poll(
      async () =>
        (await server.get("/guides/1499", { "accept-encoding": "gzip" })).headers["content-encoding"],
      { timeout: 60_000 },
    )
    .toBe("gzip");
  expect(readdirSync(path.join(volume, "bundles")).sort()).toEqual(Object.values(pointer()).sort());
  expect(server.output()).not.toContain('"level":50');
  await server.stop();
});

describe("a pinned bundle", () => {
  const nowhere = "http://127.0.0.1:1/expired";

  test("a version that was served before is read from the volume if its link has expired", async () => {
    await leave(bundle("v1", "first"), bundle("v2", "second"));
    const back = await startBundleServer(
      { OCTAVO_BUNDLE_URL: "/gone.tar.gz", OCTAVO_BUNDLE_VERSION: "v1" },
      { volume },
    );
    expect(await back.settled()).toMatchObject({ code: 200, version: "v1" });
    expect((await back.get("/")).text).toBe("<h1>first</h1>");
    await back.stop();
    const forth = await startBundleServer(
      { OCTAVO_BUNDLE_URL: "/gone.tar.gz", OCTAVO_BUNDLE_VERSION: "v2" },
      { volume },
    );
    expect(await forth.settled()).toMatchObject({ code: 200, version: "v2" });
    await forth.stop();
    const neither = await startBundleServer(
      { OCTAVO_BUNDLE_URL: "/gone.tar.gz", OCTAVO_BUNDLE_VERSION: "v3" },
      { volume },
    );
    expect(await neither.settled()).toMatchObject({ code: 503, version: "v2" });
    await neither.stop();
  });

  test("an archive that is on the volume is not downloaded again", async () => {
    const archives = [bundle("v1", "first"), bundle("v2", "second")];
    await leave(...archives);
    for (const [index, archive] of archives.entries()) {
      const sha256 = createHash("sha256").update(archive).digest("hex");
      const server = await startBundleServer(
        { OCTAVO_BUNDLE_URL: nowhere, OCTAVO_BUNDLE_SHA256: sha256 },
        { volume },
      );
      expect(await server.settled()).toMatchObject({ code: 200, version: `v${index + 1}`, stale: false });
      expect(await server.fetchAgain()).toMatchObject({ code: 200, version: `v${index + 1}`, stale: false });
      await server.stop();
    }
  });

  test("a pinned archive that is damaged on the volume is downloaded again", async () => {
    const archive = bundle("v1", "first");
    await leave(archive);
    writeFileSync(path.join(siteOf(pointer().current), "index.html"), "<h1>evil!!</h1>");
    const sha256 = createHash("sha256").update(archive).digest("hex");
    const server = await startBundleServer(
      { OCTAVO_BUNDLE_URL: file, OCTAVO_BUNDLE_SHA256: sha256 },
      { volume },
    );
    expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
    expect((await server.get("/")).text).toBe("<h1>first</h1>");
    await server.stop();
  });
});

const mayMount = spawnSync("unshare", ["-rm", "true"]).status === 0;

test.skipIf(!mayMount)("a full volume is reported, and the last good bundle is still served", async () => {
  await leave(bundle("v1", "first"));
  const kept = path.join(folder, "kept");
  cpSync(volume, kept, { recursive: true });
  const random = Buffer.alloc(3_000_000, 0).map((_, i) => (i * i * 7_919) >> 8);
  writeFileSync(
    file,
    bundleOf("v2", { "index.html": "<h1>second</h1>", "large.txt": Buffer.from(random).toString("latin1") }),
  );
  const server = await startBundleServer(
    { OCTAVO_BUNDLE_URL: file },
    {
      volume,
      // A file system of 2 MB in memory.
      around: [
        "unshare",
        "-rm",
        "sh",
        "-c",
        `mount -t tmpfs -o size=2m tmpfs "${volume}" && cp -r "${kept}/." "${volume}" && exec "$@"`,
        "sh",
      ],
    },
  );
  const state = await server.settled();
  expect(state).toMatchObject({ code: 200, version: "v1", stale: true });
  expect(state.problem).toMatch(/can't be stored on the volume: ENOSPC.*needs space for three/);
  expect((await server.get("/")).text).toBe("<h1>first</h1>");
  await server.stop();
});
