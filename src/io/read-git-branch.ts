/**
 * Reads a branch of an untrusted repository without checking it out: fetches its objects into a bare
 * repository and copies the files one by one. Hooks, filters, submodules and configuration files have no
 * effect.
 */

import { mkdirSync } from "node:fs";
import path from "node:path";
import { limits } from "../base/limits.ts";
import { type Problem, problem } from "../base/problem.ts";
import { unsafeName } from "../base/safe-name.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { ByteReader } from "./byte-reader.ts";
import { checkGitSource, type GitOptions, GitRefused, type GitSource } from "./check-git-source.ts";
import { datesFile, storeChanges } from "./git-dates.ts";
import { Git, GitFailed, killGroup, printable } from "./git-process.ts";
import { deeperFetch, openRemote, type Remote, shallowFetch } from "./git-remote.ts";
import { storeVersions, versionsFile } from "./git-versions.ts";
import { lfsPointerStart } from "./lfs-pointer.ts";
import { PlainFolder } from "./plain-folder.ts";
import { removeFolder } from "./remove-folder.ts";

/** Timeout for reading a branch. */
const gitRead_ms = 180_000;

export interface BranchCopy {
  /**
   * The commit that was read. `ref` is the name of the branch or, for another ref, its full name without
   * `refs/`.
   */
  commit: { sha: string; ref: string; message: string; author: string | null };
  /**
   * Problems with files that weren't copied, such as symbolic links and files in Git LFS. Files in skipped
   * folders have none. If there are more than `limits.problems_count`, some are left out.
   */
  problems: Problem[];
}

/**
 * Copies the files of a branch into `folder`. `folder` and `scratch` must not exist. `scratch` is always
 * removed afterward, and `folder` is removed after an error. Throws `GitRefused` if the branch can't be read.
 */
