import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { docsFolderFiles } from "./docs-folder-files.ts";

const folder = temporaryFolder();
const repositoryFolder = temporaryFolder();
afterEach(() => vi.restoreAllMocks());

const stamp = () => docsFolderFiles(folder).files.stamp!("page.mdx");

test("a file's stamp changes when the file is written, and is unknown shortly after", () => {
  const file = path.join(folder, "page.mdx");
  writeFileSync(file, "one");
  expect(stamp()).toBeUndefined();

  const later = Date.now() + 10_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  const first = stamp();
  expect(first).toBeDefined();
  expect(stamp()).toBe(first);
  writeFileSync(file, "two");
  expect(stamp()).not.toBe(first);
});

test("a link to a hidden file, such as one in .git, is left out and reported", () => {
  const repository = writeFiles(repositoryFolder, {
    ".git/config": "token",
    ".env": "key",
    "notes.txt": "text",
  });
  for (const [name, target] of Object.entries({
    "a.txt": ".git/config",
    "b.txt": ".env",
    "c.txt": "notes.txt",
  }))
    symlinkSync(target, path.join(repository, name));
  const { files, problems } = docsFolderFiles(repository);
  expect(files.paths.filter((file) => file !== ".env")).toEqual(["c.txt", "notes.txt"]);
  expect(problems.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
    "unsafe-path a.txt",
    "unsafe-path b.txt",
  ]);
});

test("a Git LFS pointer is left out and reported", () => {
  writeFileSync(
    path.join(folder, "image.png"),
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`,
  );
  const { files, problems } = docsFolderFiles(folder);
  expect(files.paths).not.toContain("image.png");
  expect(problems).toMatchObject([
    { code: "source-skipped", file: "image.png", hint: expect.stringContaining("Git LFS") },
  ]);
});

test("paths with decomposed characters are composed", () => {
  const decomposed = writeFiles(temporaryFolder(), { "anleitung/u\u0308bersicht.mdx": "Text." });
  const { files } = docsFolderFiles(decomposed);
  expect(files.paths).toEqual(["anleitung/\u00fcbersicht.mdx"]);
  expect(new TextDecoder().decode(files.read(files.paths[0]!))).toBe("Text.");
  expect(files.size(files.paths[0]!)).toBe(5);
});

test("a file whose name isn't UTF-8 is left out and reported", () => {
  const other = writeFiles(repositoryFolder, { "names/page.mdx": "Text." });
  writeFileSync(
    Buffer.concat([Buffer.from(path.join(other, "names/bad")), Buffer.from([0xff]), Buffer.from(".mdx")]),
    "Text.",
  );
  const { files, problems } = docsFolderFiles(path.join(other, "names"));
  expect(files.paths).toEqual(["page.mdx"]);
  expect(problems.map(({ code, file }) => [code, file])).toEqual([["unsafe-path", "bad\ufffd.mdx"]]);
});
