// npm start: from a fresh clone to our own documentation in the browser.
import { ensureBuilt, ensureInstalled, root } from "./prepare.js";

ensureInstalled();
await ensureBuilt();
process.chdir(root);
process.argv.splice(2, 0, "dev", "docs");
await import("../dist/cli.js");
