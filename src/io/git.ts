/**
 * Reads a branch of an untrusted repository without checking it out: fetches its objects into a bare repository and copies
 * the files one by one. Hooks, filters, submodules and configuration files have no effect.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { lookup as lookUp } from "node:dns/promises";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { rootCertificates } from "node:tls";
import { limits } from "../base/limits.ts";
import { type Problem, problem } from "../base/problem.ts";
import { unsafeName } from "../base/safe-name.ts";
import { isInSkippedFolder } from "../base/skipped-folders.ts";
import { parseUrl } from "../base/url.ts";
import { type AllowedHosts, allowSetting, noHosts } from "./allowed-hosts.ts";
import { PlainFolder } from "./plain-folder.ts";
import { isMetadataAddress, isPublicAddress, isWebPort } from "./public-address.ts";

/** Maximum size in bytes of the pack that is fetched for a branch. */
const gitPack_bytes = 600 * 1024 * 1024;
/** Timeout for reading a branch. */
const gitRead_ms = 180_000;

export interface GitSource {
  url: string;
  branch: string;
  /** Folder in the repository. Default: the root. */
  directory?: string;
}

export interface GitOptions {
  /** Allowed protocols in addition to https. */
  protocols?: readonly ("ssh" | "http" | "file")[];
  /** Allows servers in private networks. */
  allowPrivate?: boolean;
  /** Hosts that the operator allows in addition to the public internet. */
  allowed?: AllowedHosts;
  /** PEM file with additional trusted certificate authorities. */
  extraCaFile?: string | undefined;
  /** `PATH` in which git is found. */
  path: string | undefined;
  lookup?: (host: string) => Promise<string[]>;
  signal?: AbortSignal;
}

export interface Checkout {
  commit: { sha: string; ref: string; message: string; author: string | null };
  /** A problem for each file that was skipped. */
  problems: Problem[];
}

/** The branch can't be read. The message is shown to the user who configured the repository, and contains no secrets. */
export class GitRefused extends Error {}

