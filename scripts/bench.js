// npm run bench: builds and runs the benchmarks in bench/run.ts, which lists the options.
import path from "node:path";
import { build } from "esbuild";
import { ensureBuilt, ensureInstalled, root, run } from "./prepare.js";

ensureInstalled();
await ensureBuilt();
const outfile = path.join(root, "bench", "run.mjs");
await build({
  entryPoints: [path.join(root, "bench/run.ts")],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "error",
});
process.exitCode = run(process.execPath, [outfile, ...process.argv.slice(2)]);
