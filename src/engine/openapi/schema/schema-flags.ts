/** Reads flags of schemas that apply to whole fields, such as `readOnly`. */

import { type Located, own, type Refs } from "../nodes/refs.ts";

/** Whether every part of a schema sets a flag, directly or in the target of its `$ref`. */
export function isFlaggedInAll(
  parts: readonly Located[],
  refs: Refs,
  flag: "readOnly" | "writeOnly",
): boolean {
  return (
    parts.length > 0 &&
    parts.every((part) => {
      let at: Located | undefined = part;
      const seen = new Set<unknown>();
      while (
        at &&
        own(at.value, flag) !== true &&
        own(at.value, "$ref") !== undefined &&
        !seen.has(at.value)
      ) {
        seen.add(at.value);
        at = refs.target(at);
      }

      return own(at?.value, flag) === true;
    })
  );
}
