/** Reads flags of schemas that apply to whole fields, such as `readOnly`. */

import { child, children, type Located, own, type Refs } from "../nodes/refs.ts";

/**
 * Determines which fields are included: a request has no `readOnly` fields, a response has no `writeOnly`
 * fields, and a schema has all fields.
 */
export type Direction = "request" | "response" | "schema";

type Flag = "readOnly" | "writeOnly";

/**
 * Whether every part of a schema sets a flag, directly, in the target of its `$ref`, or in a member of its
 * `allOf`.
 */
export function isFlaggedInAll(parts: readonly Located[], refs: Refs, flag: Flag): boolean {
  return parts.length > 0 && parts.every((part) => isFlagged(part, refs, flag));
}

/** The flag of the fields that a direction excludes: requests have no `readOnly` fields. */
export const excludingFlag = {
  request: "readOnly",
  response: "writeOnly",
  schema: undefined,
} as const satisfies Record<Direction, Flag | undefined>;

/** Whether a direction excludes a field. OpenAPI forbids both flags together; such a field is in both. */
export function isExcluded(isFlaggedWith: (flag: Flag) => boolean, direction: Direction): boolean {
  const flag = excludingFlag[direction];
  return flag !== undefined && isFlaggedWith(flag) && !isFlaggedWith(otherFlag[flag]);
}

const otherFlag = { readOnly: "writeOnly", writeOnly: "readOnly" } as const;

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
