/** Exports as archives with deltas. */

import { existsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "../../test/engine/build.ts";
import { contentsOf, entriesOf } from "../bundle/archive-entries.ts";
import type { PlannedFile } from "../engine/export/export-site.ts";
import { writeOutputArchive } from "./output-archive.ts";

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const source = {
  commit: null,
  inputs: { files: 0, sha256: "" },
  target: { kind: "client-hosted", links: "html" },
} as const;
const options = {
  generator: "test",
  version: "0",
  gzipModule: path.join(root, "dist/gzip.js"),
  source,
  store: undefined,
};

const filler = Array.from({ length: 2_000 }, (_, number) => (number * 7919) % 10_007).join(" ");
const site = (text: string) =>
  new Map<string, PlannedFile>([
    ["index.html", { access: "anyone", make: () => text }],
    ["other.html", { access: "anyone", make: () => filler }],
  ]);

async function textOf(archive: string, name: string): Promise<string> {
  return Buffer.from((await contentsOf(entriesOf(archive))).get(name)!).toString();
}

test("an archive with a delta from the earlier one", async () => {
  await writeOutputArchive({ path: at("first.tar.gz") }, site("one"), options);
  const delta = { from: at("first.tar.gz"), out: at("delta.tar.gz") };
  await writeOutputArchive({ path: at("second.tar.gz"), delta }, site("two"), options);
  expect(await textOf(at("second.tar.gz"), "index.html")).toBe("two");
  expect(statSync(delta.out).size).toBeLessThan(statSync(at("second.tar.gz")).size / 2);
});

test.each([
  [
    "the earlier archive is damaged",
    () => ({ from: at("damaged.tar.gz"), out: at("delta-of-damaged.tar.gz") }),
  ],
  ["the delta can't be written", () => ({ from: at("first.tar.gz"), out: at("missing/delta.tar.gz") })],
])("the archive is complete if %s", async (_, deltaFiles) => {
  writeFileSync(at("damaged.tar.gz"), "damaged");
  const delta = deltaFiles();
  await writeOutputArchive({ path: at("third.tar.gz"), delta }, site("three"), options);
  expect(await textOf(at("third.tar.gz"), "index.html")).toBe("three");
  expect(existsSync(delta.out)).toBe(false);
});
