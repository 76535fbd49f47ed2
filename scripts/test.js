// npm test, npm run test:quick and npm run test:long: finds the tools that a lane's tests need, and runs the
// tests. Arguments after the lane are passed to vitest.
import { spawn } from "node:child_process";
import { ensureBuilt, ensureInstalled, root } from "./prepare.js";

const lanes = {
  main: ["quick", "sites", "main"],
  quick: ["quick"],
  long: ["long", "embedded database", "every page", "measured"],
};

const [lane, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(lanes, lane)) {
  console.error(`Unknown lane: ${lane}. Use one of ${Object.keys(lanes).join(", ")}.`);
  process.exit(2);
}

ensureInstalled();
const env = { ...process.env };
const filters = [];
let skipped = "";
if (lane !== "quick") {
  const { findChromium } = await import("../test/shared/chromium.js");
  env.CHROMIUM_PATH = await findChromium();
  if (!env.CHROMIUM_PATH) {
    const missing =
      "Chromium wasn't found. Install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable.";
    if (lane === "long") {
      console.error(missing);
      process.exit(1);
    }
    skipped = `The browser tests are skipped. ${missing}`;
    delete env.CHROMIUM_PATH;
    filters.push("--exclude", "**/*.browser.test.ts");
    console.error(skipped);
  }
}
if (lane !== "quick") {
  const { ensurePrograms } = await import("../test/shared/programs.js");
  const missing = ensurePrograms();
  if (missing.length)
    console.error(`Tests that need these Debian packages are skipped: ${missing.join(", ")}.`);
}
if (lane === "long") {
  const { ensureSwift } = await import("../test/shared/swift.js");
  const missing = await ensureSwift();
  if (missing) console.error(`S3 isn't tested: ${missing}.`);
}
await ensureBuilt();

const bin = (name) => `node_modules/.bin/${name}`;
/**
 * Runs a command. Resolves with whether it succeeded. Shows the output of a command in the background only if
 * it fails.
 */
function run(name, command, args, isInBackground) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: isInBackground ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code !== 0) console.error(`${output}\n${name}: failed`);
      resolve(code === 0);
    });
  });
}

const vitest = (projects) => ["run", ...projects.flatMap((name) => ["--project", name]), ...filters, ...rest];
const checks =
  lane === "main"
    ? [
        ["Types", bin("tsc"), ["-p", "."]],
        ["Types of browser scripts", bin("tsc"), ["-p", "src/browser"]],
        ["Format and lint", bin("biome"), ["check", "--error-on-warnings"]],
      ]
    : [];
const results = await Promise.all([
  ...checks.map(([name, command, args]) => run(name, command, args, true)),
  run("Tests", bin("vitest"), vitest(lanes[lane]), false),
]);
if (skipped) console.error(`\n${skipped}`);
if (!results.every(Boolean)) process.exit(1);
