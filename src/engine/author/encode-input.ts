import type { ContentNode } from "../content.ts";
import { isElement, isFields } from "./convert-values.ts";
import { NeedsJavaScript } from "./evaluation-errors.ts";
import { Closure, type Fields, type Value } from "./values.ts";

/**
 * A value as JSON. Content is replaced with numbered slots: sandboxed code can place the content but not read
 * it.
 */
export type Encoded =
  | string
  | number
  | boolean
  | null
  | undefined
  | Encoded[]
  | { fields: Record<string, Encoded> }
  | { slot: number };

/** Encodes props. Appends the content in them to `slots`. Throws `NeedsJavaScript` for functions. */
export function encodeFields(fields: Fields, slots: ContentNode[][]): Encoded {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, encodeValue(value, slots)]),
    ),
  };
}

function encodeValue(value: Value, slots: ContentNode[][]): Encoded {
  if (value instanceof Closure) throw new NeedsJavaScript();
  if (Array.isArray(value)) return value.map((item) => encodeValue(item, slots));
  if (isElement(value)) {
    if (value.name !== "") return slot([value], slots);
    return value.children
      .filter((child) => typeof child !== "string" || child.trim() !== "")
      .map((child) => slot([child], slots));
  }
  if (isFields(value)) return encodeFields(value, slots);
  return typeof value === "object" ? null : value;
}

function slot(nodes: ContentNode[], slots: ContentNode[][]): Encoded {
  return { slot: slots.push(nodes) - 1 };
}
