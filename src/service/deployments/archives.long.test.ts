/**
 * Archives and deltas with hostile names in all kinds of headers. Each is refused or unpacked inside its
 * folder, without a crash.
 */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { bundle } from "../../../test/bundle/bundles.ts";
import { pax, type TarEntry, tarGz } from "../../../test/service/tar.ts";
import { patchFolder, wholeFolder } from "../../bundle/bundle-delta.ts";
import { BadBundle, manifestPath } from "../../bundle/bundle-manifest.ts";
import { BundleStore } from "../../bundle/bundle-store.ts";
import { BadArchive } from "../../io/archive-limits.ts";
import { sha256 } from "../../io/sha256.ts";
import { unpackArchive } from "../../io/unpack-archive.ts";

const root = mkdtempSync(path.join(tmpdir(), "octavo-archives-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const caps = { entries_count: 1_000, file_bytes: 1_000_000, total_bytes: 2_000_000 };
const outside = path.join(root, "outside");
mkdirSync(outside);
writeFileSync(path.join(outside, "canary"), "untouched");

const names = [
  "../canary",
  "../../canary",
  "a/../../canary",
  "./../canary",
  "a/./../../canary",
  "..",
  ".",
  "",
  "/",
  "//",
  "/canary",
  "//canary",
  `${outside}/canary`,
  `.${outside}/canary`,
  "..\\canary",
  "a\\..\\..\\canary",
  "C:canary",
  "C:/canary",
  "c:\\canary",
  "\\\\server\\share",
  "a//b",
  "a/",
  "/a",
  "a/..",
  "a/../b",
  "canary\u0000.md",
  "a\u0000/../../canary",
  "a\nb",
  "\r",
  "\u202egpj.exe",
  "~/canary",
  "~root/x",
  "$HOME/x",
  "-rf",
  "--output=x",
  ".git/config",
  ".GIT/config",
  "a/.git/hooks/post-checkout",
  ".git ",
  "GIT~1/config",
  "con",
  "nul.md",
  "a".repeat(300),
  "a/".repeat(600),
  `${"é".repeat(200)}`,
  "link/canary",
  "good.md",
  "GOOD.md",
  "good.md/x",
  "dir",
  "dir/x",
  "\ufeffgood.md",
  "%2e%2e/canary",
  "..%2fcanary",
  "．．/canary",
  "..／canary",
  "a/…/b",
];
const types = ["0", "\0", "1", "2", "3", "4", "5", "6", "7", "S", "x", "g", "K", "L", "V", "M", "A", "Z"];

/**
 * The entry with a plain name, with its name in a PAX header, with a GNU long name, and with the name split
 * into prefix and name.
 */
function forms(name: string, type: string): [string, TarEntry[]][] {
  const entry = { type, content: type === "5" ? "" : "evil", link: `${outside}/canary` };
  return [
    ["plain", [{ ...entry, name: name.slice(0, 99) }]],
    ["extended", [pax({ path: name }), { ...entry, name: "short" }]],
    [
      "long",
      [
        { name: "././@LongLink", type: "L", content: `${name}\0` },
        { ...entry, name: "short" },
      ],
    ],
    [
      "prefix",
      [{ ...entry, name: path.basename(name).slice(0, 99), prefix: path.dirname(name).slice(0, 150) }],
    ],
  ];
}

function isUntouched(): void {
  expect(readdirSync(root).sort()).toEqual(
    ["into", "outside"].filter((name) => readdirSync(root).includes(name)),
  );
  expect(readdirSync(outside)).toEqual(["canary"]);
  expect(readFileSync(path.join(outside, "canary"), "utf8")).toBe("untouched");
}

let tried = 0;

async function unpack(archive: Buffer): Promise<void> {
  tried++;
  const folder = path.join(root, "into");
  await unpackArchive(Readable.from([archive]), folder, caps).catch((error: unknown) => {
    // The error must have a readable message and must not be an internal error.
    if (!(error instanceof BadArchive)) throw error;
  });
  const entries = readdirSync(root).includes("into")
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  expect(entries.filter((entry) => !entry.isFile() && !entry.isDirectory())).toEqual([]);
  isUntouched();
  rmSync(folder, { recursive: true, force: true });
}

describe("archives of sources", () => {
  const good = { name: "good.md", content: "good" };
  const before: TarEntry = { name: "link", type: "2", link: outside };

  test.each(types.map((type) => [JSON.stringify(type), type]))(
    `${names.length * 4} names of entries of type %s`,
    async (_, type) => {
      for (const name of names)
        for (const [, entries] of forms(name, type))
          await unpack(tarGz([good, { name: "dir", type: "5" }, ...entries, good]));
    },
  );

  test("names below a symbolic link", async () => {
    for (const name of names)
      for (const [, entries] of forms(name, "0")) await unpack(tarGz([before, ...entries]));
  });

  test("wrong sizes in headers", async () => {
    for (const size of [
      "77777777777\0",
      "00000000000\0",
      "99999999999\0",
      "-1\0",
      "           \0",
      "\x80\0\0\0\0\0\0\0\0\0\0\x01",
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
      1,
      511,
      513,
      1e9,
    ])
      for (const type of types) await unpack(tarGz([{ ...good, type, size }]));
  });

  test("archives that are truncated or damaged at many positions", async () => {
    const whole = tarGz([good, { name: "b.md", content: "x".repeat(3_000) }]);
    for (let at = 0; at < whole.length; at += 3) await unpack(whole.subarray(0, at));
    const raw = gunzipSync(whole);
    for (let at = 0; at < raw.length; at += 97) {
      const damaged = Buffer.from(raw);
      damaged[at]! ^= 0xff;
      await unpack(gzipSync(damaged));
      await unpack(gzipSync(damaged.subarray(0, at)));
    }
  });

  test("more than 500 archives were tried", () => expect(tried).toBeGreaterThan(500));
});

describe("deltas of bundles", () => {
  const volume = path.join(tmpdir(), `octavo-delta-${process.pid}`);
  afterAll(() => rmSync(volume, { recursive: true, force: true }));
  const wanted = { version: undefined, sha256: undefined };

  /** Creates a volume with one bundle. */
  async function store() {
    rmSync(volume, { recursive: true, force: true });
    mkdirSync(volume);
    const store = new BundleStore(volume);
    const archive = path.join(volume, "first.tar.gz");
    writeFileSync(archive, bundle("v1", "first"));
    const first = await store.addArchive(archive, wanted);
    await store.setCurrent(first);
    return { store, first };
  }

  const index = (value: unknown): TarEntry => ({
    name: "delta.json",
    content: typeof value === "string" ? value : JSON.stringify(value),
  });
  const garbage = [
    "",
    "{}",
    "null",
    "[]",
    "x",
    '{"formatVersion":1}',
    '{"formatVersion":1,"from":"x","to":"y"}',
    '{"__proto__":{"from":1}}',
    "\0".repeat(100),
  ];

  test("are refused, and the current bundle stays intact", async () => {
    const { store: bundles, first } = await store();
    const from = sha256(readFileSync(path.join(first.folder, "site", manifestPath)));
    /** Entries of a delta for the bundle, with this target manifest. */
    const leadingTo = (manifest: string, ...more: TarEntry[]): TarEntry[] => [
      index({ formatVersion: 1, from, to: sha256(Buffer.from(manifest)) }),
      { name: `whole/${manifestPath}`, content: manifest },
      ...more,
    ];
    const listing = (name: string) =>
      JSON.stringify({
        formatVersion: 1,
        version: "v2",
        files: [{ path: name, sha256: sha256(Buffer.from("evil")), bytes: 4 }],
      });
    const rows: TarEntry[][] = [
      ...garbage.map((text) => [index(text)]),
      ...garbage.map((text) => leadingTo(text)),
      ...names.flatMap((name) =>
        [wholeFolder, patchFolder].map((at) =>
          leadingTo(listing(name), { name: `${at}${name}`.slice(0, 99), content: "not evil" }),
        ),
      ),
      ...names.map((name) =>
        leadingTo(listing(name), pax({ path: `${wholeFolder}${name}` }), { name: "x", content: "other" }),
      ),
      ...types.map((type) =>
        leadingTo(listing("index.html"), {
          name: "whole/index.html",
          type,
          link: `${outside}/canary`,
          content: type === "5" ? "" : "other",
        }),
      ),
      ...garbage.map((text) => leadingTo(listing("index.html"), { name: "patch/index.html", content: text })),
      ...["zzzzzz\n", "9999999\n4:evil;", "4\n4@0,4:", "4\n~~~~~~@0,0:0;"].map((text) =>
        leadingTo(listing("index.html"), { name: "patch/index.html", content: text }),
      ),
    ];
    for (const entries of rows) {
      const delta = path.join(volume, "delta.tar.gz");
      writeFileSync(delta, tarGz(entries));
      await expect(bundles.addDelta(delta, wanted)).rejects.toBeInstanceOf(BadBundle);
      expect(readdirSync(path.join(volume, "bundles"))).toEqual([first.id]);
    }
    expect(rows.length).toBeGreaterThan(200);
    expect((await bundles.lastGood(wanted, (problem) => expect.unreachable(problem)))?.id).toBe(first.id);
    isUntouched();
  });

  test("a link on the volume is not followed", async () => {
    const { store: bundles, first } = await store();
    symlinkSync(path.join(outside, "canary"), path.join(first.folder, "site", "link.html"));
    const problems: string[] = [];
    expect(await bundles.lastGood(wanted, (problem) => problems.push(problem))).toBeUndefined();
    expect(problems.join()).toContain("which isn't a regular file or folder");
  });
});
