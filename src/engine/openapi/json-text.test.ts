import { expect, test } from "vitest";
import { parseJson } from "./json-text.ts";

test("parseJson preserves the digits of big integers", () => {
  const text =
    '{"a": 12345678901234567890, "b": [-9007199254740993, 1234567890123456], "c": "12345678901234567890", "d\\"1234567890123456": 1234567890123456.5, "e": 1e21}';
  expect(parseJson(text)).toEqual({
    a: 12345678901234567890n,
    b: [-9007199254740993n, 1234567890123456],
    c: "12345678901234567890",
    'd"1234567890123456': 1234567890123456.5,
    e: 1e21,
  });
});
