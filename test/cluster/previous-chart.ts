/**
 * The chart as it was before most of its values were added, for tests of upgrades. It's read from the
 * repository's history.
 */

import { execFileSync, spawnSync } from "node:child_process";

const commit = "b9bf82b7";

export const previousChart = {
  /** False in a clone without the history. */
  exists: spawnSync("git", ["cat-file", "-e", commit], { stdio: "ignore" }).status === 0,
  /** Writes the chart to `chart/` in a folder. */
  write(folder: string): void {
    execFileSync("sh", ["-c", 'git archive "$0" chart | tar -x -C "$1"', commit, folder]);
  },
};
