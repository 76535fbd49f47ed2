/** Reads the dates of the files of a fetched branch, and stores them beside the files. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Git, GitFailed } from "./git-process.ts";
import { ChangesInLog, type LastChanges, logOfChanges } from "./last-changes.ts";

/** The file with the dates, in the folder of the branch's files. Git sources have no file of this name. */
export const datesFile = ".octavo-dates.json";

/** Maximum time to read the history. Pages whose last change isn't found by then have no date. */
const history_ms = 60_000;
/** Number of commits that are fetched first. Then four times as many, until all pages have a date. */
const firstCommits_count = 100;
const mostCommits_count = 1_000_000;
const listing_bytes = 100_000_000;
const dates_bytes = 20_000_000;

/** A page or a setting that shows dates. Other texts that match only cost time. */
const showsDates = ["^timestamp:[[:space:]]*true", '"timestamp"[[:space:]]*:[[:space:]]*true'];

/** Whether pages of a branch show the dates of their files. */
async function hasDates(git: Git, tree: string): Promise<boolean> {
  try {
    const patterns = showsDates.flatMap((pattern) => ["-e", pattern]);
    await git.run(["grep", "--quiet", "-E", ...patterns, tree, "--", "*.json", "*.md", "*.mdx"]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

/**
 * Stores the dates of the files in `folder`, if pages show them. Fetches older commits until each page has a
 * date. `deepen`: fetches more commits. `directory`: path of the files in the branch, or empty.
 */
export async function storeChanges(
  whole: Git,
  directory: string,
  folder: string,
  names: readonly string[],
  deepen: (git: Git, commits: number) => Promise<void>,
): Promise<void> {
  const git = whole.limited(history_ms);
  const pages = names.filter((name) => /\.mdx?$/.test(name));
  let changes = new ChangesInLog("");
  try {
    if (!(await hasDates(git, directory ? `refs/octavo:${directory}` : "refs/octavo"))) return;
    for (let commits = firstCommits_count; commits < mostCommits_count; commits *= 4) {
      await deepen(git, commits);
      changes = await readChanges(git, directory);
      if (git.shallowCommits() === "" || pages.every((name) => changes.dates.has(name))) break;
    }
  } catch {
    // The deployment doesn't fail for lack of dates. Pages have those that were found until then.
    whole.throwIfAborted();
  }

  const history = pages.every((name) => changes.dates.has(name)) ? "complete" : "late";
  const stored = { history, dates: Object.fromEntries(changes.dates) };
  writeFileSync(path.join(folder, datesFile), JSON.stringify(stored));
}

async function readChanges(git: Git, directory: string): Promise<ChangesInLog> {
  const changes = new ChangesInLog(git.shallowCommits());
  const prefix = directory ? `${directory}/` : "";
  const take = (record: Buffer) => {
    const part = record.toString("utf8").replace(/^\n+/, "");
    const isInside = prefix !== "" && part.startsWith(prefix);
    changes.take((isInside ? part.slice(prefix.length) : part).normalize("NFC"));
  };
  const args = [...logOfChanges, "refs/octavo", "--", directory || "."];
  await git.run(args, { records: { end: "\0", most_bytes: listing_bytes, take } });
  return changes;
}

/** Returns what `storeChanges` stored in a folder. Undefined if there is nothing valid. */
export function readStoredChanges(folder: string): LastChanges | undefined {
  const file = path.join(folder, datesFile);
  if (!existsSync(file) || statSync(file).size > dates_bytes) return undefined;
  try {
    const { history, dates } = JSON.parse(readFileSync(file, "utf8")) as {
      history: unknown;
      dates: Record<string, unknown>;
    };
    const valid = Object.entries(dates).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && /^\d{4}-\d\d-\d\dT[\d:]+(?:Z|[+-][\d:]+)$/.test(entry[1]),
    );
    return { dates: new Map(valid), history: history === "complete" ? "complete" : "late" };
  } catch {
    return undefined;
  }
}
