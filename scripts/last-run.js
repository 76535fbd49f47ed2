// The state of the last run of CI that passed. It's stored in a cache outside the checkout.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { linesOf } from "./affected.js";
import { root } from "./prepare.js";

const file = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"),
  "octavo",
  "long-tests.json",
);

/**
 * The third of the long lane that ran, and the files that have changed since. Each is undefined if it isn't
 * known.
 */
export function readLastRun() {
  try {
    const { commit, third } = JSON.parse(readFileSync(file, "utf8"));
    if (!/^[0-9a-f]{40}$/.test(commit) || ![0, 1, 2].includes(third)) return {};
    return { commit, third, changed: changedSince(commit) };
  } catch {
    return {};
  }
}

export function writeLastRun(state) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(state));
}

/**
 * Paths of the files that have changed since a commit. Undefined if the commit doesn't exist in this clone.
 */
function changedSince(base) {
  try {
    return linesOf("git", ["diff", "--name-only", "--no-renames", base, "HEAD"], root);
  } catch {
    return undefined;
  }
}
