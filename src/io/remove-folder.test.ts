import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { removeFolder } from "./remove-folder.ts";

test("names that aren't UTF-8 are removed", async () => {
  const root = temporaryFolder();
  const folder = Buffer.concat([Buffer.from(`${root}/gone/`), Buffer.from([0x64, 0xff])]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(Buffer.concat([folder, Buffer.from([0x2f, 0x76, 0xfe])]), "");
  await removeFolder(path.join(root, "gone"));
  expect(readdirSync(root)).toEqual([]);
});

test("a folder is removed with its folders, files, and links, but not what links lead to", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "gone/inside/empty"), { recursive: true });
  writeFileSync(path.join(root, "kept"), "");
  for (const name of ["gone/a", "gone/inside/b"]) writeFileSync(path.join(root, name), "");
  symlinkSync(root, path.join(root, "gone/folder"));
  symlinkSync("../kept", path.join(root, "gone/inside/file"));
  await removeFolder(path.join(root, "gone"));
  await removeFolder(path.join(root, "gone"));
  expect(readdirSync(root)).toEqual(["kept"]);
});
