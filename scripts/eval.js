// npm run eval: builds and runs the measurements of search and answers in eval/run.ts.
import path from "node:path";
import { build } from "esbuild";
import { ensureBuilt, ensureInstalled, root, run } from "./prepare.js";

ensureInstalled();
await ensureBuilt();
const outfile = path.join(root, "eval", "run.mjs");
await build({
  entryPoints: [path.join(root, "eval/run.ts")],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "error",
});
process.exitCode = run(process.execPath, [outfile, ...process.argv.slice(2)]);
