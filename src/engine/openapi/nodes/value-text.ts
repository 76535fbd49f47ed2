/** Text of values and of their places, for error messages and comparisons. */

import { cutText } from "../../../base/cut-text.ts";
import { jsonText } from "./json-text.ts";
import { isRaw } from "./refs.ts";

/** Maximum length of a value in a message, in characters. */
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

/** Converts a value to text for an error message, texts without quotation marks. Shortens long text. */
export function shown(value: unknown): string {
  if (typeof value === "string") return cutText(value, shown_chars);
  return value === undefined ? "" : value === Infinity ? "∞" : shownAsJson(value);
}

/** Converts a value to JSON for a message. Shortens long text. */
export function shownAsJson(value: unknown): string {
  return cutText(jsonText(value), shown_chars);
}
