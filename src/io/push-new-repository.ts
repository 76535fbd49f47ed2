/** Creates a Git repository in a folder of the user, and pushes its first commit. */

import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "./remove-folder.ts";

export interface NewRemote {
  /** URL of an empty repository. */
  url: string;
  branch: string;
  key: string;
  /** Message of the commit. */
  message: string;
}

/** Thrown if Git fails. The message is Git's output. */
export class PushFailed extends Error {}

/** Author of the commit if the user has configured none. */
const unnamed = ["-c", "user.name=Octavo", "-c", "user.email=octavo@localhost"];

/**
 * Creates the repository, commits all files, and pushes them. `onLine` receives the lines that the server
 * prints. Throws `PushFailed` if Git fails, and an Error if it isn't installed.
 */
export async function pushNewRepository(
  folder: string,
  { url, branch, key, message }: NewRemote,
  onLine: (line: string) => void,
): Promise<void> {
  await runGit(folder, ["init", "--quiet"]);
  await runGit(folder, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
  await runGit(folder, ["add", "--all"]);
  const isNamed = await runGit(folder, ["config", "user.email"]).then(
    () => true,
    () => false,
  );
  await runGit(folder, [...(isNamed ? [] : unnamed), "commit", "--quiet", "--message", message]);
  await runGit(folder, ["remote", "add", "origin", url]);

  // Other users can read the arguments of a process, so the key is in a file.
  const scratch = mkdtempSync(path.join(tmpdir(), "octavo-push-"));
  try {
    const config = path.join(scratch, "config");
    const header = `Authorization: Bearer ${key.replace(/["\\]/g, "\\$&")}`;
    writeFileSync(config, `[http]\n\textraHeader = "${header}"\n`, { mode: 0o600 });
    const push = ["-c", `include.path=${config}`, "push", "--set-upstream", "origin", branch];
    await runGit(folder, push, (line) => {
      const said = /^remote: (.*?)\s*$/.exec(line)?.[1];
      if (said) onLine(said);
    });
  } finally {
    await removeFolder(scratch);
  }
}

function runGit(
  folder: string,
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<void> {
  const child = spawn("git", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let rest = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines) onLine(line);
    });

  return new Promise((resolve, reject) => {
    child.once("error", () => reject(new Error("Git isn't installed")));
    child.once("close", (code) => (code === 0 ? resolve() : reject(new PushFailed(output.trim()))));
  });
}
