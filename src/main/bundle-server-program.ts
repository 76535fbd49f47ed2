/**
 * Entry point of the bundle server as a single file, for images without the rest of the product. Works like
 * `octavo bundle-server`.
 */

import { parseArgs } from "node:util";
import { exitSoon, whenInterrupted } from "./process-end.ts";
import { bundleServer } from "./run-bundle-server.ts";

const note = (text: string) => void process.stderr.write(`${text}\n`);

const { values, isValid } = readArguments();

if (!isValid) {
  note("Usage: node bundle-server.js [--rollback] [--approve VERSION]");
  process.exitCode = 2;
} else {
  // Only the current user can access the files that the server creates.
  process.umask(0o077);
  process.exitCode = await bundleServer(
    { isRollback: values.rollback === true, approved: values.approve },
    { note, interrupted: whenInterrupted() },
  );
  exitSoon();
}

function readArguments(): { values: { rollback?: boolean; approve?: string }; isValid: boolean } {
  try {
    const options = { rollback: { type: "boolean" }, approve: { type: "string" } } as const;
    return { values: parseArgs({ options }).values, isValid: true };
  } catch {
    return { values: {}, isValid: false };
  }
}
