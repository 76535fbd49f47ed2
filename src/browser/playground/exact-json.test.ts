import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonParseError, readExact, readJson } from "./exact-json.ts";

test("accepts the texts that JSON.parse accepts", () => {
  const rounded = (value: unknown): unknown =>
    typeof value === "bigint"
      ? Number(value)
      : Array.isArray(value)
        ? value.map(rounded)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]))
          : value;
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(rounded(readJson(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("rejects the texts that JSON.parse rejects", () => {
  const bits = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "1",
    "-",
    "0",
    ".",
    "e",
    "t",
    "true",
    "null",
    " ",
    "\\",
    '"a"',
    "\n",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      let fine = true;
      try {
        JSON.parse(text);
      } catch {
        fine = false;
      }
      if (fine) expect(() => readExact(text)).not.toThrow();
      else expect(() => readExact(text)).toThrow(JsonParseError);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["keeps the digits", "12345678901234567890.10e5", { kind: "number", digits: "12345678901234567890.10e5" }],
  [
    "keeps duplicate keys in order",
    '{"2":1,"1":2,"2":3}',
    {
      kind: "object",
      entries: ["1", "2", "3"].map((digits, i) => [["2", "1", "2"][i], { kind: "number", digits }]),
    },
  ],
])("%s", (_title, text, expected) => expect(readExact(text)).toEqual(expected));

test("long integers become bigints, and safe integers become numbers", () => {
  expect(readJson("[9007199254740993, -9007199254740993, 9007199254740991, 1.5]")).toEqual([
    9007199254740993n,
    -9007199254740993n,
    9007199254740991,
    1.5,
  ]);
});

test("a syntax error has a line and column", () => {
  expect(() => readExact('{\n  "a": oops }')).toThrow("Invalid JSON at 2:8");
});

test("JSON that is nested too deeply is an error, not a crash", () => {
  expect(() => readExact("[".repeat(100_000))).toThrow(JsonParseError);
});

test("`__proto__` is an ordinary key", () => {
  const value = readJson('{"__proto__": {"polluted": true}}') as object;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
