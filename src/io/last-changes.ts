/** Reads the last changes of files from git's log. */

/** The last changes of the files in a folder. */
export interface LastChanges {
  /**
   * The time of the last commit that changed each file, in ISO 8601 format, by path relative to the folder.
   */
  dates: ReadonlyMap<string, string>;
  /**
   * `none`: Git has no history of the folder. `cut`: the checkout is shallow and lacks the last change of
   * some files. `late`: reading the history of a repository on a server took too long or failed.
   */
  history: "complete" | "cut" | "late" | "none";
}

/** Arguments for git to write a log that `ChangesInLog` reads. Its parts are separated by NUL. */
export const logOfChanges = ["log", "--format=%x00%H %cI", "--name-only", "--no-renames", "-z"];

/** Collects the dates from a log, the newest commit first. */
export class ChangesInLog {
  readonly dates = new Map<string, string>();
  /** Files whose last change isn't in the log. */
  readonly cut = new Set<string>();
  private readonly cutCommits: ReadonlySet<string>;
  private date: string | undefined = "";

  /** `shallow`: content of git's file `shallow`, with the oldest commits of an incomplete history. */
  constructor(shallow: string) {
    this.cutCommits = new Set(shallow.split("\n"));
  }

  take(part: string): void {
    const line = part.replace(/^\n+/, "");
    const [, commit, time] =
      /^([\da-f]{40,64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))\s*$/.exec(line) ?? [];
    // The oldest commits contain all files, whichever commit changed them.
    if (commit) this.date = this.cutCommits.has(commit) ? undefined : time;
    else if (line && !this.dates.has(line) && !this.cut.has(line)) {
      if (this.date) this.dates.set(line, this.date);
      else this.cut.add(line);
    }
  }
}
