/** Reads flags of schemas that apply to whole fields, such as `readOnly`. */

import { child, children, type Located, own, type Refs } from "../nodes/refs.ts";

type Flag = "readOnly" | "writeOnly";

/**
 * Whether every part of a schema sets a flag, directly, in the target of its `$ref`, or in a member of its
 * `allOf`.
 */
export function isFlaggedInAll(parts: readonly Located[], refs: Refs, flag: Flag): boolean {
  return parts.length > 0 && parts.every((part) => isFlagged(part, refs, flag));
}

function isFlagged(part: Located, refs: Refs, flag: Flag): boolean {
  const seen = new Set<unknown>();
  const waiting = [part];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (own(at.value, flag) === true) return true;
    if (seen.has(at.value)) continue;

    seen.add(at.value);
    const target = own(at.value, "$ref") === undefined ? undefined : refs.target(at);
    if (target) waiting.push(target);
    if (own(at.value, "allOf") !== undefined) waiting.push(...children(child(at, "allOf")));
  }

  return false;
}
