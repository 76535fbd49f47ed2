import { parseUrl } from "../base/url.ts";
import type { SourceRepository } from "../engine/plan/export-target.ts";
import { originOf, readCheckoutWithGit } from "../io/checkout-git.ts";

/**
 * Returns the repository of a git checkout, for links to files: the remote `origin`, the branch, and the
 * folder's path in the repository. If no branch is checked out, uses the remote's default branch. Undefined
 * outside a checkout, or if there is no remote or branch.
 */
export function readLinkedRepository(folder: string): SourceRepository | undefined {
  const git = (...args: string[]) => {
    try {
      return readCheckoutWithGit(folder, args).trim();
    } catch {
      return "";
    }
  };

  const remote = originOf(folder);
  const current = git("rev-parse", "--abbrev-ref", "HEAD");

  // Most CI servers check out a commit without a branch.
  const branch =
    current === "HEAD" ? git("rev-parse", "--abbrev-ref", "origin/HEAD").replace(/^origin\//, "") : current;
  if (!remote || !branch) return undefined;

  // Git also accepts host:path for SSH.
  const url = parseUrl(
    remote.includes("://") ? remote : remote.replace(/^(?:[^@/]+@)?([^:/]+):/, "ssh://$1/"),
  );

  // A path on this machine can't be linked to.
  if (!url || !/^(?:https?|ssh):$/.test(url.protocol)) return undefined;

  // CI servers write credentials into the remote.
  url.username = "";
  url.password = "";

  // Whether the repository is public is unknown.
  return { url: url.href, branch, directory: git("rev-parse", "--show-prefix"), isPublic: false };
}
