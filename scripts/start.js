// npm start: starts the service with our documentation, and the demo API that its playground calls.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./prepare.js";

ensureInstalled();
await ensureBuilt();
process.chdir(root);
const shop = spawn(process.execPath, [path.join(root, "bin/octavo.js"), "demo-api"], {
  stdio: ["ignore", "inherit", "inherit"],
});
shop.unref();
process.on("exit", () => shop.kill());
// Hides log lines below warnings.
process.env.OCTAVO_LOG_LEVEL ??= "warn";
// The playground of the first site sends requests to the demo API, which uses the first free port from 4010.
process.env.OCTAVO_OUTBOUND_ALLOW ??= "localhost:4010-4012";
process.argv.splice(2, 0, "serve");
await import("../dist/cli.js");
