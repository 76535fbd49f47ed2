/** Text of values and of their places, for error messages and comparisons. */

import { jsonText } from "./json-text.ts";
import { isRaw } from "./refs.ts";

/** Maximum length of a value in an error message, in characters. */
const shown_chars = 80;

/** Serializes a value so that equal values have the same text, regardless of the order of keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRaw(value)) return jsonText(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`;
}

/** Returns the path of a member: `body.id`, or `body["user id"]` if its name needs quotes. */
export function memberPath(path: string, name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** Converts a value to text for an error message. Shortens long text. */
export function shown(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined ? "" : value === Infinity ? "∞" : jsonText(value);
  return text.length > shown_chars ? `${text.slice(0, shown_chars)}…` : text;
}
