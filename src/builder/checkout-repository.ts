import { execFileSync } from "node:child_process";
import type { SourceRepository } from "../engine/export/export-target.ts";

/**
 * The remote `origin` and the branch of a git checkout, and the path of the folder in the repository. Undefined outside a checkout, or if
 * there is no remote or branch.
 */
export function checkoutRepository(folder: string): SourceRepository | undefined {
  const git = (...args: string[]) => {
    try {
      return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      return "";
    }
  };
  const remote = git("remote", "get-url", "origin");
  const current = git("rev-parse", "--abbrev-ref", "HEAD");
  // A commit without a branch is checked out, as on most CI servers.
  const branch = current === "HEAD" ? git("rev-parse", "--abbrev-ref", "origin/HEAD").replace(/^origin\//, "") : current;
  if (!remote || !branch) return undefined;
  // Git also accepts host:path for SSH.
  const url = remote.includes("://") ? remote : remote.replace(/^(?:[^@/]+@)?([^:/]+):/, "ssh://$1/");
  return { url, branch, directory: git("rev-parse", "--show-prefix"), isPublic: false };
}
