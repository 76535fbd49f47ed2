/** Parses and serializes JSON. Integers outside the safe range of `number` are `bigint`s. */

import { isRaw, setOwn } from "./refs.ts";

/** Parses JSON. Throws `SyntaxError` for invalid text. */
export function parseJson(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  // Replaces long integers with strings that start with NUL. NUL also precedes strings that start with it.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => {
    if (/^-?[1-9]\d{15,}$/.test(token)) return `"\\u0000${token}"`;
    return token.startsWith('"\\u0000') ? `"\\u0000${token.slice(1)}` : token;
  });
  return withIntegers(JSON.parse(marked));
}

/** Matches an integer of at least 16 digits that could be a value. It can also be a part of a string. */
const longInteger = /[[:,]\s*-?[1-9]\d{15,}\s*[,}\]]|^\s*-?[1-9]\d{15,}\s*$/;

/**
 * Replaces marked strings with integers. Changes objects and lists in place, which is faster than a reviver.
 */
function withIntegers(value: unknown): unknown {
  if (typeof value === "string")
    return !value.startsWith("\0") ? value : value[1] === "\0" ? value.slice(1) : exactNumber(value.slice(1));
  if (Array.isArray(value))
    for (let index = 0; index < value.length; index++) value[index] = withIntegers(value[index]);
  else if (isRaw(value))
    for (const key of Object.keys(value)) {
      const before = value[key];
      const after = withIntegers(before);
      if (after !== before) setOwn(value, key, after);
    }
  return value;
}

/**
 * Maximum number of digits of an integer that is exact, since converting long texts to `bigint`s takes
 * quadratic time.
 */
const exactDigits_count = 400;

/**
 * Converts the digits of an integer to a number, or to a `bigint` if it's outside the safe range of `number`.
 */
export function exactNumber(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.length > exactDigits_count ? number : BigInt(digits);
}

/**
 * Serializes a value. `indent`: number of spaces per level; 0 writes one line. Undefined fields are omitted.
 */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    // `JSON.stringify` can't serialize `bigint`s.
    if (error instanceof TypeError) return write(value, " ".repeat(indent), "", "");
    throw error;
  }
}

/** Serializes a value as a JavaScript expression on one line, in which `bigint`s keep their digits. */
export function scriptText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    if (error instanceof TypeError) return write(value, "", "", "n");
    throw error;
  }
}

/** `suffix`: text after each `bigint`. */
function write(value: unknown, step: string, margin: string, suffix: string): string {
  if (typeof value === "bigint") return `${value}${suffix}`;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = margin + step;
  const members = Array.isArray(value)
    ? value.map((item) => write(item ?? null, step, inner, suffix))
    : isRaw(value)
      ? Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => `${JSON.stringify(key)}:${step && " "}${write(item, step, inner, suffix)}`)
      : undefined;

  if (!members) return JSON.stringify(value) ?? "null";
  if (members.length === 0) return `${open}${close}`;
  return step
    ? `${open}\n${members.map((member) => inner + member).join(",\n")}\n${margin}${close}`
    : `${open}${members.join(",")}${close}`;
}
