/** The option `--threads` of commands that build sites. */

import { limits } from "../base/limits.ts";
import { type Command, UsageError } from "./command.ts";

export const threadsOption: Command["options"][string] = {
  type: "string",
  argument: "N",
  description: "Maximum number of threads. Default: OCTAVO_BUILD_THREADS, or one per CPU core, up to 8.",
};

/**
 * Reads a number of threads. Undefined if it isn't set. Throws `UsageError` if it is invalid. `name`: the
 * option or the variable.
 */
export function readThreads(value: unknown, name = "--threads"): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(String(value)) || count < 1 || count > limits.buildThreads_count)
    throw new UsageError(`${name} must be a whole number between 1 and ${limits.buildThreads_count}`);
  return count;
}