/** Copies the files of a branch into `folder`. `folder` and `scratch` must not exist; `scratch` is removed afterwards. */
export async function readBranch(source: GitSource, folder: string, scratch: string, options: GitOptions): Promise<Checkout> {
  const { url, branch, directory } = checkGitSource(source, options);
  const deadline = AbortSignal.timeout(gitRead_ms);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  mkdirSync(scratch, { recursive: true });
  try {
    const git = new Git(path.join(scratch, "repository"), url.protocol.slice(0, -1), { ...options, signal });
    const caFile = await writeCaFile(scratch, options.extraCaFile);
    await git.run(["init", "--quiet", "--bare", "--template=", "--", "."]);
    await fetchBranch(git, url, branch, await resolveHost(url, options), caFile);
    const tree = `refs/octavo${directory ? `:${directory}` : ""}`;
    const commit = await readCommit(git, branch);
    const { entries, problems } = await listFiles(git, tree, directory);
    await copyFiles(git, entries, folder, problems);
    return { commit, problems };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (deadline.aborted) throw new GitRefused(`The repository could not be read within ${gitRead_ms / 1_000} seconds`);
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Validates a source. Throws `GitRefused`. */
export function checkGitSource(
  { url: address, branch, directory }: GitSource,
  options: Pick<GitOptions, "protocols">,
): { url: URL; branch: string; directory: string } {
  const url = checkAddress(address, options);
  const isBranch =
    /^[A-Za-z0-9._/-]{1,255}$/.test(branch) && !/^[-/.]|\.\.|\/\/|\/\.|\.lock(?:\/|$)|[/.]$/.test(branch) && branch !== "HEAD";
  if (!isBranch) throw new GitRefused("The branch is not a name that git takes");
  const folder = (directory ?? "").replace(/^(?:\.?\/)+|\/+$/g, "");
  const wrong = folder === "" || folder === "." ? undefined : unsafeName(folder);
  if (wrong) throw new GitRefused(`The directory ${wrong}`);
  return { url, branch, directory: folder === "." ? "" : folder };
}

function checkAddress(address: string, { protocols = [] }: Pick<GitOptions, "protocols">): URL {
  const allowed = ["https", ...protocols].map((name) => `${name}:`);
  // The URL parser would normalize these characters, so git would get a different URL from the one that was checked.
  if (/[\u0000-\u0020\u007f\\]/.test(address)) throw new GitRefused("The address of the repository holds characters that no address has");
  const url = parseUrl(address);
  if (!url || !allowed.includes(url.protocol))
    throw new GitRefused(`The address of the repository must begin with ${allowed.map((name) => `${name}//`).join(" or ")}`);
  if (url.search || url.hash) throw new GitRefused("The address of the repository has a query or a fragment");
  if (url.protocol === "file:") return url;
  if (!/^[a-z0-9[]/.test(url.hostname)) throw new GitRefused("The address of the repository has no host");
  if (url.pathname === "/") throw new GitRefused("The address of the repository has no path");
  if (url.protocol === "ssh:" && !/^[\w.-]*$/.test(decodeURIComponent(url.username))) throw new GitRefused("The user is not a name");
  return url;
}

function portOf({ protocol, port }: URL): number {
  return Number(port || { "ssh:": 22, "http:": 80 }[protocol] || 443);
}

/** Resolves the host and checks its IP addresses. Throws `GitRefused` if one is not allowed. Over HTTP, git connects only to these addresses, which prevents DNS rebinding. */
async function resolveHost(url: URL, { allowPrivate, allowed = noHosts, lookup = addressesOf }: GitOptions): Promise<string[]> {
  if (url.protocol === "file:") return [];
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host)
    ? [host]
    : // Unknown names cause the same error as internal names, so that the error doesn't reveal which names exist.
      await lookup(host).catch(() => []);
  const port = portOf(url);
  const isGitPort = isWebPort(port) || (url.protocol === "ssh:" && port === 22);
  const isAllowed = (address: string) =>
    allowed.allows(host, port, address) ||
    (isPublicAddress(address) && isGitPort) ||
    (allowPrivate === true && !isMetadataAddress(address));
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses;
  throw new GitRefused(
    `This docs server isn't allowed to call ${url.hostname}${isIP(host) ? "" : ", or can't find it"}. To allow it, add ${url.hostname}:${port} to ${allowSetting}.`,
  );
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Writes all certificate authorities to one file, which git uses instead of the system's file. Undefined without `extraCaFile`. */
async function writeCaFile(scratch: string, extraCaFile: string | undefined): Promise<string | undefined> {
  if (extraCaFile === undefined) return undefined;
  const system = systemCaFiles.find((file) => existsSync(file));
  const texts = await Promise.all([extraCaFile, ...(system ? [system] : [])].map((file) => readFile(file, "utf8")));
  const file = path.join(scratch, "authorities.pem");
  await writeFile(file, [...texts, ...rootCertificates].join("\n"));
  return path.resolve(file);
}

/** Certificate files of Debian, Red Hat, SUSE, Alpine and macOS. */
const systemCaFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

async function fetchBranch(git: Git, url: URL, branch: string, addresses: readonly string[], caFile: string | undefined): Promise<void> {
  // The password is passed in the environment, because other users can read arguments.
  const bare = new URL(url);
  const config: Record<string, string> = caFile === undefined ? {} : { "http.sslCAInfo": caFile };
  if (url.protocol !== "ssh:") {
    bare.username = bare.password = "";
    if (url.username || url.password) {
      const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      config["http.extraHeader"] = `Authorization: Basic ${Buffer.from(credentials).toString("base64")}`;
    }
  }
  if (addresses.length && !isIP(url.hostname.replace(/^\[|\]$/g, "")))
    config["http.curloptResolve"] = `${url.hostname}:${portOf(url)}:${addresses.join(",")}`;
  const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-gc", "--no-write-fetch-head"];
  await git.run([...fetch, "--", bare.href, `+refs/heads/${branch}:refs/octavo`], { config, watched: true });
}

async function readCommit(git: Git, branch: string): Promise<Checkout["commit"]> {
  const text = (await git.run(["log", "-1", "--no-show-signature", "--format=%H%x00%an%x00%s", "refs/octavo", "--"])).toString("utf8");
  const [sha = "", author = "", message = ""] = text.replace(/\n$/, "").split("\0");
  const line = (value: string) => value.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, 500);
  return { sha, ref: branch, message: line(message), author: line(author) || null };
}

interface Entry {
  sha: string;
  bytes: number;
  name: string;
}

async function listFiles(git: Git, tree: string, directory: string): Promise<{ entries: Entry[]; problems: Problem[] }> {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  let total_bytes = 0;
  let listed = 0;
  const leaveOut = (name: string, why: string) => {
    if (problems.length < limits.problems_count) problems.push(problem("source-skipped", { file: printable(name) }, why));
  };
  const take = (record: Buffer) => {
    const tab = record.indexOf(9);
    if (isInSkippedFolder(record.toString("utf8", tab + 1))) return;
    listed++;
    if (listed > limits.sourceFiles_count) throw new GitRefused(`The branch has more than ${limits.sourceFiles_count} files`);
    const [mode = "", , sha = "", size = ""] = record.toString("latin1", 0, tab).split(/ +/);
    const written = record.subarray(tab + 1).toString("utf8");
    const name = written.normalize("NFC");
    if (mode === "120000") return leaveOut(name, "It is a symbolic link, which could lead anywhere");
    if (mode === "160000") return leaveOut(name, "It is a submodule: another repository");
    const wrong = unsafeName(name);
    if (wrong) return leaveOut(name, `Its name ${wrong}`);
    if (names.has(name)) return leaveOut(name, "Another file has the same name, with its accents written in another way");
    const bytes = Number(size);
    if (bytes > limits.sourceFile_bytes) return leaveOut(name, `It is larger than ${limits.sourceFile_bytes} bytes`);
    total_bytes += bytes;
    if (total_bytes > limits.sources_bytes) throw new GitRefused(`The branch has more than ${limits.sources_bytes} bytes of files`);
    names.add(name);
    entries.push({ sha, bytes, name });
  };
  let rest: Buffer = Buffer.alloc(0);
  try {
    await git.run(["ls-tree", "-r", "-z", "--long", "--full-tree", tree], {
      onOutput(chunk) {
        rest = Buffer.concat([rest, chunk]);
        for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
          take(rest.subarray(0, end));
          rest = rest.subarray(end + 1);
        }
      },
    });
  } catch (error) {
    if (error instanceof GitFailed && directory) throw new GitRefused(`The branch has no folder ${JSON.stringify(directory)}`);
    throw error;
  }
  return { entries, problems };
}

/** Requests all objects and writes each one as it arrives. Adds a problem for each file that is skipped. */
async function copyFiles(git: Git, entries: readonly Entry[], folder: string, problems: Problem[]): Promise<void> {
  const target = new PlainFolder(folder);
  const child = git.start(["cat-file", "--batch", "--buffer"]);
  child.stdin!.on("error", () => {});
  child.stdin!.end(entries.map(({ sha }) => `${sha}\n`).join(""));
  const input = new ByteReader(child.stdout!);
  try {
    for (const { sha, bytes, name } of entries) {
      const head = (await input.line(200)).toString("latin1");
      if (head !== `${sha} blob ${bytes}`) throw new GitRefused("The repository is damaged");
      const start = await input.take(Math.min(bytes, pointerStart.length));
      const rest = input.parts(bytes - start.length);
      const isPointer = start.toString("latin1") === pointerStart;
      const isNew = !isPointer && (await target.write(name, after(start, rest)));
      if (!isNew) {
        const why = isPointer ? "It lies in Git LFS, which is not read" : "Another file has the same name, in other case";
        problems.push(problem("source-skipped", { file: name }, why));
        for await (const _ of rest);
      }
      await input.line(1);
    }
  } finally {
    killGroup(child);
  }
}

/** First line of a Git LFS pointer file. */
const pointerStart = "version https://git-lfs.github.com/spec/v1\n";

async function* after(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  yield* rest;
}

/** Reads a stream line by line, or a given number of bytes. Throws `GitRefused` if the stream ends before. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  async line(most: number): Promise<Buffer> {
    for (;;) {
      const end = this.rest.indexOf(10);
      if (end >= 0) {
        const line = this.rest.subarray(0, end);
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      if (this.rest.length > most) throw new GitRefused("The repository is damaged");
      await this.more();
    }
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *parts(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.rest.length === 0) await this.more();
      const part = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  private async more(): Promise<void> {
    const next = await this.chunks.next();
    if (next.done) throw new GitRefused("The repository is damaged");
    this.rest = Buffer.concat([this.rest, next.value]);
  }
}

/** git exited with an error. */
class GitFailed extends GitRefused {}

interface RunOptions {
  config?: Record<string, string>;
  /** Whether to kill the process when the repository exceeds its maximum size. */
  watched?: boolean;
  onOutput?(chunk: Buffer): void;
}

class Git {
  private readonly folder: string;
  private readonly protocol: string;
  private readonly options: GitOptions;

  constructor(folder: string, protocol: string, options: GitOptions) {
    mkdirSync(folder);
    this.folder = folder;
    this.protocol = protocol;
    this.options = options;
  }

  /** Starts git without the environment of this process, and only with the given configuration. */
  start(args: readonly string[], config: Record<string, string> = {}): ChildProcess {
    const settings = Object.entries({ ...fixedConfig, ...config });
    const numbered = settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    return spawn("git", args, {
      cwd: this.folder,
      stdio: ["pipe", "pipe", "pipe"],
      // A process group, so that git's child processes can be killed too.
      detached: true,
      env: {
        ...(this.options.path ? { PATH: this.options.path } : {}),
        HOME: this.folder,
        LC_ALL: "C",
        GIT_DIR: this.folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_SYSTEM: "/dev/null",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_ATTR_NOSYSTEM: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_ASKPASS: "false",
        GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
        GIT_ALLOW_PROTOCOL: this.protocol,
        GIT_NO_LAZY_FETCH: "1",
        GIT_CONFIG_COUNT: String(settings.length),
        ...Object.fromEntries(numbered),
      },
    });
  }

  /** Returns git's output. Throws `GitFailed` with a description of git's last error. */
  async run(args: readonly string[], { config, watched, onOutput }: RunOptions = {}): Promise<Buffer> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    const child = this.start(args, config);
    child.stdin!.on("error", () => {});
    child.stdin!.end();
    const stop = () => killGroup(child);
    signal?.addEventListener("abort", stop);
    let fault: unknown;
    const watch = setInterval(() => {
      if (!watched || bytesBelow(this.folder) <= gitPack_bytes) return;
      fault = new GitRefused(`The branch has more than ${gitPack_bytes} bytes of history and files`);
      stop();
    }, 200);
    const output: Buffer[] = [];
    let errorOutput = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      if (!onOutput) return void output.push(chunk);
      if (fault !== undefined) return;
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
      if (code !== 0) throw new GitFailed(describeError(errorOutput));
      return Buffer.concat(output);
    } finally {
      clearInterval(watch);
      signal?.removeEventListener("abort", stop);
    }
  }
}

