/** A bundle server with a delta URL: applies the delta, or fetches the whole bundle. */

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createDelta } from "fossil-delta";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundle, startStore } from "../../test/bundle/bundles.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";
import { unpack } from "../../test/service/exports.ts";
import { type TarEntry, tarGz } from "../../test/service/tar.ts";
import { DeltaWriter, openBundle } from "./write-delta.ts";

const long = "The same words, time and again. ".repeat(2_000);
const first = bundle("v1", `first ${long}`);
const second = bundle("v2", `second ${long}`);
const third = bundle("v3", `third ${long}`);

let folder: string;
let store: Awaited<ReturnType<typeof startStore>>;
/** Files of the store, by path. */
const held = new Map<string, Buffer>();
/** Paths that were requested from the store. */
let asked: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "octavo-deltas-"));
  store = await startStore((request, response) => {
    const name = request.url!.slice(1);
    asked.push(name);
    const bytes = held.get(name);
    if (bytes) response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    else response.writeHead(403).end();
  });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function deltaOf(before: Buffer, after: Buffer): Promise<Buffer> {
  const from = path.join(folder, "from.tar.gz");
  writeFileSync(from, before);
  const delta = new DeltaWriter(await openBundle(from));
  for (const [name, bytes] of await unpack(after)) delta.add(name, bytes, sha256(bytes));
  return Buffer.from((await delta.create())!);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("a delta contains the changes, as patches if possible, and is reproducible", async () => {
  const delta = await deltaOf(first, second);
  expect([...(await unpack(delta)).keys()].sort()).toEqual([
    "delta.json",
    "patch/_octavo/page-0123456789.js",
    "patch/guides/start.html",
    "patch/index.html",
    "patch/manifest.json",
    "patch/octavo.config.js",
  ]);
  expect(delta.length).toBeLessThan(second.length / 2);
  expect((await deltaOf(first, second)).equals(delta)).toBe(true);
});

describe("a server that has the first bundle", () => {
  let data: string;
  const start = (env: Record<string, string> = {}, volume = data) =>
    startBundleServer(
      { OCTAVO_BUNDLE_URL: `${store.url}/whole`, OCTAVO_BUNDLE_DELTA_URL: `${store.url}/delta`, ...env },
      { volume },
    );

  beforeEach(async () => {
    data = mkdtempSync(path.join(folder, "data-"));
    held.clear();
    held.set("whole", first);
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: `${store.url}/whole` }, { volume: data });
    expect(await server.settled()).toMatchObject({ version: "v1" });
    await server.stop();
    held.set("whole", second);
    asked = [];
  });

  async function seen(server: BundleServer, text: string): Promise<void> {
    expect((await server.get("/")).text).toContain(text);
    await server.stop();
  }

  test("fetches only the delta, serves the next bundle, and serves it again after a restart without a network", async () => {
    held.set("delta", await deltaOf(first, second));
    const server = await start();
    expect(await server.settled()).toEqual({ code: 200, status: "ready", version: "v2", stale: false });
    expect(asked).toEqual(["delta"]);
    await seen(server, "second");
    held.clear();
    const again = await start();
    expect(await again.settled()).toMatchObject({ code: 200, version: "v2", stale: true });
    await seen(again, "second");
    const back = await startBundleServer(
      { OCTAVO_BUNDLE_URL: `${store.url}/whole` },
      { volume: data, args: ["--rollback"] },
    );
    expect(await back.settled()).toMatchObject({ code: 200, version: "v1" });
    await seen(back, "first");
  });

  test("applies one delta after another", async () => {
    held.set("delta", await deltaOf(first, second));
    const server = await start();
    expect(await server.settled()).toMatchObject({ version: "v2" });
    held.set("delta", await deltaOf(second, third));
    expect(await server.fetchAgain()).toMatchObject({ version: "v3", stale: false });
    expect(asked).toEqual(["delta", "delta"]);
    await seen(server, "third");
  });

  describe("fetches the whole bundle if the delta", () => {
    const entries = async (change: (files: Map<string, Buffer>) => void): Promise<Buffer> => {
      const files = await unpack(await deltaOf(first, second));
      change(files);
      return tarGz([...files].map(([name, content]): TarEntry => ({ name, content })));
    };
    const text = (value: unknown) => Buffer.from(JSON.stringify(value));
    const patch = (from: string, to: string) =>
      Buffer.from(createDelta(Buffer.from(from) as Uint8Array, Buffer.from(to)));
    test.each<[string, string, () => Promise<Buffer | undefined>]>([
      ["is no longer available", "status 403", async () => undefined],
      ["belongs to another bundle", "for a different previous bundle", () => deltaOf(third, second)],
      [
        "has another result than its index says",
        "doesn't produce the bundle",
        () => entries((f) => f.set("whole/manifest.json", Buffer.from("{}"))),
      ],
      [
        "is not an archive",
        "isn't an archive from an export",
        async () => Buffer.from("<Error>AccessDenied</Error>"),
      ],
      ["is cut short", "archive is incomplete", async () => (await deltaOf(first, second)).subarray(0, -40)],
      ["has no index", "delta.json is damaged", () => entries((f) => f.delete("delta.json"))],
      [
        "has an index of an unknown format",
        "delta.json is damaged",
        () => entries((f) => f.set("delta.json", text({ formatVersion: 2 }))),
      ],
      ["lacks a file", "bytes according to the manifest", () => entries((f) => f.delete("patch/index.html"))],
      [
        "has other content for a file",
        "bytes according to the manifest",
        () => entries((f) => f.set("whole/index.html", Buffer.from("<h1>evil</h1>"))),
      ],
      [
        "has a patch with another result",
        "bytes according to the manifest",
        () => entries((f) => f.set("patch/index.html", patch("", "<h1>evil</h1>"))),
      ],
      [
        "has a patch whose result is too large",
        "it produces more data than the manifest allows",
        () => entries((f) => f.set("patch/index.html", Buffer.from("3~~~~~\n3~~~~~@0,"))),
      ],
      [
        "has an invalid patch",
        "is damaged",
        () => entries((f) => f.set("patch/index.html", Buffer.from("hello"))),
      ],
      [
        "contains a link",
        "is a link",
        async () => tarGz([{ name: "whole/x", type: "2", link: "/etc/passwd" }]),
      ],
      [
        "has a path outside of its folder",
        "points outside the folder",
        async () => tarGz([{ name: "whole/../../evil", content: "x" }]),
      ],
    ])("%s", async (_title, message, make) => {
      const delta = await make();
      if (delta) held.set("delta", delta);
      const server = await start();
      expect(await server.settled()).toEqual({ code: 200, status: "ready", version: "v2", stale: false });
      expect(asked.at(-1)).toBe("whole");
      expect(server.output()).toMatch(new RegExp(`the delta wasn't applied.*${message}`));
      await seen(server, "second");
    });

    test("has another version than the pinned one", async () => {
      held.set("delta", await deltaOf(first, third));
      const server = await start({ OCTAVO_BUNDLE_VERSION: "v2" });
      expect(await server.settled()).toMatchObject({ code: 200, version: "v2", stale: false });
      await seen(server, "second");
    });

    test("has no bundle to apply to", async () => {
      held.set("delta", await deltaOf(first, second));
      const server = await start({}, mkdtempSync(path.join(folder, "data-")));
      expect(await server.settled()).toMatchObject({ code: 200, version: "v2", stale: false });
      await seen(server, "second");
    });
  });

  test("a delta is not requested if an archive is pinned by its hash", async () => {
    held.set("delta", await deltaOf(first, second));
    const server = await start({ OCTAVO_BUNDLE_SHA256: sha256(second) });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v2" });
    expect(asked).toEqual(["whole"]);
    await server.stop();
  });

  test("the first bundle is still served if neither the delta nor the whole bundle can be fetched", async () => {
    held.clear();
    held.set("delta", await deltaOf(third, second));
    const server = await start();
    expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: true });
    await seen(server, "first");
  });

  test("the result of a delta is identical to the bundle, byte for byte", async () => {
    held.set("delta", await deltaOf(first, second));
    const server = await start();
    await server.settled();
    await server.stop();
    const { current } = JSON.parse(readFileSync(path.join(data, "current.json"), "utf8")) as {
      current: string;
    };
    for (const [name, bytes] of await unpack(second)) {
      const file = path.join(data, "bundles", current, "site", name);
      expect(readFileSync(file).equals(bytes), name).toBe(true);
      // Bundles don't share files by hard links.
      expect(statSync(file).nlink, name).toBe(1);
    }
  });
});
