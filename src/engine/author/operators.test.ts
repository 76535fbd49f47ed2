/** Operators give the values of JavaScript, without running the author's code. */

import type { BinaryOperator, UnaryOperator } from "acorn";
import { describe, expect, test } from "vitest";
import { NeedsJavaScript } from "./evaluation-errors.ts";
import { binary, text, unary } from "./operators.ts";

const primitives = [null, undefined, true, false, 0, -1, 2.5, "", "2", "text"];
const javascript = (code: string) =>
  new Function("a", "b", `return ${code}`) as (a: unknown, b?: unknown) => unknown;

describe("with primitives, like JavaScript", () => {
  const operators = ["===", "!==", "==", "!=", "+", "-", "*", "/", "%", "**", "<", "<=", ">", ">="];
  test.each(operators as BinaryOperator[])("%s", (operator) => {
    const expected = javascript(`a ${operator} b`);
    for (const left of primitives)
      for (const right of primitives)
        expect([left, right, binary(operator, left, right)]).toEqual([left, right, expected(left, right)]);
  });

  test.each(["!", "void", "-", "+", "~", "typeof"] as UnaryOperator[])("%s", (operator) => {
    const expected = javascript(`${operator} a`);
    for (const value of primitives) expect([value, unary(operator, value)]).toEqual([value, expected(value)]);
  });

  test("as text", () => {
    for (const value of primitives) expect(text(value)).toBe(`${value}`);
  });
});

test("objects are compared by identity, and need JavaScript for everything else", () => {
  const object = { a: 1 };
  expect([binary("===", object, object), binary("!==", object, { a: 1 })]).toEqual([true, true]);
  expect([unary("!", object), unary("void", object)]).toEqual([false, undefined]);
  expect(() => binary("+", object, 1)).toThrow(NeedsJavaScript);
  expect(() => binary("==", 1, object)).toThrow(NeedsJavaScript);
  expect(() => unary("typeof", object)).toThrow(NeedsJavaScript);
  expect(() => text([1])).toThrow(NeedsJavaScript);
  expect(() => binary("instanceof", 1, 2)).toThrow(NeedsJavaScript);
});
