/** Divides a list of pages into runs of consecutive pages, for texts that are cached per run. */

import { hashOf } from "../hash-of.ts";
import type { Page } from "../site/site-page.ts";

/**
 * Minimum and maximum number of pages in a run. Between these limits, on average one in `usual` pages ends
 * the run.
 */
const pages_count = { min: 16, usual: 64, max: 256 };

/**
 * Divides pages into runs. The path of a page determines whether a run ends with it, so adding or removing a page usually changes
 * only one run.
 */
export function runsOf(pages: readonly Page[]): Page[][] {
  const runs: Page[][] = [];
  let run: Page[] = [];
  for (const page of pages) {
    run.push(page);
    if (run.length >= pages_count.max || (run.length >= pages_count.min && isEnd(page))) {
      runs.push(run);
      run = [];
    }
  }
  return run.length ? [...runs, run] : runs;
}

function isEnd({ route }: Page): boolean {
  return Number.parseInt(hashOf(route).slice(0, 8), 16) % pages_count.usual === 0;
}
