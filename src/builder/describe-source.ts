/** Describes what a bundle is built from, so that `octavo verify` can build it again. */

import type { Files } from "../base/files.ts";
import type { BundleSource } from "../bundle/bundle-manifest.ts";
import { without } from "../engine/incremental/hash-of-data.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";
import { readCheckoutWithGit } from "../io/checkout-git.ts";
import { sha256 } from "../io/sha256.ts";

/** Duration after which git is killed. */
const git_ms = 30_000;

/**
 * `commit`: commit of a folder that isn't a checkout, if it's known. Otherwise, git is asked if `isCheckout`
 * is true.
 */
export function describeSource(
  folder: string,
  files: Files,
  target: ExportTarget,
  {
    isCheckout,
    commit,
    linksRepository,
  }: { isCheckout: boolean; commit: string | undefined; linksRepository: boolean },
): BundleSource {
  const hashes = files.paths.map((path) => `${sha256(files.read(path) ?? new Uint8Array())} ${path}\n`);
  const checkout = isCheckout ? readCheckout(folder) : undefined;
  return {
    commit: commit ?? checkout?.commit ?? null,
    ...(checkout?.isChanged ? { isChanged: true } : {}),
    ...(checkout?.directory ? { directory: checkout.directory } : {}),
    inputs: { files: files.paths.length, sha256: sha256(hashes.join("")) },
    // Readers of the bundle needn't know a repository that no page links to.
    target: linksRepository ? target : without(target, "repository"),
  };
}

function readCheckout(folder: string): { commit: string; isChanged: boolean; directory: string } | undefined {
  const git = (...args: string[]) => readCheckoutWithGit(folder, args, git_ms).trim();

  try {
    const isChanged = git("status", "--porcelain", "--ignore-submodules", "--", ".") !== "";
    return {
      commit: git("rev-parse", "HEAD"),
      isChanged,
      directory: git("rev-parse", "--show-prefix").replace(/\/$/, ""),
    };
  } catch {
    return undefined;
  }
}
