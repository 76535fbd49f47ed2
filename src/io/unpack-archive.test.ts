/**
 * Tests untrusted archives: only plain files and folders are accepted, nothing is written outside the folder,
 * and no files remain after an error.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { pax, type TarEntry, tar, tarGz } from "../../test/service/tar.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { BadArchive } from "./archive-limits.ts";
import { unpackArchive } from "./unpack-archive.ts";

const root = mkdtempSync(path.join(tmpdir(), "octavo-unpack-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const caps = { entries_count: 1_000, file_bytes: 15_000_000, total_bytes: 20_000_000 };
const good: TarEntry = { name: "good.md", content: "good" };
const link = (name: string, target: string, type = "2"): TarEntry => ({ name, type, link: target });

let folder = "";
let count = 0;
beforeEach(() => {
  folder = path.join(root, `case-${++count}`, "into");
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

async function unpack(archive: Buffer, chunk_bytes = 65_536) {
  mkdirSync(path.dirname(folder), { recursive: true });
  writeFileSync(path.join(path.dirname(folder), "canary"), "untouched");
  const chunks = Array.from({ length: Math.ceil(archive.length / chunk_bytes) }, (_, i) =>
    archive.subarray(i * chunk_bytes, (i + 1) * chunk_bytes),
  );
  return unpackArchive(Readable.from(chunks), folder, caps);
}

const zeros = Buffer.alloc(14_000_000);
const many = (n: number): TarEntry[] => Array.from({ length: n }, (_, i) => ({ name: `f${i}` }));
const whole = tarGz([good, { name: "b.md", content: "x".repeat(5_000) }]);

const hostile: [string, Buffer, RegExp][] = [
  [
    "a path to a parent folder",
    tarGz([{ name: "../canary", content: "x" }]),
    /"\.\.\/canary" points outside the folder/,
  ],
  [
    "a path to a parent folder in the middle",
    tarGz([{ name: "a/../../canary", content: "x" }]),
    /points outside the folder/,
  ],
  ["a path to a parent folder at the end", tarGz([{ name: "a/..", type: "5" }]), /points outside the folder/],
  ["an absolute path", tarGz([{ name: path.join(root, "x"), content: "x" }]), /is an absolute path/],
  [
    "an absolute path after a dot",
    tarGz([{ name: `./${path.join(root, "x")}`, content: "x" }]),
    /is an absolute path/,
  ],
  ["a drive with a backslash", tarGz([{ name: "C:\\canary", content: "x" }]), /drive/],
  ["a drive with a slash", tarGz([{ name: "c:/canary", content: "x" }]), /drive/],
  ["backslashes", tarGz([{ name: "..\\canary", content: "x" }]), /backslash/],
  [
    "a path to a parent folder in the prefix",
    tarGz([{ name: "canary", prefix: "..", content: "x" }]),
    /points outside the folder/,
  ],
  ["a symbolic link", tarGz([good, link("passwd", "/etc/passwd")]), /"passwd" is a link/],
  ["a symbolic link to a file in the same folder", tarGz([good, link("other", "good.md")]), /is a link/],
  [
    "a file through a symbolic link",
    tarGz([link("out", ".."), { name: "out/canary", content: "x" }]),
    /"out" is a link/,
  ],
  ["a hard link", tarGz([good, link("hard", "/etc/passwd", "1")]), /is a link/],
  [
    "a chain of hard links",
    tarGz([link("a", "../canary", "1"), link("b", "a", "1"), { name: "b", content: "x" }]),
    /"a" is a link/,
  ],
  [
    "a long link name",
    tarGz([{ name: "././@LongLink", type: "K", content: "/etc/passwd\0" }, link("a", "x")]),
    /is a link/,
  ],
  ["a character device", tarGz([{ name: "null", type: "3" }]), /is a device/],
  ["a block device", tarGz([{ name: "sda", type: "4" }]), /is a device/],
  ["a pipe", tarGz([{ name: "pipe", type: "6" }]), /is a device/],
  ["a sparse file", tarGz([{ name: "sparse", type: "S" }]), /neither a file nor a folder/],
  ["a continued volume", tarGz([{ name: "part", type: "M" }]), /neither a file nor a folder/],
  ["an unknown type", tarGz([{ name: "what", type: "Z" }]), /neither a file nor a folder/],
  ["a duplicate name", tarGz([good, good]), /"good\.md" appears twice in the archive/],
  ["a duplicate name, once with a dot", tarGz([good, { name: "./good.md", content: "x" }]), /twice/],
  [
    "a file where a folder is",
    tarGz([
      { name: "a/b", content: "x" },
      { name: "a", content: "x" },
    ]),
    /"a" appears twice in the archive/,
  ],
  [
    "a folder where a file is",
    tarGz([
      { name: "a", content: "x" },
      { name: "a/b", content: "x" },
    ]),
    /"a\/b" appears twice in the archive/,
  ],
  [
    "two names that differ only in the encoding of an accent",
    tarGz([{ name: "caf\u00e9.md" }, { name: "cafe\u0301.md" }]),
    /twice/,
  ],
  [
    "an extended header with a path to a parent folder",
    tarGz([pax({ path: "../canary" }), good]),
    /"\.\.\/canary" points outside/,
  ],
  [
    "an extended header for all files",
    tarGz([pax({ path: "x" }, "g"), good]),
    /global extended \(pax\) header that sets path/,
  ],
  ["an extended header that sets a link", tarGz([pax({ linkpath: "/etc/passwd" }), good]), /sets linkpath/],
  ["an extended header that sets a size", tarGz([pax({ size: "0" }), good]), /sets size/],
  ["two names for one file", tarGz([pax({ path: "a" }), pax({ path: "b" }), good]), /two names/],
  [
    "a damaged extended header",
    tarGz([{ name: "p", type: "x", content: "999 path=a\n" }, good]),
    /damaged extended header/,
  ],
  [
    "an extended header of 1 MB",
    tarGz([{ name: "p", type: "x", content: Buffer.alloc(1_000_000, "a") }, good]),
    /too large/,
  ],
  [
    "a file that runs with its owner's rights",
    tarGz([{ name: "run", mode: 0o4755, content: "x" }]),
    /setuid/,
  ],
  ["a folder of git", tarGz([{ name: ".GIT/hooks/post-checkout", content: "x" }]), /a \.git folder/],
  ["a line break in a name", tarGz([{ name: "a\nb", content: "x" }]), /invalid character/],
  ["a name that is not UTF-8", tarGz([{ name: Buffer.from([0x61, 0xff, 0x62]) }]), /isn't valid UTF-8/],
  ["a name of 2,000 bytes", tarGz([pax({ path: `${"a/".repeat(1_000)}b` }), good]), /longer than 1000 bytes/],
  ["a part of a name of 300 bytes", tarGz([pax({ path: "a".repeat(300) }), good]), /longer than 255 bytes/],
  ["1,001 files", tarGz(many(1_001)), /more than 1000 entries/],
  [
    "1,001 folders",
    tarGz(many(1_001).map(({ name }) => ({ name: `${name}/`, type: "5" }))),
    /more than 1000 entries/,
  ],
  [
    "folders that are only in paths",
    tarGz(many(200).map(({ name }) => ({ name: `${name}/a/b/c/d/e` }))),
    /more than 1000 entries/,
  ],
  ["a file above the size limit", tarGz([{ name: "big", size: 15_000_001 }]), /"big" is larger than/],
  [
    "files above the total size limit",
    tarGz([
      { name: "a", content: zeros.map((_, i) => i * 7919) as Buffer },
      { name: "b", content: zeros },
    ]),
    /unpacks to more than/,
  ],
  ["a thousand times its size", tarGz([{ name: "zeros", content: zeros }]), /more than 200 times its size/],
  ["a negative size", tarGz([{ name: "a", size: "-0000000001\0" }]), /isn't a tar/],
  [
    "a size in base-256 encoding",
    tarGz([{ name: "a", size: "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10\x00" }]),
    /isn't a tar/,
  ],
  [
    "a folder with content",
    tarGz([{ name: "dir", type: "5", content: "x" }]),
    /the folder "dir" contains data/,
  ],
  ["a wrong checksum", tarGz([{ ...good, checksum: 1 }]), /damaged/],
  [
    "a second archive after the first",
    Buffer.concat([gzipSync(tar([good])), gzipSync(tar([{ name: "second" }]))]),
    /after the end/,
  ],
  [
    "a second archive in the same stream",
    gzipSync(Buffer.concat([tar([good]), tar([{ name: "second" }])])),
    /after the end/,
  ],
  [
    "one block of zeros, then more",
    tarGz([good], Buffer.concat([Buffer.alloc(512), tar([{ name: "x" }])])),
    /after the end/,
  ],
  [
    "text after the archive",
    Buffer.concat([gzipSync(tar([good])), Buffer.from("text")]),
    /after the end|damaged/,
  ],
  ["zeros after the archive", Buffer.concat([gzipSync(tar([good])), Buffer.alloc(100)]), /after the end/],
  ["half of the packed bytes", whole.subarray(0, whole.length / 2), /is incomplete/],
  ["no end marker", tarGz([good], Buffer.alloc(0)), /is incomplete/],
  [
    "an end in the middle of a file",
    gzipSync(tar([{ name: "a", content: "x".repeat(5_000) }]).subarray(0, 3_000)),
    /incomplete: "a" is cut off/,
  ],
  ["nothing", Buffer.alloc(0), /is incomplete/],
  ["not gzip", tar([good]), /isn't a gzip/],
  ["not a tar", gzipSync("just a text ".repeat(100)), /isn't a tar/],
  ["a file without a name", tarGz([{ name: "", content: "x" }]), /points outside the folder|without a name/],
];

describe("a hostile archive is refused, and no files remain", () => {
  test.each(hostile)("%s", async (_, archive, message) => {
    const before = readdirSync(root).length;
    const failure = await unpack(archive).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(BadArchive);
    expect((failure as Error).message).toMatch(message);
    expect(readdirSync(path.dirname(folder))).toEqual(["canary"]);
    expect(readFileSync(path.join(path.dirname(folder), "canary"), "utf8")).toBe("untouched");
    expect(readdirSync(root).length).toBeLessThanOrEqual(before + 1);
  });

  test("files that are larger than the limit together are refused, whatever the limit on entries", async () => {
    const limited = { entries_count: 100_000, file_bytes: 1_000_000, total_bytes: 1_000_000 };
    const both = (bytes: number) =>
      tarGz([
        { name: "a", content: Buffer.alloc(500_000) },
        { name: "b", content: Buffer.alloc(bytes) },
      ]);
    const read = (archive: Buffer) =>
      unpackArchive(Readable.from([archive]), path.join(root, `limited-${++count}`), limited);
    expect((await read(both(500_000))).bytes).toBe(1_000_000);
    await expect(read(both(500_001))).rejects.toThrow("The archive unpacks to more than 1 MB");
  });

  test("every single flipped byte is refused or unpacks to the same", async () => {
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      const outcome = await unpack(flipped).then(
        () => readFileSync(path.join(folder, "good.md"), "utf8"),
        (error: unknown) => error,
      );
      // Some bits of the gzip header, such as the time, have no effect.
      if (typeof outcome === "string") expect(outcome).toBe("good");
      else expect(outcome).toBeInstanceOf(BadArchive);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("an existing folder is unchanged", async () => {
    await unpack(whole);
    await expect(unpack(whole)).rejects.toThrow(/EEXIST/);
    expect(existsSync(path.join(folder, "good.md"))).toBe(true);
  });
});

describe("archives of common programs are accepted", () => {
  const entries: TarEntry[] = [
    { name: "./", type: "5", mode: 0o2755 },
    { name: "./docs.json", content: "{}" },
    { name: "./guides/", type: "5" },
    { name: "./guides/index.mdx", content: "text" },
    { name: "./guides/empty.mdx" },
    pax({ comment: "0123456789012345678901234567890123456789" }, "g"),
    pax({ path: `${"deep/".repeat(30)}caf\u0065\u0301.md`, mtime: "1.5" }),
    { name: "cut", content: "x".repeat(513) },
    { name: "././@LongLink", type: "L", content: `${"long/".repeat(30)}name.md\0` },
    { name: "cut again", content: "y" },
    { name: "Case.md", content: "1" },
    { name: "with spaces & signs (1).md", content: "2" },
  ];

  test.each([1, 511, 65_536])("in pieces of %i bytes", async (chunk_bytes) => {
    const archive = tarGz(entries, Buffer.alloc(10_240));
    expect(await unpack(archive, chunk_bytes)).toEqual({ files: 7, bytes: 2 + 4 + 513 + 1 + 2 });
    expect(readFileSync(path.join(folder, "guides/index.mdx"), "utf8")).toBe("text");
    expect(readFileSync(path.join(folder, "deep/".repeat(30), "caf\u00e9.md"), "utf8")).toBe("x".repeat(513));
    expect(readFileSync(path.join(folder, "long/".repeat(30), "name.md"), "utf8")).toBe("y");
    expect(statSync(path.join(folder, "docs.json")).mode & 0o7777).toBe(0o644);
  });

  test("each folder counts once, whether it has an entry or not", async () => {
    const withEntries = many(500).flatMap(({ name }): TarEntry[] => [
      { name: `${name}/`, type: "5" },
      { name: `${name}/page.md` },
    ]);
    expect(await unpack(tarGz(withEntries))).toEqual({ files: 500, bytes: 0 });
    const without = many(500).map(({ name }): TarEntry => ({ name: `${name}/page.md` }));
    folder += "-2";
    expect(await unpack(tarGz(without))).toEqual({ files: 500, bytes: 0 });
  });

  test("a tar that was packed in parts", async () => {
    const bytes = tar([good, { name: "b.md", content: "b" }]);
    await unpack(Buffer.concat([gzipSync(bytes.subarray(0, 700)), gzipSync(bytes.subarray(700))]));
    expect(readFileSync(path.join(folder, "b.md"), "utf8")).toBe("b");
  });
});

describe("entries that are skipped", () => {
  const skipped = { has: isInSkippedFolder, total_bytes: 10_000_000 };
  const read = async (entries: TarEntry[], most = skipped.total_bytes) => {
    mkdirSync(path.dirname(folder), { recursive: true });
    const options = { skipped: { ...skipped, total_bytes: most } };
    const { files, bytes } = await unpackArchive(Readable.from([tarGz(entries)]), folder, caps, options);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name))] : [],
    );
    return { files, bytes, names: names.sort() };
  };

  test("tool folders at any depth, including links, unsafe names and long names in them", async () => {
    const found = await read([
      { name: "./.git/", type: "5" },
      { name: "./.git/HEAD", content: "ref: refs/heads/main" },
      { name: "docs.json", content: "{}" },
      link("node_modules/.bin/tool", "../tool/cli.js"),
      pax({ linkpath: "x".repeat(200) }),
      link("node_modules/.bin/long", "x"),
      { name: "././@LongLink", type: "K", content: "x".repeat(200) },
      link("node_modules/.bin/longer", "x"),
      pax({ path: `node_modules/${"deep/".repeat(40)}a.js` }),
      { name: "short", content: "x" },
      { name: "site/node_modules/a\\b.js", content: "x" },
      { name: "site/.octavo/cache/1", content: "x".repeat(1_000) },
      { name: "site/.git", content: "gitdir: elsewhere" },
      { name: "site/page.mdx", content: "Text" },
      { name: "my.git/page.mdx", content: "Text" },
    ]);
    expect(found).toEqual({ files: 3, bytes: 10, names: ["docs.json", "my.git/page.mdx", "site/page.mdx"] });
  });

  test("a skipped entry has no effect on the next entry", async () => {
    await expect(read([pax({ linkpath: "/etc/passwd" }), good])).rejects.toThrow(/sets linkpath/);
    await expect(read([link("out", "..")])).rejects.toThrow(/is a link/);
    await expect(read([{ name: ".GIT/hooks/post-checkout", content: "x" }])).rejects.toThrow(
      /a \.git folder/,
    );
  });

  const files = Array.from({ length: 2_000 }, (_, i) => ({
    name: `node_modules/f${i}`,
    content: "x".repeat(2_000),
  }));
  test("their number and size don't count toward the limits", async () => {
    expect((await read([...files, { name: "docs.json", content: "{}" }])).names).toEqual(["docs.json"]);
  });
  test("their total size has a separate limit, which also counts empty entries", async () => {
    await expect(read(files, 1_000_000)).rejects.toThrow(/more than 1 MB in skipped folders/);
    const empty = Array.from({ length: 2_000 }, (_, i) => ({ name: `node_modules/f${i}` }));
    await expect(read(empty, 1_000_000)).rejects.toThrow(/more than 1 MB in skipped folders/);
  });
});
