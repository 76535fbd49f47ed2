/** What a command needs from its process. */

import type { BuildProcessOptions, SiteBuilder } from "../builder/build-process.ts";

/**
 * Interface between a command and its process: output, environment, and the parts of the product that
 * commands start.
 */
export interface Terminal {
  /** Prints results to stdout, without control characters of others (`terminalText`). */
  out(text: string): void;
  /** Prints everything else to stderr. */
  note(text: string): void;
  /**
   * Shows progress in a line that is updated in place. If stderr isn't a terminal or `CI` is set, prints a
   * few lines, or none if the total is small.
   */
  progress(label: string, done: number, total: number): void;
  color: boolean;
  version: string;
  /** How the user runs Octavo: `octavo`, `npx octavo`, or `node` with the path of the executable. */
  executable: string;
  /** URL and credentials of the service, from the environment. */
  service: { url: string | undefined; key: string | undefined; operatorToken: string | undefined };
  /** Runs the service until it is interrupted. */
  serve(role: "all" | "web" | "worker"): Promise<number>;
  /** Serves a bundle until it is interrupted. */
  bundleServer(options: { isRollback: boolean; approved: string | undefined }): Promise<number>;
  /**
   * Creates a backup. Resolves with the number of saved rows and objects, or with an error message for the
   * operator.
   */
  backup(file: string): Promise<{ rows: number; objects: number } | string>;
  /**
   * Restores a backup. Resolves with the number of restored rows and objects, or with an error message for
   * the operator.
   */
  restore(file: string): Promise<{ rows: number; objects: number } | string>;
  /** Folder of the caches of compiled pages. Undefined if there is none. */
  caches: string | undefined;
  /**
   * Value of `OCTAVO_OUTBOUND_ALLOW`: hosts that requests may be sent to in addition to the public internet.
   */
  outboundAllow: string;
  /**
   * Rotates the secret. Resolves with the path of the new secret, which is undefined if the secret isn't
   * stored in the data folder, or with an error message for the operator.
   */
  rotateSecret(options: { isDiscarding: boolean }): Promise<{ file: string | undefined } | string>;
  /**
   * Creates a builder, which the caller must end. Throws `UsageError` if `outboundAllow` or
   * `OCTAVO_BUILD_THREADS` is invalid. `threads`: maximum number of threads, if it is set.
   */
  startBuildProcess(
    onProgress?: BuildProcessOptions["onProgress"],
    threads?: number,
    onOutline?: BuildProcessOptions["onOutline"],
  ): SiteBuilder;
  /** Resolves on SIGINT or SIGTERM. These signals end the process if the command hasn't read this promise. */
  readonly interrupted: Promise<void>;
}
