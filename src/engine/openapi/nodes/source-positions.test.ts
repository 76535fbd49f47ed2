import { expect, test } from "vitest";
import { findPositions } from "./source-positions.ts";

const json = '{\n  "a": {"b\\"c": [1, {"d": "x}]"}, ],},\n  "e": "two",\n}';
const yaml = `# comment
a: &shared
  "b c":
    - 1
    - d: 'x: y'
e: *shared
f: {g: [2, three]}
h: |
  text
`;

/** The text at a position, and its line and column. */
function found(text: string, isJson: boolean, path: string, what: "key" | "value"): string | undefined {
  const [span] = findPositions(text, isJson, [{ keys: path === "" ? [] : path.split("/"), what }]);
  if (!span) return undefined;
  const line = text.split("\n")[span.line - 1]!;
  return `${span.line}:${span.column} ${line.slice(span.column - 1, span.column - 1 + span.length)}`;
}

test.each<[path: string, what: "key" | "value", expected: string]>([
  ["", "value", "1:1 {"],
  ["a", "key", '2:3 "a"'],
  ['a/b"c', "key", '2:9 "b\\"c"'],
  ['a/b"c/0', "value", "2:18 1"],
  ['a/b"c/1/d', "value", '2:27 "x}]"'],
  ['a/b"c/1/d', "key", '2:22 "d"'],
  ["e", "value", '3:8 "two"'],
  ["e/missing/key", "value", '3:8 "two"'],
  ["missing", "value", "1:1 {"],
])("JSON: %s, %s", (path, what, expected) => expect(found(json, true, path, what)).toBe(expected));

test.each<[path: string, what: "key" | "value", expected: string]>([
  ["a", "value", "2:1 a"],
  ["a/b c", "value", '3:3 "b c"'],
  ["a/b c/0", "value", "4:7 1"],
  ["a/b c/1/d", "value", "5:10 'x: y'"],
  ["a/b c/1/d", "key", "5:7 d"],
  ["e/b c/1/d", "value", "5:10 'x: y'"],
  ["f/g/1", "value", "7:12 three"],
  ["f/g/9", "value", "7:5 g"],
  ["f/missing", "key", "7:1 f"],
])("YAML: %s, %s", (path, what, expected) => expect(found(yaml, false, path, what)).toBe(expected));

test("many nodes are found at once, in any order", () => {
  const list = `[\n${Array.from({ length: 1_000 }, (_, index) => `  {"n": ${index}}`).join(",\n")}\n]`;
  const wanted = [700, 3, 999, 3].map((index) => ({ keys: [String(index), "n"], what: "value" as const }));
  expect(findPositions(list, true, wanted).map((span) => span?.line)).toEqual([702, 5, 1_001, 5]);
});

test("circular and repeated aliases end", () => {
  const text = `a: &a\n  b: *a\n${Array.from({ length: 50 }, (_, index) => `k${index}: &k${index}\n  x: *${index ? `k${index - 1}` : "a"}`).join("\n")}\n`;
  expect(found(text, false, ["k49", ...Array(80).fill("x")].join("/"), "value")).toMatch(/^\d+:3 x/);
});