const fixedConfig: Record<string, string> = {
  // The host of a redirect would not be checked.
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "1000",
  "http.lowSpeedTime": "30",
  "http.sslVerify": "true",
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.bigFileThreshold": "1m",
  "credential.helper": "",
  "submodule.recurse": "false",
  "transfer.fsckObjects": "false",
  // Always stores one pack file instead of one file per object.
  "fetch.unpackLimit": "1",
  "gc.auto": "0",
  "protocol.version": "2",
};

function killGroup(child: ChildProcess): void {
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
    if (entry.isFile()) bytes += statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** Describes common failures. For other failures, returns git's last error. */
function describeError(output: string): string {
  const branch = /couldn't find remote ref refs\/heads\/(\S+)/.exec(output)?.[1];
  if (branch) return `The repository has no branch ${branch}`;
  if (/Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|returned error: 40[13]/.test(output))
    return "The repository does not exist, or it asks for a login";
  if (/returned error: 404|not found|does not appear to be a git repository/.test(output)) return "The repository was not found";
  if (/redirect|returned error: 30\d/i.test(output)) return "The address of the repository leads on to another one: name that one";
  const last = /(?:fatal|error): ([^\n]*)\n?$/.exec(output)?.[1] ?? "it ended unexpectedly";
  return `The repository could not be read: ${printable(last).slice(0, 200)}`;
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, "?");
}
