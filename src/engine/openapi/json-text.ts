/** Parses and serializes JSON. Integers outside the safe range of `number` are `bigint`s. */

import { isRaw } from "./refs.ts";

/** Parses JSON. Throws `SyntaxError` for invalid text. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  // Replaces long integers with strings that start with NUL, which the reviver converts. NUL also precedes strings that start with it.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => {
    if (/^-?[1-9]\d{15,}$/.test(token)) return `"\\u0000${token}"`;
    return token.startsWith('"\\u0000') ? `"\\u0000${token.slice(1)}` : token;
  });
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== "string" || !value.startsWith("\0")) return value;
    return value[1] === "\0" ? value.slice(1) : exact(value.slice(1));
  });
}

function exact(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Serializes a value. `indent`: number of spaces per level; 0 writes one line. Undefined fields are omitted. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    // `JSON.stringify` can't serialize `bigint`s.
    if (error instanceof TypeError) return write(value, " ".repeat(indent), "");
    throw error;
  }
}

function write(value: unknown, step: string, margin: string): string {
  if (typeof value === "bigint") return value.toString();
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = margin + step;
  const members = Array.isArray(value)
    ? value.map((item) => write(item ?? null, step, inner))
    : isRaw(value)
      ? Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => `${JSON.stringify(key)}:${step && " "}${write(item, step, inner)}`)
      : undefined;
  if (!members) return JSON.stringify(value) ?? "null";
  if (members.length === 0) return `${open}${close}`;
  return step
    ? `${open}\n${members.map((member) => inner + member).join(",\n")}\n${margin}${close}`
    : `${open}${members.join(",")}${close}`;
}
