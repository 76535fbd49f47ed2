/** Divides a list of pages into runs of consecutive pages, for texts that are cached per run. */

import type { Page } from "../site/site-page.ts";

const pages_count = { min: 16, usual: 64, max: 256 };

/** Where a run ends depends on the path of its last page, so that a page that is added or removed changes one run. */
export function runsOf(pages: readonly Page[]): Page[][] {
  const runs: Page[][] = [];
  let run: Page[] = [];
  for (const page of pages) {
    run.push(page);
    if (run.length >= pages_count.max || (run.length >= pages_count.min && checksum(page.route) % pages_count.usual === 0)) {
      runs.push(run);
      run = [];
    }
  }
  return run.length ? [...runs, run] : runs;
}

/** FNV-1a. */
function checksum(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0;
}
