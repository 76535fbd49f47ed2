/** Moves operations that documents describe in extensions to the fields that other documents use for them. */

import { isRaw, own, pointerTo, type Raw, setOwn } from "../nodes/refs.ts";

/**
 * Extensions that contain operations, and the field that they extend: webhooks before OpenAPI 3.1, and paths
 * that differ in their query.
 */
const extended = [
  ["x-webhooks", "webhooks"],
  ["x-ms-paths", "paths"],
] as const;

/**
 * Moves the operations in extensions, in place. Entries that the field already has take precedence. Returns
 * undefined if nothing was moved, or else a function that returns the source of a pointer.
 */
export function moveOperations(root: Raw): ((pointer: string) => string) | undefined {
  const sources = new Map<string, string>();
  for (const [extension, field] of extended) {
    const items = own(root, extension);
    const known = own(root, field) ?? {};
    if (!isRaw(items) || !isRaw(known)) continue;
    delete root[extension];
    setOwn(root, field, known);
    for (const [path, item] of Object.entries(items)) {
      if (path.startsWith("x-") || Object.hasOwn(known, path)) continue;
      setOwn(known, path, item);
      sources.set(pointerTo([field, path]), pointerTo([extension, path]));
    }
  }

  if (sources.size === 0) return undefined;

  return (pointer) => {
    const [item = ""] = /^#\/[^/]*\/[^/]*/.exec(pointer) ?? [];
    return (sources.get(item) ?? item) + pointer.slice(item.length);
  };
}
