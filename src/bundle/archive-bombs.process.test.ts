/** Bundles that unpack to far more than their size, and the commands that read them. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { entriesIn, readFile_bytes } from "./archive-entries.ts";

const folder = temporaryFolder();

/** Returns the 512 bytes before a file's content in a tar archive. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write("0000644\0", 100);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("        0", 148);
  block.write("ustar\u000000", 257);
  block.write(
    `${[...block]
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return block;
}

function archive(name: string, ...files: { name: string; bytes: Buffer }[]): string {
  const parts = files.flatMap(({ name, bytes }) => [
    header(name, bytes.length),
    bytes,
    Buffer.alloc((512 - (bytes.length % 512)) % 512),
  ]);
  const file = path.join(folder, name);
  writeFileSync(file, gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)])));
  return file;
}

writeFiles(path.join(folder, "docs"), siteOf({ "index.mdx": "Hello." }));
const bundle = path.join(folder, "site.tar.gz");
expect((await runCli(["export", path.join(folder, "docs"), "--output", bundle])).code).toBe(0);

const spaces = Buffer.alloc(12_000_000, " ");
const bombs = {
  "one.tar.gz": archive("one.tar.gz", { name: "index.html", bytes: spaces }),
  "many.tgz": archive(
    "many.tgz",
    ...Array.from({ length: 12 }, (_, n) => ({ name: `${n}.md`, bytes: spaces.subarray(0, 1_000_000) })),
  ),
};

describe.each(Object.entries(bombs))("%s", (name, bomb) => {
  test.each([
    ["the earlier", (): string[] => ["bundle", "plan", bomb, bundle]],
    ["the later", (): string[] => ["bundle", "plan", bundle, bomb]],
    ["the shown", (): string[] => ["preview", bomb]],
    ["the verified", (): string[] => ["verify", bomb]],
  ])("is refused by name as %s bundle", async (_which, args) => {
    const { code, err } = await runCli(args());
    expect(code).not.toBe(0);
    expect(err).toContain(`${name}: The archive unpacks to more than 200 times its size`);
  });
});

test("a file of an archive that is larger than the limit isn't read into memory", async () => {
  const packed = gzipSync(Buffer.concat([header("big.bin", 600_000_000), Buffer.alloc(1_000)]));
  const entries = entriesIn(Readable.from([packed]), { file_bytes: readFile_bytes });
  await expect(entries.next().then(({ value }) => value!.bytes())).rejects.toThrow(
    "big.bin is larger than 512 MB",
  );
});

test("a large archive with usual text is read", async () => {
  const words = Array.from({ length: 2_000_000 }, (_, n) => (n * 7919).toString(36)).join(" ");
  const usual = archive("usual.tar.gz", { name: "a.txt", bytes: Buffer.from(words) });
  expect(await runCli(["bundle", "plan", usual, usual])).toMatchObject({ code: 0 });
});
