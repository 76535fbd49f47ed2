/** Divides a list of pages into runs of consecutive pages, for texts that are cached per run. */

import { hashOf } from "../hash-of.ts";
import type { Page } from "../site/site-page.ts";

const pages_count = { min: 16, usual: 64, max: 256 };

/** Where a run ends depends on the path of its last page, so that a page that is added or removed changes one run. */
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
