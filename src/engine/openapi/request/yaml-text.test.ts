/** Two YAML parsers read the value that was written. */

import fc from "fast-check";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { yamlText } from "./yaml-text.ts";

test.each<[unknown, string]>([
  [
    {
      name: "Oak",
      tags: ["a b", "yes", ""],
      at: { x: 1.5, y: null },
      none: {},
      list: [],
      rows: [[1, [2]], { b: true }],
    },
    'name: Oak\ntags:\n  - a b\n  - "yes"\n  - ""\nat:\n  x: 1.5\n  "y": null\nnone: {}\nlist: []\nrows:\n  - - 1\n    - - 2\n  - b: true\n',
  ],
  [[{ a: "1", "b: c": "d # e\n" }], '- a: "1"\n  "b: c": "d # e\\n"\n'],
  [{ id: 9007199254740993n }, "id: 9007199254740993\n"],
  ["text", "text\n"],
])("writes %#", (value, text) => {
  expect(yamlText(value)).toBe(text);
});

test("parsers of YAML 1.2 and 1.1 read the same value", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }).filter((one) => one.isWellFormed()),
    fc.string(),
    fc.constantFrom(
      "~",
      "Null",
      "0x1f",
      "1_000",
      "12:30",
      "2024-01-01",
      "- a",
      "a: b",
      "a #b",
      "<<",
      "=",
      " a",
      "a ",
    ),
    fc.constantFrom(
      "k".repeat(1_500),
      "\u0085",
      "\u2028",
      "\ufeff",
      "---",
      "...",
      "!!str",
      "&a",
      "*a",
      "%TAG",
    ),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
      fc.constantFrom(null, true, false),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        text.filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      const plain: unknown = JSON.parse(JSON.stringify(one));
      const written = yamlText(plain);
      expect(parse(written)).toEqual(plain);
      expect(parse(written, { version: "1.1", merge: false })).toEqual(plain);
      expect(load(written)).toEqual(plain);
    }),
    { numRuns: 200, examples: [[{ E0: "e-1_0" }]] },
  );
});
