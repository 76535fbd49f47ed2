// npm start: from a fresh clone to our own documentation in the browser, and beside it the API that its playground calls.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./prepare.js";

ensureInstalled();
await ensureBuilt();
process.chdir(root);
const shop = spawn(process.execPath, [path.join(root, "bin/octavo.js"), "demo-api"], { stdio: ["ignore", "inherit", "inherit"] });
shop.unref();
process.on("exit", () => shop.kill());
process.argv.splice(2, 0, "dev", "docs");
await import("../dist/cli.js");
