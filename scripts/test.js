// npm test, npm run test:quick and npm run test:long: installs the tools that a lane's tests need, and runs the tests.
// Arguments after the lane are passed to vitest.
import { ensureBuilt, ensureInstalled, run } from "./prepare.js";

const lanes = {
  main: ["quick", "main"],
  quick: ["quick"],
  long: ["long", "embedded database", "measured"],
};

const [lane, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(lanes, lane)) {
  console.error(`Unknown lane: ${lane}. Use one of ${Object.keys(lanes).join(", ")}.`);
  process.exit(2);
}

ensureInstalled();
const env = { ...process.env };
if (lane !== "quick") {
  const { ensureChromium } = await import("./chromium.js");
  env.CHROMIUM_PATH = await ensureChromium();
  if (!env.CHROMIUM_PATH) process.exit(1);
}
if (lane === "long") {
  const { ensureSwift } = await import("./swift.js");
  const missing = ensureSwift();
  if (missing) console.error(`S3 isn't tested: ${missing}.`);
}
await ensureBuilt();

const bin = (name) => `node_modules/.bin/${name}`;
const checks = [
  ["Types", bin("tsc"), ["-p", "."]],
  ["Types of browser scripts", bin("tsc"), ["-p", "src/browser"]],
  ["Format and lint", bin("biome"), ["check", "--error-on-warnings"]],
];
const projects = lanes[lane].flatMap((name) => ["--project", name]);
const steps = [...(lane === "main" ? checks : []), ["Tests", bin("vitest"), ["run", ...projects, ...rest]]];
for (const [name, command, args] of steps) {
  console.error(`\n${name} (Node ${process.versions.node})`);
  if (run(command, args, { env }) !== 0) {
    console.error(`${name}: failed`);
    process.exit(1);
  }
}
