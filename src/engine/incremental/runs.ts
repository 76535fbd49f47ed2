/**
 * Cuts lists into runs of consecutive items, so that values can be kept per run and an edit changes few of
 * them.
 */

import { hashOf } from "../hash-of.ts";

/**
 * Minimum and maximum number of items in a run. Between these limits, on average one in `usual` items ends
 * the run.
 */
export interface RunSize {
  min: number;
  usual: number;
  max: number;
}

/** Divides items into runs. The name of an item determines whether a run ends with it. */
export function runsOf<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  { min, usual, max }: RunSize,
): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  for (const item of items) {
    run.push(item);
    if (run.length >= max || (run.length >= min && isRunEnd(nameOf(item), usual))) {
      runs.push(run);
      run = [];
    }
  }
  return run.length ? [...runs, run] : runs;
}

/**
 * Whether a run of consecutive items ends with the item of this name. On average, one in `usual` items ends a
 * run. Since only the name matters, adding or removing an item doesn't change the other ends.
 */
export function isRunEnd(name: string, usual: number): boolean {
  return Number.parseInt(hashOf(name).slice(0, 8), 16) % usual === 0;
}
