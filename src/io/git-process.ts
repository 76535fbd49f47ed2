/** Runs git without the environment and configuration of this machine. */

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { limits } from "../base/limits.ts";
import { type GitOptions, GitRefused } from "./check-git-source.ts";
import { type RecordFormat, recordReader } from "./git-records.ts";

/** Maximum size of a fetched repository in bytes. */
const gitPack_bytes = 600 * 1024 * 1024;

/** Maximum CPU time and virtual memory of a git process. A small pack can have huge objects. */
const gitCpu_s = 120;
const gitMemory_gb = 1;

/** Shell that sets the limits. Images without a shell run git without them. */
const shell = "/bin/sh";

/** Maximum size of git's output in bytes, unless `records` handles it. */
const gitOutput_bytes = 64 * 1024;

/** Thrown if git exits with an error. */
export class GitFailed extends GitRefused {}

interface RunOptions {
  config?: Record<string, string>;
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** Text for git's standard input. */
  input?: string;
  /** Whether to kill the process when the repository exceeds its maximum size. */
  watched?: boolean;
  /**
   * Receives each record of the output, and `run` then returns an empty buffer. If `take` throws, git is
   * killed.
   */
  records?: RecordFormat & { take(record: Buffer): void };
}

/**
 * Runs git in a new folder, which is used as a bare repository. Git is killed when `options.signal` is
 * aborted.
 */
export class Git {
  private readonly folder: string;
  private readonly protocol: string;
  private readonly options: GitOptions;

  constructor(folder: string, protocol: string, options: GitOptions) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.protocol = protocol;
    this.options = options;
  }

  /** Returns the same repository, in which git is killed after a time. */
  limited(time_ms: number): Git {
    const limit = AbortSignal.timeout(time_ms);
    const { signal } = this.options;
    return new Git(this.folder, this.protocol, {
      ...this.options,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  }

  throwIfAborted(): void {
    this.options.signal?.throwIfAborted();
  }

  /** Returns the oldest commits of an incomplete history, one per line. Empty if the history is complete. */
  shallowCommits(): string {
    const file = path.join(this.folder, "shallow");
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  }

  /**
   * Starts git without the environment of this process, and only with `fixedConfig` and the given
   * configuration. Throws the abort reason if the signal is already aborted.
   */
  start(
    args: readonly string[],
    config: Record<string, string> = {},
    env: Record<string, string> = {},
  ): ChildProcess {
    const { signal } = this.options;
    signal?.throwIfAborted();
    const child = spawnGit(this.folder, args, {
      config,
      env: { GIT_DIR: this.folder, GIT_ALLOW_PROTOCOL: this.protocol, ...env },
      path: this.options.path,
    });

    const stop = () => killGroup(child);
    signal?.addEventListener("abort", stop);
    for (const event of ["close", "error"])
      child.once(event, () => signal?.removeEventListener("abort", stop));

    return child;
  }

  /**
   * Returns git's output, which is empty with `records`. Throws `GitFailed` with a description of git's last
   * error, and `GitRefused` if a watched repository or the output is too large. Also throws the abort reason,
   * errors of `take`, and a system error if git can't be started.
   */
  async run(
    args: readonly string[],
    { config, env, input = "", watched, records }: RunOptions = {},
  ): Promise<Buffer> {
    const { signal } = this.options;
    const child = this.start(args, config, env);
    child.stdin!.on("error", () => {});
    child.stdin!.end(input);
    const stop = () => killGroup(child);
    let fault: unknown;
    const watch = setInterval(() => {
      if (!watched || bytesBelow(this.folder) <= gitPack_bytes) return;
      fault = new GitRefused(`The branch is larger than ${gitPack_bytes / 1024 / 1024} MB`);
      stop();
    }, 200);

    const onOutput = records && recordReader(records, records.take);
    const output: Buffer[] = [];
    let output_bytes = 0;
    let errorOutput = "";

    child.stdout!.on("data", (chunk: Buffer) => {
      if (fault !== undefined) return;
      output_bytes += chunk.length;
      if (!onOutput && output_bytes > gitOutput_bytes) {
        fault = new GitRefused(`Git returned more than ${gitOutput_bytes / 1024} KB`);
        return stop();
      }
      if (!onOutput) return void output.push(chunk);
      try {
        onOutput(chunk);
      } catch (error) {
        fault = error;
        stop();
      }
    });

    child.stderr!.on("data", (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString("utf8")).slice(-4_000);
    });

    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      if (fault !== undefined) throw fault;
      signal?.throwIfAborted();
      // The shell didn't find git.
      if (code === 127) throw new Error("Git isn't installed");
      if (code !== 0) throw new GitFailed(describeError(errorOutput));
      return Buffer.concat(output);
    } finally {
      clearInterval(watch);
    }
  }
}

