/** What `npm run release` checks and writes. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { releaseProblems, writeRelease } from "../../scripts/release.js";
import { temporaryFolder } from "../engine/build.ts";

const { version, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
};
const ready = {
  version: "1.2.0",
  changelog: "# Changelog\n\n## 1.2.0\n\n- A change.\n\n## 1.1.0\n",
  changed: "",
  tags: ["v1.1.0"],
};

test.each([
  ["a release", {}, []],
  ["changes that aren't committed", { changed: " M README.md\n" }, [/uncommitted changes/]],
  [
    "a changelog without the version",
    { changelog: "# Changelog\n\n## Unreleased\n\n## 1.1.0\n" },
    [/first heading in CHANGELOG.md is "Unreleased"/],
  ],
  ["a version that is released", { tags: ["v1.1.0", "v1.2.0"] }, [/tag v1\.2\.0 exists/]],
])("%s", (_name, changes, expected) => {
  const problems = releaseProblems({ ...ready, ...changes });
  expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test("the package, a bill of materials for each image, and checksums", async () => {
  const folder = temporaryFolder();
  await writeRelease(folder);
  const names = [`octavo-${version}.cdx.json`, `octavo-${version}.tgz`, `octavo-bundle-${version}.cdx.json`];
  expect(readdirSync(folder).toSorted()).toEqual(["SHA256SUMS", ...names].toSorted());
  const read = (name: string) => readFileSync(path.join(folder, name));
  const sums = names.map((name) => `${createHash("sha256").update(read(name)).digest("hex")}  ${name}\n`);
  expect(read("SHA256SUMS").toString()).toBe(
    sums.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(""),
  );

  const packagesIn = (name: string) =>
    (JSON.parse(read(name).toString()).components as { name: string }[]).map((component) => component.name);
  const all = packagesIn(`octavo-${version}.cdx.json`);
  expect(all).toEqual(
    expect.arrayContaining([...Object.keys(dependencies), "preact", "ai", "@electric-sql/pglite"]),
  );
  expect(all).not.toContain("vitest");
  const own = packagesIn(`octavo-bundle-${version}.cdx.json`);
  expect(own).toContain("pino");
  for (const name of ["ai", "pg", "esbuild", "@aws-sdk/client-s3"]) expect(own).not.toContain(name);

  const files = execFileSync("tar", ["-tzf", path.join(folder, `octavo-${version}.tgz`)], {
    encoding: "utf8",
  }).split("\n");
  expect(files).toEqual(
    expect.arrayContaining([
      "package/dist/cli.js",
      "package/dist/types/main/engine.d.ts",
      "package/dist/licenses.txt",
      "package/NOTICE",
    ]),
  );
  expect(files.filter((file) => /\/\.|bundle-server\.js$|^package\/(?:src|test|docs)\//.test(file))).toEqual(
    [],
  );
});
