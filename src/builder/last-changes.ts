import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findCheckout, readCheckoutWithGit } from "../io/checkout-git.ts";

/** The last changes of the files in a folder. */
export interface LastChanges {
  /**
   * The time of the last commit that changed each file, in ISO 8601 format, by path relative to the folder.
   */
  dates: ReadonlyMap<string, string>;
  /**
   * `none`: Git has no history of the folder. `cut`: the checkout is shallow and lacks the last change of
   * some files.
   */
  history: "complete" | "cut" | "none";
}

/** Reads the last changes from Git. Without dates if Git fails, for example outside a checkout. */
export function lastChanges(folder: string): LastChanges {
  const dates = new Map<string, string>();
  const git = (...args: string[]) => readCheckoutWithGit(folder, args);

  let log: string;
  let cutCommits: ReadonlySet<string>;
  try {
    log = git("log", "--format=%x00%H %cI", "--name-only", "--relative", "--no-renames", "-z", "--", ".");
    const shallow = path.join(findCheckout(folder)!.commonFolder, "shallow");
    cutCommits = new Set(existsSync(shallow) ? readFileSync(shallow, "utf8").split("\n") : []);
  } catch {
    return { dates, history: "none" };
  }

  const seen = new Set<string>();
  let date: string | undefined = "";
  let isCut = false;
  for (const part of log.split("\u0000")) {
    const line = part.replace(/^\n+/, "");
    const [, commit, time] =
      /^([\da-f]{40,64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))\s*$/.exec(line) ?? [];
    // The oldest commits of a shallow checkout contain all files, whichever commit changed them.
    if (commit) date = cutCommits.has(commit) ? undefined : time;
    else if (line && !seen.has(line)) {
      seen.add(line);
      if (date) dates.set(line, date);
      else isCut = true;
    }
  }

  return { dates, history: isCut ? "cut" : "complete" };
}
