/** Unpacking of untrusted zip files. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { strToU8, type Zippable, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { unpackZip } from "./unpack-zip.ts";

const caps = { entries_count: 10, file_bytes: 100_000, total_bytes: 300_000 };
const skipped = { has: (name: string) => name.startsWith("node_modules/"), total_bytes: 1_000_000 };

/** Unpacks, in parts of this size. Returns the folder. */
async function unpack(bytes: Uint8Array, part_bytes = 1_000): Promise<string> {
  const parts = Array.from({ length: Math.ceil(bytes.length / part_bytes) }, (_, n) =>
    Buffer.from(bytes.subarray(n * part_bytes, (n + 1) * part_bytes)),
  );
  const folder = path.join(temporaryFolder(), "out");
  await unpackZip(Readable.from(parts, { objectMode: true }), folder, caps, { skipped }).catch(
    (error: unknown) => {
      expect(existsSync(folder)).toBe(false);
      throw error;
    },
  );
  return folder;
}

test.each([1, 7, 1_000, 1_000_000])(
  "files and folders, received in parts of %i bytes",
  async (part_bytes) => {
    const stored: Zippable = {
      "a/b/c.txt": strToU8("deep"),
      "top.txt": [strToU8("stored"), { level: 0 }],
      "empty.txt": strToU8(""),
      "folder/": strToU8(""),
    };
    const folder = await unpack(zipSync(stored), part_bytes);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name).sort()).toEqual(["c.txt", "empty.txt", "top.txt"]);
    expect(readFileSync(path.join(folder, "a/b/c.txt"), "utf8")).toBe("deep");
  },
);

test("skipped folders are not written, checked or counted", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`node_modules/${n}.js`, new Uint8Array(50_000)]),
  );
  expect(
    readdirSync(await unpack(zipSync({ ...many, "__MACOSX/._x": strToU8("x"), "x.txt": strToU8("x") }))),
  ).toEqual(["x.txt"]);
});

test("an archive that ends anywhere in its files is refused", { timeout: 30_000 }, async () => {
  const archive = zipSync({
    "docs.json": strToU8(JSON.stringify({ name: "Acme", pages: ["index"] })),
    "index.mdx": strToU8("# Some words\n".repeat(9)),
  });
  // The list of the files follows the files.
  const end = Buffer.from(archive).indexOf("PK\x01\x02", "latin1");
  for (let length = 0; length < end; length++)
    await expect(unpack(archive.subarray(0, length)), String(length)).rejects.toThrow();
});

describe("refused", () => {
  const zeros = (bytes: number) => new Uint8Array(bytes);
  const good = zipSync({ "x.txt": strToU8("some text that is long enough") });
  const empty = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`node_modules/${n}.js`, zeros(0)]),
  );
  test.each<[string, Uint8Array, RegExp]>([
    ["many empty files in a skipped folder", zipSync(empty), /more than 1 MB in skipped folders/],
    ["a path out of the folder", zipSync({ "../evil.txt": strToU8("x") }), /evil/],
    ["an absolute path", zipSync({ "/etc/evil": strToU8("x") }), /evil/],
    ["backslashes", zipSync({ "..\\evil.txt": strToU8("x") }), /evil/],
    ["a file that is too large", zipSync({ "x.txt": zeros(200_000) }), /larger than/],
    [
      "files that are too large together",
      zipSync(Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.txt`, zeros(99_000)]))),
      /unpacks to more than/,
    ],
    [
      "too many entries",
      zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.txt`, strToU8("x")]))),
      /more than 10 files/,
    ],
    [
      "skipped folders that are too large",
      zipSync({ "node_modules/x.js": zeros(1_000_001) }),
      /more than 1 MB in skipped/,
    ],
    ["a file that is also a folder", zipSync({ a: strToU8("x"), "a/b": strToU8("x") }), /twice/],
    ["a truncated archive", good.subarray(0, 45), /is incomplete/],
    ["something else", strToU8("PK no zip"), /empty|damaged/],
    ["nothing", new Uint8Array(), /empty/],
  ])("%s", async (_name, bytes, message) => {
    await expect(unpack(bytes)).rejects.toThrow(message);
  });
});
