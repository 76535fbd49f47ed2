/** Divides lists of pages into runs, for texts that are cached per run. */

import { isRunEnd } from "../run-end.ts";

/** Minimum and maximum number of items in a run. Between these limits, on average one in `usual` items ends the run. */
export interface RunSize {
  min: number;
  usual: number;
  max: number;
}

/**
 * Divides items into runs of consecutive items. The name of an item determines whether a run ends with it, so adding or removing an item
 * usually changes only one run.
 */
export function runsOf<T>(items: readonly T[], nameOf: (item: T) => string, { min, usual, max }: RunSize): T[][] {
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
