import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { FolderObjects } from "./folder-objects.ts";

test("an object that can't be stored leaves no temporary file", async () => {
  const root = path.join(temporaryFolder(), "store");
  const objects = await FolderObjects.open(root, { url: "http://localhost", secret: "s" });
  mkdirSync(path.join(root, "sites/key/deeper"), { recursive: true });
  await expect(objects.put("sites/key", new Uint8Array([1]))).rejects.toThrow();
  await expect(objects.put("sites/other", { file: path.join(root, "missing") })).rejects.toThrow();
  expect(readdirSync(path.join(root, ".parts"))).toEqual([]);
});
