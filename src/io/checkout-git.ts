/** Runs git in a checkout that someone else may have made. */

import { execFileSync } from "node:child_process";

/**
 * Settings with which git runs no program and opens no connection that the checkout's configuration names. A
 * folder that was received with its `.git`, or that is itself a repository, has a configuration of its own.
 */
const safeSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "log.showSignature=false",
  "safe.bareRepository=explicit",
  // Missing objects of a partial clone aren't fetched.
  "protocol.allow=never",
  ...["ext", "file", "git", "http", "https", "ssh"].map((name) => `protocol.${name}.allow=never`),
].flatMap((setting) => ["-c", setting]);

/**
 * Returns the output of a git command that only reads. Throws an Error if git isn't installed or fails, for
 * example outside a checkout, or after `timeout_ms`.
 */
export function readCheckoutWithGit(folder: string, args: readonly string[], timeout_ms?: number): string {
  return execFileSync("git", ["-C", folder, "--no-optional-locks", ...safeSettings, ...args], {
    encoding: "utf8",
    maxBuffer: 512 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeout_ms,
  });
}
