/**
 * Entry point of the bundle server as a single file, for images without the rest of the product. Works like
 * `octavo bundle-server`.
 */

import { exitSoon, whenInterrupted } from "./process-end.ts";
import { bundleServer } from "./run-bundle-server.ts";

const note = (text: string) => void process.stderr.write(`${text}\n`);
const args = process.argv.slice(2);

if (args.some((argument) => argument !== "--rollback")) {
  note("Usage: node bundle-server.js [--rollback]");
  process.exitCode = 2;
} else {
  // Only the current user can access the files that the server creates.
  process.umask(0o077);
  process.exitCode = await bundleServer(
    { isRollback: args.length > 0 },
    { note, interrupted: whenInterrupted() },
  );
  exitSoon();
}
