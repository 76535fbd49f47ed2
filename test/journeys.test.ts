/** Each journey has a test that runs in `npm test`. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./engine/build.ts";
import { journeys } from "./journeys.ts";

test("there are about 60 journeys, each described once", () => {
  expect(journeys.length).toBeGreaterThanOrEqual(60);
  expect(new Set(journeys.map(({ file, title }) => `${file} ${title}`)).size).toBe(journeys.length);
});

test("most of the journeys of readers and members are made in a browser", () => {
  const inBrowser = journeys.filter(({ file }) => file.endsWith(".browser.test.ts"));
  expect(inBrowser.length / journeys.length).toBeGreaterThan(0.7);
});

test.each(journeys)("the $who $does: $file has the test", ({ file, title }) => {
  // The files of the projects `quick` and `main`, which `npm test` runs.
  expect(file).toMatch(/^(?:src|test)\/.*\.(?:process|browser)\.test\.tsx?$/);
  expect(existsSync(path.join(root, file)), file).toBe(true);
  const source = readFileSync(path.join(root, file), "utf8");
  // A title follows `test(`, or the table or condition of the test.
  const before = source.split(JSON.stringify(title)).slice(0, -1);
  expect(before.filter((text) => /(?:(?:^|\n)\s*(?:test|it)|\))\(\s*$/.test(text))).toHaveLength(1);
  expect(source).not.toMatch(/^\s*(?:test|it|describe)\.(?:skip|todo|only)\b/m);
});
