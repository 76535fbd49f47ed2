// npm run eval: search and the assistant on public question sets.
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
