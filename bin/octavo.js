#!/usr/bin/env node
import { existsSync } from "node:fs";

const bundle = new URL("../dist/cli.js", import.meta.url);
if (existsSync(bundle)) await import(bundle.href);
else {
  process.stderr.write("Octavo hasn't been built yet. Run `npm run build` in its folder.\n");
  process.exitCode = 2;
}
