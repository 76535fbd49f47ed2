/** Names the keys of maps. */

import { ownText } from "../nodes/refs.ts";
import type { SchemaView } from "./schema-view.ts";

/**
 * Returns what the names of additional properties are, from `x-additionalPropertiesName` in their schema.
 * Undefined if the schema doesn't say so.
 */
export function additionalName({ additional }: SchemaView): string | undefined {
  const parts = typeof additional === "object" ? additional.parts : [];
  const names = parts.map(({ value }) => ownText(value, "x-additionalPropertiesName")?.trim());
  return names.findLast(Boolean);
}
