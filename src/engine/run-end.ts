import { hashOf } from "./hash-of.ts";

/**
 * Whether a run of consecutive items ends with the item of this name. On average, one in `usual` items ends a run. Since only the name
 * matters, adding or removing an item doesn't change the other ends.
 */
export function isRunEnd(name: string, usual: number): boolean {
  return Number.parseInt(hashOf(name).slice(0, 8), 16) % usual === 0;
}
