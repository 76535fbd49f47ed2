/** Evaluates unary and binary operators. */

import type { BinaryOperator, UnaryOperator } from "acorn";
import { NeedsJavaScript } from "./evaluation-errors.ts";
import type { Value } from "./values.ts";

type Primitive = string | number | boolean | null | undefined;

/**
 * Applies a binary operator. Throws `NeedsJavaScript` for unsupported operators, and for objects as operands,
 * except with `===` and `!==`. Converting an object to a primitive value could call `toString` or `valueOf`
 * of the author's code.
 */
export function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === "===") return left === right;
  if (operator === "!==") return left !== right;
  const compute = binaryOperators[operator];
  if (!compute || !isPrimitive(left) || !isPrimitive(right)) throw new NeedsJavaScript();
  return compute(left as never, right as never);
}

/**
 * Applies a unary operator. Throws `NeedsJavaScript` for unsupported operators, and for objects, except with
 * `!` and `void`.
 */
export function unary(operator: UnaryOperator, value: Value): Value {
  if (operator === "!") return !value;
  if (operator === "void") return undefined;
  if (!isPrimitive(value)) throw new NeedsJavaScript();
  if (operator === "-") return -(value as number);
  if (operator === "+") return Number(value);
  if (operator === "~") return ~(value as number);
  if (operator === "typeof") return typeof value;
  throw new NeedsJavaScript();
}

/** Converts a primitive value to text, as template literals do. Throws `NeedsJavaScript` for objects. */
export function text(value: Value): string {
  if (!isPrimitive(value)) throw new NeedsJavaScript();
  return String(value);
}

function isPrimitive(value: Value): value is Primitive {
  return value === null || typeof value !== "object";
}

const binaryOperators: Partial<Record<BinaryOperator, (left: never, right: never) => Value>> = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  "/": (left: number, right: number) => left / right,
  "%": (left: number, right: number) => left % right,
  "**": (left: number, right: number) => left ** right,
  "<": (left: number, right: number) => left < right,
  "<=": (left: number, right: number) => left <= right,
  ">": (left: number, right: number) => left > right,
  ">=": (left: number, right: number) => left >= right,
  // biome-ignore lint/suspicious/noDoubleEquals: the author wrote it.
  "==": (left: Primitive, right: Primitive) => left == right,
  // biome-ignore lint/suspicious/noDoubleEquals: the author wrote it.
  "!=": (left: Primitive, right: Primitive) => left != right,
};
