// Runs a part of the long lane in CI: what has been affected since the last commit that passed, and a third
// of the rest. Three runs in a row therefore include all tests. If the last commit that passed isn't known,
// all tests run.
import { linesOf, selectTests } from "./affected.js";
import { readLastRun, writeLastRun } from "./last-run.js";
import { root, run } from "./prepare.js";

const projects = ["long", "embedded database", "every page", "measured"];

const commit = linesOf("git", ["rev-parse", "HEAD"], root)[0];
const last = readLastRun();
// The commit's hash decides where the thirds begin.
const third = last.commit ? (last.third + 1) % 3 : Number.parseInt(commit.slice(0, 8), 16) % 3;

const args = ["list", "--filesOnly", ...projects.flatMap((name) => ["--project", name])];
const tests = linesOf("node_modules/.bin/vitest", args, root).map((line) =>
  line.replace(/^\[[^\]]*\]\s*/, ""),
);
const unique = [...new Set(tests)].sort();
const selected = selectTests(root, unique, last.changed, third);
console.error(
  `Long lane: ${selected.length} of ${unique.length} files${last.commit ? `, changes since ${last.commit.slice(0, 8)}` : ""}`,
);

const code = run(process.execPath, ["scripts/test.js", "long", ...selected]);
if (code === 0) writeLastRun({ commit, third });
process.exit(code);
