// Runs a part of the long lane in CI: what has been affected since the last commit that passed, and a third of the rest. Three runs in a row
// therefore include all tests. The state is stored in a cache outside the checkout. Without it, all tests run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { linesOf, selectTests } from "./affected.js";
import { root, run } from "./prepare.js";

const stateFile = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "octavo", "long-tests.json");
const projects = ["long", "embedded database", "every page", "measured"];

const commit = linesOf("git", ["rev-parse", "HEAD"], root)[0];
const last = readState();
const changed = last && changedSince(last.commit);
// The commit's hash decides where the thirds begin.
const third = last ? (last.third + 1) % 3 : Number.parseInt(commit.slice(0, 8), 16) % 3;

const args = ["list", "--filesOnly", ...projects.flatMap((name) => ["--project", name])];
const tests = linesOf("node_modules/.bin/vitest", args, root).map((line) => line.replace(/^\[[^\]]*\]\s*/, ""));
const unique = [...new Set(tests)].sort();
const selected = selectTests(root, unique, changed, third);
console.error(`Long lane: ${selected.length} of ${unique.length} files${last ? `, changes since ${last.commit.slice(0, 8)}` : ""}`);

const code = run(process.execPath, ["scripts/test.js", "long", ...selected]);
if (code === 0) {
  mkdirSync(path.dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, JSON.stringify({ commit, third }));
}
process.exit(code);

/** The last commit that passed, and the third of its run. Undefined if there is none. */
function readState() {
  try {
    const state = JSON.parse(readFileSync(stateFile, "utf8"));
    return /^[0-9a-f]{40}$/.test(state.commit) && [0, 1, 2].includes(state.third) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Paths of the files that have changed since a commit. Undefined if the commit doesn't exist in this clone. */
function changedSince(base) {
  try {
    return linesOf("git", ["diff", "--name-only", "--no-renames", base, "HEAD"], root);
  } catch {
    return undefined;
  }
}
