/** Checks the documentation folder of a Git revision, to tell the problems of a change from earlier ones. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildJob, BuildResult } from "../builder/build-protocol.ts";
import { checkOutRevision, findCheckout, readCheckoutWithGit } from "../io/checkout-git.ts";
import { UsageError } from "./command.ts";

/**
 * Builds the folder as it is in a revision, and returns its problems and the files that aren't pages. Both
 * are empty if the revision doesn't have the folder. Throws `UsageError` if there is no such revision.
 */
export async function problemsOfRevision(
  folder: string,
  revision: string,
  build: (job: Pick<BuildJob, "folder" | "output">) => Promise<BuildResult>,
): Promise<Pick<BuildResult, "problems" | "missing" | "externalLinks">> {
  const at = realpathSync(folder);
  const checkout = findCheckout(at);
  if (!checkout) throw new UsageError(`--since needs a Git checkout, and ${folder} isn't in one`);
  const directory = path.relative(checkout.workTree, at).split(path.sep).join("/");

  const commit = tried(at, ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`]);
  if (commit === undefined)
    throw new UsageError(
      `Revision not found: ${revision}. If the clone is shallow, fetch the revision first, such as with fetch-depth: 0 in actions/checkout.`,
    );
  if (tried(at, ["cat-file", "-e", `${commit}:${directory}`]) === undefined) return { problems: [] };

  const work = mkdtempSync(path.join(tmpdir(), "octavo-since-"));
  try {
    const clone = path.join(work, "source");
    try {
      checkOutRevision(at, commit, clone, path.join(work, "repository"), directory);
    } catch {
      throw new UsageError(`The clone doesn't have all files of ${revision}. Clone without --filter.`);
    }
    return await build({ folder: path.join(clone, directory), output: { kind: "none" } });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the output of git. Undefined if it fails. */
function tried(folder: string, args: readonly string[]): string | undefined {
  try {
    return readCheckoutWithGit(folder, args).trim();
  } catch {
    return undefined;
  }
}
