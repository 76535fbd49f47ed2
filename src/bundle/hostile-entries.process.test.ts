/** Bundles with additional hostile entries are refused, and the served bundle stays. */

import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../test/bundle/bundles.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";
import { pax, type TarEntry } from "../../test/service/tar.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-hostile-"));
const file = path.join(folder, "bundle.tar.gz");
const canary = path.join(folder, "canary");
let server: BundleServer;

beforeAll(async () => {
  writeFileSync(canary, "untouched");
  writeFileSync(file, bundle("v1", "first"));
  server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
  await server.settled();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const evil = (...more: TarEntry[]) => bundle("v2", "evil", { more });
const good = bundle("v2", "second");
const zeros = Buffer.alloc(40_000_000);

const rows: [string, () => Buffer, RegExp][] = [
  [
    "a path with `..` in an extended header",
    () => evil(pax({ path: "../../canary" }), { name: "x", content: "x" }),
    /points outside the folder/,
  ],
  [
    "a path with `..` in the middle",
    () => evil({ name: "a/../../../canary", content: "x" }),
    /points outside the folder/,
  ],
  ["an absolute path to an existing file", () => evil({ name: canary, content: "x" }), /is an absolute path/],
  ["a drive and backslashes", () => evil({ name: "C:\\canary", content: "x" }), /drive/],
  [
    "a file through a symbolic link",
    () => evil({ name: "out", type: "2", link: folder }, { name: "out/canary", content: "x" }),
    /"out" is a link/,
  ],
  [
    "a hard link to another file of the machine",
    () => evil({ name: "hard.html", type: "1", link: canary }),
    /is a link/,
  ],
  [
    "a link in an extended header",
    () => evil(pax({ linkpath: canary }), { name: "x", content: "x" }),
    /sets linkpath/,
  ],
  ["a block device", () => evil({ name: "sda", type: "4" }), /is a device/],
  ["a pipe", () => evil({ name: "pipe", type: "6" }), /is a device/],
  ["a sparse file", () => evil({ name: "sparse", type: "S" }), /neither a file nor a folder/],
  ["a file with the setuid bit", () => evil({ name: "run", mode: 0o4755, content: "x" }), /setuid/],
  [
    "two names that are equal after Unicode normalization",
    () => evil({ name: "caf\u00e9.html" }, { name: "cafe\u0301.html" }),
    /twice/,
  ],
  ["the manifest twice", () => evil({ name: "manifest.json", content: "{}" }), /twice/],
  ["the operator's file twice", () => evil({ name: "octavo.config.js", content: "evil()" }), /twice/],
  ["a file with the name of a folder", () => evil({ name: "guides", content: "x" }), /twice/],
  [
    "zeros that are compressed a thousandfold",
    () => evil({ name: "zeros", content: zeros }),
    /more than 200 times its size/,
  ],
  ["a second archive after the first", () => Buffer.concat([good, good]), /after the end|damaged/],
  [
    "a second archive in the same stream",
    () => gzipSync(Buffer.concat([gunzipSync(good), gunzipSync(good)])),
    /after the end/,
  ],
];

test.each(rows)("%s", async (_title, archive, message) => {
  writeFileSync(file, archive());
  const state = await server.fetchAgain();
  expect(state).toMatchObject({ code: 200, status: "ready", version: "v1", stale: true });
  expect(state.problem).toMatch(message);
  expect((await server.get("/")).text).toBe("<h1>first</h1>");
  expect(readFileSync(canary, "utf8")).toBe("untouched");
  expect(readdirSync(folder).sort()).toEqual(["bundle.tar.gz", "canary"]);
  // No files of the refused bundle are left on the volume.
  expect(readdirSync(path.join(server.folder, "bundles"))).toHaveLength(1);
  expect(readdirSync(path.join(server.folder, "work"))).toEqual([]);
});

test("a good bundle is accepted after all of them", async () => {
  writeFileSync(file, good);
  expect(await server.fetchAgain()).toMatchObject({ code: 200, version: "v2", stale: false });
  const id = createHash("sha256").update(good).digest("hex");
  expect(existsSync(path.join(server.folder, "bundles", id, "site/index.html"))).toBe(true);
});
