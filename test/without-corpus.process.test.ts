/**
 * The tests in a clone that has nothing next to it: files that need the corpus can be loaded, and no suite is
 * without tests.
 */

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "./engine/build.ts";

test("every lane can be collected without the corpus", { timeout: 600_000 }, async () => {
  const env = { ...process.env, TEST_CORPUS: path.join(temporaryFolder(), "missing"), REQUIRE_CORPUS: "" };
  const { stdout } = await promisify(execFile)(process.execPath, ["test/shared/collect.js"], {
    cwd: root,
    env,
  });
  const { files, problems } = JSON.parse(stdout.trim().split("\n").at(-1)!) as {
    files: number;
    problems: string[];
  };
  expect(problems).toEqual([]);
  expect(files).toBeGreaterThan(15);
});