export async function readBranch(
  source: GitSource,
  folder: string,
  scratch: string,
  options: GitOptions,
): Promise<BranchCopy> {
  const { url, branch, directory } = checkGitSource(source, options);
  const deadline = AbortSignal.timeout(gitRead_ms);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  mkdirSync(scratch, { recursive: true });

  try {
    const git = new Git(path.join(scratch, "repository"), url.protocol.slice(0, -1), { ...options, signal });
    const remote = await openRemote(source, url, scratch, options);
    await git.run(["init", "--quiet", "--bare", "--template=", "--", "."]);
    await fetchCommit(git, remote, source.ref ?? `refs/heads/${branch}`, source.commit);
    const tree = `refs/octavo${directory ? `:${directory}` : ""}`;
    const commit = await readCommit(git, "refs/octavo", source.ref?.replace(/^refs\//, "") ?? branch);
    const { entries, problems } = await listFiles(git, tree, directory);
    await copyFiles(git, entries, folder, problems);
    const names = entries.map(({ name }) => name);
    await storeChanges(git, directory, folder, names, (limited, commits) =>
      fetchWith(limited, deeperFetch(commits), remote, commit.sha),
    );
    await storeVersions(git, directory, folder, (limited, args, refspec) =>
      fetchInto(limited, args, remote, refspec ?? `+${commit.sha}:refs/octavo`),
    );
    return { commit, problems };
  } catch (error) {
    await removeFolder(folder);
    if (deadline.aborted)
      throw new GitRefused(`The repository couldn't be read within ${gitRead_ms / 1_000} seconds`);
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    await removeFolder(scratch);
  }
}

/** Fetches the commit. If `commit` is undefined or can't be fetched, fetches the latest commit of the ref. */
async function fetchCommit(git: Git, remote: Remote, ref: string, commit: string | undefined): Promise<void> {
  const fetchRef = (wanted: string) => fetchWith(git, shallowFetch, remote, wanted);
  if (commit !== undefined)
    try {
      return await fetchRef(commit);
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error;
    }
  await fetchRef(ref);
}

function fetchWith(git: Git, args: readonly string[], remote: Remote, wanted: string): Promise<void> {
  return fetchInto(git, args, remote, `+${wanted}:refs/octavo`);
}

async function fetchInto(git: Git, args: readonly string[], remote: Remote, refspec: string): Promise<void> {
  await git.run([...args, "--", remote.url, refspec], {
    config: remote.config,
    env: remote.env,
    watched: true,
  });
}

/** Length of a commit's subject and author. Git cuts longer texts, and fills up shorter ones with spaces. */
const text_columns = 500;

/**
 * Returns a commit of a repository. `revision`: hash or full name of a ref. `branch`: value of the result's
 * `ref`. `env`: additional environment variables for git.
 */
export async function readCommit(
  git: Git,
  revision: string,
  branch: string,
  env: Record<string, string> = {},
): Promise<BranchCopy["commit"]> {
  const text = (
    await git.run(
      [
        "log",
        "-1",
        "--no-show-signature",
        `--format=%H%x00%<(${text_columns},trunc)%an%x00%<(${text_columns},trunc)%s`,
        revision,
        "--",
      ],
      { env },
    )
  ).toString("utf8");
  const [sha = "", author = "", message = ""] = text.replace(/\n$/, "").split("\0");
  const line = (value: string) => value.replace(/[\u0000-\u001f\u007f]+/g, " ").trimEnd();
  return { sha, ref: branch, message: line(message), author: line(author) || null };
}

interface Entry {
  sha: string;
  bytes: number;
  name: string;
}

/** Maximum number of listed files, including those in skipped folders. */
const records_count = 5 * limits.sourceFiles_count;
/** Maximum size of the list of files. */
const listing_bytes = 100_000_000;
/** Maximum size of the target of a symbolic link. */
const linkTarget_bytes = 4_096;
/** Maximum number of symbolic links that are followed to a file. */
const linkHops_count = 10;

async function listFiles(
  git: Git,
  tree: string,
  directory: string,
): Promise<{ entries: Entry[]; problems: Problem[] }> {
  const entries: Entry[] = [];
  const links: Entry[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  let total_bytes = 0;
  let listed = 0;
  let records = 0;

  const leaveOut = (name: string, why: string) => {
    if (problems.length < limits.problems_count)
      problems.push(problem("source-skipped", { file: printable(name) }, why));
  };

  const take = (record: Buffer) => {
    records++;

    if (records > records_count)
      throw new GitRefused(
        `The branch has more than ${records_count} files, including those in skipped folders`,
      );

    const tab = record.indexOf(9);
    if (isInSkippedFolder(record.toString("utf8", tab + 1))) return;
    listed++;
    if (listed > limits.sourceFiles_count)
      throw new GitRefused(`The branch has more than ${limits.sourceFiles_count} files`);

    const [mode = "", , sha = "", size = ""] = record.toString("latin1", 0, tab).split(/ +/);
    const written = record.subarray(tab + 1).toString("utf8");
    const name = written.normalize("NFC");
    if (mode === "160000") return leaveOut(name, "Skipped because it's a submodule");

    const wrong = name === datesFile || name === versionsFile ? "is reserved" : unsafeName(name);
    if (wrong) return leaveOut(name, `Skipped because its path ${wrong}`);

    if (names.has(name))
      return leaveOut(
        name,
        "Skipped because its name differs from another file's name only in Unicode normalization",
      );

    const bytes = Number(size);

    if (mode === "120000") {
      if (bytes > linkTarget_bytes) return leaveOut(name, outsideLink);
      names.add(name);
      return void links.push({ sha, bytes, name });
    }

    if (bytes > limits.sourceFile_bytes)
      return leaveOut(name, `Skipped because it's larger than ${limits.sourceFile_bytes / 1024 / 1024} MB`);
    names.add(name);
    add({ sha, bytes, name });
  };

  const add = (entry: Entry) => {
    total_bytes += entry.bytes;
    if (total_bytes > limits.sources_bytes)
      throw new GitRefused(`The branch contains more than ${limits.sources_bytes / 1024 / 1024} MB of files`);
    entries.push(entry);
  };

  try {
    await git.run(["ls-tree", "-r", "-z", "--long", "--full-tree", tree], {
      records: { end: "\0", most_bytes: listing_bytes, take },
    });
  } catch (error) {
    if (error instanceof GitFailed && directory)
      throw new GitRefused(`The branch has no folder ${JSON.stringify(directory)}`);
    throw error;
  }

  const targets = links.length ? await readLinks(git, links) : new Map<string, string>();
  const files = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name } of links) {
    let target: string | undefined = name;
    for (let hop = 0; hop < linkHops_count && target !== undefined && targets.has(target); hop++)
      target = targets.get(target);
    const file = target === undefined ? undefined : files.get(target);
    if (file) add({ ...file, name });
    else leaveOut(name, outsideLink);
  }

  return { entries, problems };
}

const outsideLink = "Skipped because it's a symbolic link that doesn't point to a file in the folder";

/**
 * Returns the paths that symbolic links point to, by the links' names. Leaves out targets outside the folder.
 */
async function readLinks(git: Git, links: readonly Entry[]): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  const child = git.start(["cat-file", "--batch", "--buffer"]);
  child.stdin!.on("error", () => {});
  child.stdin!.end(links.map(({ sha }) => `${sha}\n`).join(""));
  const input = new ByteReader(child.stdout!);
  try {
    for (const { sha, bytes, name } of links) {
      const head = (await input.line(200)).toString("latin1");
      if (head !== `${sha} blob ${bytes}`) throw new GitRefused("The repository is corrupt");
      const written = (await input.take(bytes)).toString("utf8").normalize("NFC");
      await input.line(1);
      const target = path.posix.join(path.posix.dirname(name), written);
      if (!path.posix.isAbsolute(written) && !target.startsWith("../")) targets.set(name, target);
    }
  } finally {
    killGroup(child);
  }

  return targets;
}

/**
 * Requests all objects and writes each one as it arrives. Adds a problem for each file that can't be copied.
 */
async function copyFiles(
  git: Git,
  entries: readonly Entry[],
  folder: string,
  problems: Problem[],
): Promise<void> {
  const target = new PlainFolder(folder);
  const child = git.start(["cat-file", "--batch", "--buffer"]);
  child.stdin!.on("error", () => {});
  child.stdin!.end(entries.map(({ sha }) => `${sha}\n`).join(""));
  const input = new ByteReader(child.stdout!);
  try {
    for (const { sha, bytes, name } of entries) {
      const head = (await input.line(200)).toString("latin1");
      if (head !== `${sha} blob ${bytes}`) throw new GitRefused("The repository is corrupt");
      const start = await input.take(Math.min(bytes, lfsPointerStart.length));
      const rest = input.parts(bytes - start.length);
      const isPointer = start.toString("latin1") === lfsPointerStart;
      const isNew = !isPointer && (await target.write(name, after(start, rest)));
      if (!isNew) {
        const why = isPointer
          ? "Skipped because it's stored in Git LFS, which isn't supported"
          : "Skipped because its name differs from another file's name only in capitalization";
        problems.push(problem("source-skipped", { file: name }, why));
        for await (const _ of rest);
      }
      await input.line(1);
    }
  } finally {
    killGroup(child);
  }
}

async function* after(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  yield* rest;
}
