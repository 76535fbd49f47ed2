/** The tests of the long lane that `.ci/run` selects. */

import { expect, test } from "vitest";
import { selectTests } from "../scripts/affected.js";
import { root } from "./engine/build.ts";

/** Runs the engine only. */
const engine = "src/engine/page-size.long.test.ts";
/** Starts the service as a process. */
const service = "src/service/app/kills.long.test.ts";
/** Imports code, but doesn't start the product. */
const archives = "src/service/deployments/archives.long.test.ts";
const tests = [engine, service, archives];

const affected = (changed: string[]) => selectTests(root, tests, changed, undefined);

test.each([
  ["documentation", ["docs/index.mdx", "README.md"], []],
  ["a file that tests import", ["src/io/unpack-archive.ts"], tests],
  ["a file that only the product imports", ["src/cli/commands/init.ts"], [engine, service]],
  ["a script of pages", ["src/browser/page.ts"], [engine, service]],
  ["a test", [archives], [archives]],
  ["another test", ["src/base/ulid.test.ts"], []],
  ["packages", ["package-lock.json"], tests],
  ["a style sheet", ["src/engine/frame/styles/tokens.css"], tests],
  ["a deleted file", ["src/engine/deleted.ts"], tests],
])("a change of %s", (_, changed, expected) => {
  expect(affected(changed)).toEqual(expected);
});

test("without a known state, all tests are selected", () => {
  expect(selectTests(root, tests, undefined, 0)).toEqual(tests);
});

test("three runs without changes select each test once", () => {
  const selected = [0, 1, 2].flatMap((third) => selectTests(root, tests, [], third));
  expect(selected.sort()).toEqual([...tests].sort());
});
