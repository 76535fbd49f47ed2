import { expect, test } from "vitest";
import { readMarks } from "./code-marks.ts";

const read = (code: string) => {
  const { code: rest, marks } = readMarks(code);
  return [rest, [...marks].map(([line, kinds]) => [line, ...kinds])];
};

test.each([
  ["a(); // [!code ++]", ["a();", [[1, "add"]]]],
  ["a  # [!code --]", ["a", [[1, "remove"]]]],
  ["<a> <!-- [!code highlight] -->", ["<a>", [[1, "highlight"]]]],
  ["a {/* [!code focus] */}", ["a", [[1, "focus"]]]],
  ["-- [!code hl]\nselect 1", ["select 1", [[1, "highlight"]]]],
  [
    "a\n// [!code highlight:2]\nb\nc",
    [
      "a\nb\nc",
      [
        [2, "highlight"],
        [3, "highlight"],
      ],
    ],
  ],
  [
    "a // [!code ++:2]\nb",
    [
      "a\nb",
      [
        [1, "add"],
        [2, "add"],
      ],
    ],
  ],
  ["a // [!code unknown]", ["a // [!code unknown]", []]],
  ["plain", ["plain", []]],
])("%s", (code, expected) => expect(read(code)).toEqual(expected));
