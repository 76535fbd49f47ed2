/** JSON bodies that samples write as literals, and how. */

import { expect, test } from "vitest";
import type { HttpRequest } from "../request/request-model.ts";
import { literalOf } from "./body-parts.ts";
import { pythonSample } from "./python.ts";

const request = (text: string): HttpRequest => ({
  method: "POST",
  url: "https://api.example.com/a",
  headers: [["Content-Type", "application/json"]],
  body: { kind: "text", text },
});

test.each(['{"a\\u0000b":1}', '{"\\ud800":1}', '{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"a":1,"a":2}'])(
  "%s isn't written as a literal",
  (text) => expect(literalOf(request(text))).toBeUndefined(),
);

test("a list with an object has a line for each item", () => {
  expect(pythonSample(request('[1,{"b":2}]'))).toContain('[\n    1,\n    {\n        "b": 2,\n    },\n]');
  expect(pythonSample(request("[1,2]"))).toContain("[1, 2]");
});