const fixedConfig: Record<string, string> = {
  // The host of a redirect wouldn't be checked.
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "1000",
  "http.lowSpeedTime": "30",
  "http.sslVerify": "true",
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.bigFileThreshold": "1m",
  "core.packedGitWindowSize": "32m",
  "core.packedGitLimit": "256m",
  "core.deltaBaseCacheLimit": "32m",
  // Each thread reserves virtual memory.
  "pack.threads": "1",
  "pack.windowMemory": "64m",
  "credential.helper": "",
  "submodule.recurse": "false",
  "transfer.fsckObjects": "false",
  // Always stores one pack file instead of one file per object.
  "fetch.unpackLimit": "1",
  "gc.auto": "0",
  "protocol.version": "2",
};

export interface SpawnOptions {
  config?: Record<string, string>;
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** Value of the environment variable `PATH`. */
  path: string | undefined;
  /** Default: three pipes. */
  stdio?: StdioOptions;
}

/**
 * Starts git in a folder, as the leader of a process group, without the environment of this process, and only
 * with `fixedConfig` and the given configuration.
 */
export function spawnGit(
  folder: string,
  args: readonly string[],
  { config = {}, env = {}, path: searchPath, stdio = ["pipe", "pipe", "pipe"] }: SpawnOptions,
): ChildProcess {
  const settings = Object.entries({ ...fixedConfig, ...config });
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);

  // The shell sets the priority and the limits of git and its child processes. Some systems have no limit on
  // virtual memory.
  const memory = `ulimit -v ${gitMemory_gb * 1024 * 1024} 2> /dev/null`;
  const limited = `${memory}; ulimit -t "$0"; command -v nice > /dev/null && set -- nice -n "$@" || shift; exec "$@"`;
  const command = ["-c", limited, String(gitCpu_s), String(limits.buildPriority), "git", ...args];
  return spawn(existsSync(shell) ? shell : "git", existsSync(shell) ? command : args, {
    cwd: folder,
    stdio,
    // A process group, so that git's child processes can be killed too.
    detached: true,
    env: {
      ...(searchPath ? { PATH: searchPath } : {}),
      HOME: folder,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "false",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
      GIT_NO_LAZY_FETCH: "1",
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(numbered),
      ...env,
    },
  });
}

/** Kills a process that was started as the leader of its group, and its child processes. */
export function killGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** Describes common failures. For other failures, returns git's last error. */
function describeError(output: string): string {
  const branch = /couldn't find remote ref refs\/heads\/(\S+)/.exec(output)?.[1];
  if (branch) return `The repository has no branch named ${branch}`;
  if (/Out of memory|mmap failed/i.test(output))
    return `Git needs more than ${gitMemory_gb} GB of memory to read the repository. Make its files smaller.`;
  if (/Host key verification failed/.test(output))
    return "The server's host key has changed since it was confirmed. Check the connection again, and compare the fingerprint with your Git host's documentation.";
  if (/Permission denied \(/.test(output))
    return "The server refused the deploy key. Add the public key to the repository's deploy keys, and try again.";
  if (/ssh: connect to host|kex_exchange_identification/.test(output))
    return "The repository's SSH server isn't responding";
  if (/ssh: (?:command )?not found|cannot run ssh|error: cannot spawn/.test(output))
    return "This docs server has no SSH client. Ask its operator to install OpenSSH.";

  if (
    /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|returned error: 40[13]/.test(
      output,
    )
  )
    return "The repository doesn't exist or requires authentication. Check its URL and your credentials.";

  if (/returned error: 404|not found|does not appear to be a git repository/.test(output))
    return "Repository not found. Check its URL.";
  if (/redirect|returned error: 30\d/i.test(output))
    return "The repository URL redirects to a different URL. Use that URL instead.";
  const refusal = /! \[(?:remote )?rejected\][^\n]*\(([^)\n]+)\)/.exec(output)?.[1];
  if (refusal) return `The server refused the push: ${printable(refusal).slice(0, 200)}`;
  const last = /(?:fatal|error): ([^\n]*)\n?$/.exec(output)?.[1] ?? "Git exited unexpectedly";
  return `The repository can't be read: ${printable(last).slice(0, 200)}`;
}

/** Replaces each control character with `?`. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, "?");
}
