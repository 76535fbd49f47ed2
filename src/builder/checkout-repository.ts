import { execFileSync } from "node:child_process";
import type { SourceRepository } from "../engine/export/export-target.ts";

/** The remote `origin` of a git checkout, its branch, and the folder in it. Undefined outside of a checkout, and without a remote or branch. */
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
