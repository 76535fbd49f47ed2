import { expect, test } from "vitest";
import { EarlierFiles, lineOf } from "./written-files.ts";

const paths = ["a.html", "folder/a.html", "my a.html", "b.html", "c 1 2.html"];
const fileOf = (path: string) => ({ key: `key${path.length}`, bytes: path.length, mtime_ms: 1_700_000_000_000.25 + path.length });
const text = paths.map((path) => lineOf(path, fileOf(path))).join("");

test.each([
  ["in the same order", paths],
  ["in the opposite order", paths.toReversed()],
  ["after removed files", ["my a.html", "c 1 2.html"]],
])("files are found %s", (_, asked) => {
  const earlier = new EarlierFiles(text);
  for (const path of asked) expect(earlier.find(path)).toEqual({ ...fileOf(path), line: lineOf(path, fileOf(path)) });
});

test("files with similar paths aren't found", () => {
  const earlier = new EarlierFiles(text);
  for (const path of ["html", "1 2.html", "older/a.html", "a.htm", ""]) expect(earlier.find(path)).toBeUndefined();
  expect(earlier.find("b.html")).toBeDefined();
});

test("a damaged text has no files", () => {
  for (const damaged of ["", "nonsense", "nonsense\n", "{}"]) expect(new EarlierFiles(damaged).find("a.html")).toBeUndefined();
});
