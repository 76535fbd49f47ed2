// npm test: everything that must hold, from a fresh clone. Each step is named; the first that fails ends the run.
import { ensureBuilt, ensureInstalled, run } from "./prepare.js";

ensureInstalled();
const bin = (name) => `node_modules/.bin/${name}`;
const { ensureChromium } = await import("./chromium.js");
const chromium = await ensureChromium();
if (!chromium) process.exit(1);
const { ensureSwift } = await import("./swift.js");
const noS3 = ensureSwift();
if (noS3) console.error(`S3 is not tested: ${noS3}.`);
await ensureBuilt();

const steps = [
  ["Types", bin("tsc"), ["-p", "."]],
  ["Types of the browser's scripts", bin("tsc"), ["-p", "src/browser"]],
  ["Format and lint", bin("biome"), ["check", "--error-on-warnings"]],
  ["Tests", bin("vitest"), ["run", ...process.argv.slice(2)]],
];
for (const [name, command, args] of steps) {
  console.error(`\n${name} (Node ${process.versions.node})`);
  if (run(command, args, { env: { ...process.env, CHROMIUM_PATH: chromium } }) !== 0) {
    console.error(`${name}: failed`);
    process.exit(1);
  }
}
