/**
 * Checks a repository without downloading its files: finds the latest commit of a branch, and a docs.json in
 * the branch.
 */

import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { checkGitSource, type GitOptions, GitRefused, type GitSource } from "./check-git-source.ts";
import { Git } from "./git-process.ts";
import { knownHostsFile, openRemote, type Remote, shallowFetch } from "./git-remote.ts";
import { removeFolder } from "./remove-folder.ts";

/** Timeout for a check. */
const gitCheck_ms = 60_000;
/** Maximum size of a server's list of refs, in bytes. */
const refs_bytes = 100_000;

export interface CheckedRepository {
  /** Latest commit of the branch. */
  sha: string;
  /**
   * Host key of the server, in the format of `GitAccess`. Undefined if the connection didn't use a deploy
   * key.
   */
  hostKey: string | undefined;
}

/**
 * Returns the latest commit of the branch. Throws `GitRefused` if the source is invalid, the server can't be
 * reached or it has no such branch. `scratch` is a folder for temporary files, which is removed afterward.
 */
export function latestCommit(
  source: GitSource,
  scratch: string,
  options: GitOptions,
): Promise<CheckedRepository> {
  return connected(source, scratch, options, async (git, remote, { branch }) =>
    branchCommit(git, remote, branch),
  );
}

/** Like `latestCommit`, and also checks that the folder has a docs.json. */
export function checkRepository(
  source: GitSource,
  scratch: string,
  options: GitOptions,
): Promise<CheckedRepository> {
  return connected(source, scratch, options, async (git, remote, { branch, directory }) => {
    const sha = await branchCommit(git, remote, branch);
    await git.run(
      [...shallowFetch, "--filter=blob:none", "--", remote.url, `+refs/heads/${branch}:refs/octavo`],
      {
        config: remote.config,
        env: remote.env,
        watched: true,
      },
    );
    await requireDocsJson(git, directory);
    return sha;
  });
}

async function connected(
  source: GitSource,
  scratch: string,
  options: GitOptions,
  look: (git: Git, remote: Remote, checked: { branch: string; directory: string }) => Promise<string>,
): Promise<CheckedRepository> {
  const { url, ...checked } = checkGitSource(source, options);
  const deadline = AbortSignal.timeout(gitCheck_ms);
  mkdirSync(scratch, { recursive: true, mode: 0o700 });

  try {
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const git = new Git(path.join(scratch, "repository"), url.protocol.slice(0, -1), { ...options, signal });
    const remote = await openRemote(source, url, scratch, options);
    await git.run(["init", "--quiet", "--bare", "--template=", "--", "."]);
    const sha = await look(git, remote, checked);
    const known = await readFile(knownHostsFile(scratch), "utf8").catch(() => "");
    return { sha, hostKey: /^\S+ (\S+ \S+)/.exec(known)?.[1] };
  } catch (error) {
    if (deadline.aborted)
      throw new GitRefused(`The repository didn't respond within ${gitCheck_ms / 1_000} seconds`);
    throw error;
  } finally {
    await removeFolder(scratch);
  }
}

async function branchCommit(git: Git, remote: Remote, branch: string): Promise<string> {
  const [line = ""] = await refs(git, remote, `refs/heads/${branch}`);
  const sha = /^([0-9a-f]{40,64})\t/.exec(line)?.[1];
  if (sha !== undefined) return sha;
  const [head = ""] = await refs(git, remote, "HEAD");
  const standard = /^ref: refs\/heads\/(\S+)\tHEAD/.exec(head)?.[1];
  throw new GitRefused(
    `The repository has no branch named ${branch}${standard === undefined ? "" : `. Its default branch is ${standard}.`}`,
  );
}

/** Returns the output lines of `git ls-remote` for refs that match a pattern. */
async function refs(git: Git, { url, config, env }: Remote, pattern: string): Promise<string[]> {
  const lines: string[] = [];
  await git.run(["ls-remote", "--symref", "--", url, pattern], {
    config,
    env,
    records: { end: "\n", most_bytes: refs_bytes, take: (line) => lines.push(line.toString()) },
  });
  return lines.filter(Boolean);
}

/** Maximum number of files that are listed to find folders with a docs.json. */
const listed_count = 100_000;
/** Maximum size of that list. */
const listing_bytes = 100_000_000;

class ListedEnough extends Error {}

/**
 * Throws `GitRefused` unless the folder has a docs.json. The message lists up to five folders that have one.
 */
async function requireDocsJson(git: Git, directory: string): Promise<void> {
  const wanted = path.posix.join(directory, "docs.json");
  const direct = await git.run(["ls-tree", "-z", "--name-only", "--full-tree", "refs/octavo", "--", wanted]);
  if (direct.length > 0) return;

  let listed = 0;
  const others: string[] = [];
  await git
    .run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", "refs/octavo"], {
      records: {
        end: "\0",
        most_bytes: listing_bytes,
        take(record) {
          if (++listed > listed_count || others.length === 5) throw new ListedEnough();
          const name = record.toString();
          if (path.posix.basename(name) === "docs.json") others.push(path.posix.dirname(name));
        },
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof ListedEnough)) throw error;
    });

  const where = directory === "" ? "the repository root" : `the folder ${directory}`;
  const found = others.map((folder) => (folder === "." ? "the repository root" : folder)).join(", ");
  throw new GitRefused(
    `There is no docs.json in ${where}${found === "" ? "" : `, but found one in: ${found}`}`,
  );
}
