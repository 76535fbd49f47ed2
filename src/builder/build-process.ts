/**
 * Starts and watches build processes. A site is built in a separate process with limited memory and a minimal
 * environment. When a page crashes the process, the build starts again without the page.
 */

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { limits } from "../base/limits.ts";
import { type Problem, problem } from "../base/problem.ts";
import { BadArchive } from "../io/archive-limits.ts";
import { removeFolder } from "../io/remove-folder.ts";
import type { BuildJob, BuildMessage, BuildRequest, BuildResult } from "./build-protocol.ts";
import type { CompareJob, SiteComparison } from "./compare-sites.ts";
import { PageNote } from "./page-note.ts";
import { usageOf } from "./process-usage.ts";

const shell = "/bin/sh";

/** Maximum number of restarts of one build. */
const restarts_count = 20;
/**
 * Signals that are sent to a process from outside, for example if the machine runs out of memory or stops. A
 * crash sends other signals.
 */
const outsideSignals: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);
/**
 * Number of restarts of one build after signals from outside. After another one, the page is to blame if it
 * was always the same.
 */
const outsideKills_count = 2;

export interface BuildProcessOptions {
  /** Path of the script that the process runs. */
  module: string;
  /** Environment variables of the process, in addition to `NODE_ENV` and `TZ`. */
  env: Record<string, string>;
  /** Maximum number of threads of a build. Default: 1. */
  threads?: number;
  /**
   * Limits for a build of a tenant's site, including restarts for CPU time. A build with limits also runs at
   * a lower priority.
   */
  caps?: { cpu_s: number; memory_bytes: number };
  /**
   * The process is killed when it hasn't sent a message or noted another page for `cpu_s` of CPU time or
   * `silence_ms` of wall-clock time while a request is pending. Default: `limits.buildStall_s` and
   * `limits.buildSilence_ms`.
   */
  stall?: { cpu_s: number; silence_ms: number };
  /** Reports the number of pages that have been read, or of files that have been written. */
  onProgress?(stage: "page" | "write", done: number, total: number): void;
  /** Reports the files of a preview before all pages are compiled. */
  onOutline?(paths: string[]): void;
  /** Reports how many of the pages have been written. */
  onPages?(done: number, total: number): void;
}

/** Builds sites. In production, each builder is a `BuildProcess`. */
export type SiteBuilder = Pick<BuildProcess, "prepare" | "unpack" | "build" | "compare" | "file" | "end">;

/** Creates a builder. A process starts only with the first build or call to `prepare`. */
export type StartBuild = (options?: Pick<BuildProcessOptions, "onProgress" | "onPages">) => SiteBuilder;

type RequestWithoutId = BuildRequest extends infer Each
  ? Each extends unknown
    ? Omit<Each, "id">
    : never
  : never;

export class BuildProcess {
  private readonly options: BuildProcessOptions;
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<
    number,
    { resolve(message: BuildMessage): void; reject(error: Error): void }
  >();
  private lastId = 0;
  private currentPage: string | undefined;
  private note: PageNote | undefined;
  /** Whether the process has read all pages. The note about the last one remains. */
  private hasReadPages = false;
  private lastMessageAt = 0;
  /** Total CPU time of this build's processes that have ended. */
  private endedCpu_s = 0;
  private readonly crashed = new Map<string, Problem>();
  private hasCache = false;

  constructor(options: BuildProcessOptions) {
    this.options = options;
  }

  /** Starts the process, so that it's ready when a build with this cache is requested. */
  prepare({ cacheFolder }: Pick<BuildJob, "cacheFolder">): void {
    this.hasCache = cacheExists(cacheFolder);
    this.child ??= this.start();
  }

  /**
   * Unpacks an untrusted archive into a new folder, with the limits of the build process. Throws `BadArchive`
   * if the archive isn't accepted. Rejects like `build`.
   */
  async unpack(archive: string, folder: string): Promise<void> {
    this.endedCpu_s = 0;
    for (let kills = 0; ; kills++) {
      try {
        const message = await this.request({ do: "unpack", archive, folder });
        if (message.event === "unpacked" && message.refusal !== undefined)
          throw new BadArchive(message.refusal);
        return;
      } catch (error) {
        if (!(error instanceof BuildEnded && error.isFromOutside)) throw error;
        if (kills === outsideKills_count) throw new BuildKilled(error.message, error.detail);
        await removeFolder(folder);
      }
    }
  }

  /**
   * Builds a site. Tries pages again that crashed the process in an earlier call. Rejects with `BuildFailed`
   * if the process reports an error, and with `BuildEnded` if the process ended and isn't started again.
   */
  async build(job: Omit<BuildJob, "crashed" | "threads">): Promise<BuildResult> {
    let { threads = 1 } = this.options;
    this.crashed.clear();
    this.endedCpu_s = 0;
    this.hasCache = cacheExists(job.cacheFolder);

    /** Pages that were read when the process was killed from outside. */
    let killed: (string | undefined)[] = [];
    for (let attempt = 0; ; attempt++) {
      this.currentPage = undefined;
      this.hasReadPages = false;
      this.note?.clear();
      try {
        const message = await this.request({
          do: "build",
          job: { ...job, threads, crashed: [...this.crashed] },
        });
        this.currentPage = undefined;
        this.hasReadPages = true;
        if (message.event === "built") return message.result;
      } catch (error) {
        const hadThreads = threads > 1;
        // The page that crashed the process is only known if there is one thread.
        threads = 1;
        if (error instanceof BuildEnded && error.isFromOutside) {
          killed.push(error.page);
          if (killed.length <= outsideKills_count) continue;
          if (killed.some((page) => page === undefined || page !== error.page))
            throw new BuildKilled(error.message, error.detail);
          killed = [];
        }
        if (hadThreads && error instanceof BuildEnded && !error.isFinal) continue;
        if (
          !(error instanceof BuildEnded) ||
          error.page === undefined ||
          attempt >= restarts_count ||
          this.crashed.has(error.page)
        )
          throw error;
        this.crashed.set(
          error.page,
          problem(
            "page-crashed",
            { file: error.page },
            error.message,
            "Look for deeply nested or heavily repeated content.",
          ),
        );
      }
    }
  }

  /** Compares a built site with the live one, with the limits of the build process. Rejects like `build`. */
  async compare(job: CompareJob): Promise<SiteComparison> {
    const message = await this.request({ do: "compare", job });
    if (message.event !== "compared") throw new Error(`Unexpected message: ${message.event}`);
    return message.comparison;
  }

  /**
   * Returns a file of the site that the last build kept in memory (output `hold`). Undefined if there is no
   * such file.
   */
  async file(path: string): Promise<Uint8Array | undefined> {
    const message = await this.request({ do: "file", path });
    return message.event === "file" ? message.bytes : undefined;
  }

  /**
   * Kills the process. Pending calls reject with `BuildEnded`, and their builds aren't retried. The next call
   * starts a new process.
   */
  end(): void {
    this.child?.kill("SIGKILL");
    this.child = undefined;
    this.rejectAll(new BuildEnded("The build was stopped", undefined, "", { isFinal: true }));
  }

  private rejectAll(error: BuildEnded): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private request(request: RequestWithoutId): Promise<BuildMessage> {
    const child = (this.child ??= this.start());
    const id = ++this.lastId;
    this.lastMessageAt = Date.now();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // If the process can't be reached, it has ended or failed to start, and its event rejects the call.
      child.send?.({ ...request, id } as BuildRequest, () => {});
    });
  }

  private start(): ChildProcess {
    this.currentPage = undefined;
    const { caps, stall = { cpu_s: limits.buildStall_s, silence_ms: limits.buildSilence_ms } } = this.options;
    const note = new PageNote();
    this.note = note;
    const child = startProcess(this.options, this.hasCache, note);
    let errorOutput = "";
    let used_s = 0;
    let overCap: "cpu" | "memory" | "stall" | undefined;
    let lastProgress = { at: 0, cpu_s: 0 };
    child.stderr!.on("data", (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-4_000);
    });
    child.on("message", (message: BuildMessage) => {
      if (this.child === child) this.receive(message);
    });

    const readNote = () => {
      const page = this.hasReadPages ? undefined : note.read();
      if (page && page.file !== this.currentPage && this.child === child) this.receive(page);
    };

    const watchdog = setInterval(() => {
      const usage = usageOf(child.pid!);
      used_s = usage?.cpu_s ?? used_s;
      readNote();
      if (lastProgress.at !== this.lastMessageAt) lastProgress = { at: this.lastMessageAt, cpu_s: used_s };

      // On a busy machine, a process may be slow without being stalled. CPU time therefore detects stalls
      // earlier than silence does.
      const silence_ms = Date.now() - this.lastMessageAt;
      if (this.waiting.size && (used_s - lastProgress.cpu_s > stall.cpu_s || silence_ms > stall.silence_ms))
        overCap = "stall";
      if (overCap) child.kill("SIGKILL");
      if (!caps || !usage) return;
      if (this.endedCpu_s + used_s > limits.longBuild_s) lowerPriority(child.pid!, limits.longBuildPriority);
      if (this.endedCpu_s + used_s > caps.cpu_s) overCap = "cpu";
      else if (usage.memory_bytes > caps.memory_bytes) overCap = "memory";
      if (overCap) child.kill("SIGKILL");
    }, limits.buildWatch_ms);

    child.on("error", (error) => {
      errorOutput += error.message;
      if (child.pid === undefined) ended(null, null);
    });

    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      clearInterval(watchdog);
      readNote();
      note.close();
      if (this.note === note) this.note = undefined;

      // After `end`, the calls have been rejected, and a new process may be running.
      if (this.child !== child) return;
      this.child = undefined;
      this.endedCpu_s += used_s;
      const duringPage = this.currentPage ? ` while reading ${this.currentPage}` : "";

      if (overCap === "cpu") {
        const message = `The build used more than ${caps!.cpu_s / 60} minutes of CPU time${duringPage}. Split large pages and remove slow components.`;
        // The process isn't restarted, because the build has used up its CPU time.
        return this.rejectAll(new BuildEnded(message, undefined, "", { isFinal: true }));
      }

      const why =
        overCap === "memory" || /heap out of memory/.test(errorOutput)
          ? "used too much memory"
          : overCap === "stall"
            ? "stopped responding"
            : "exited unexpectedly";

      const message = `The build process ${why}${duringPage || ` (${signal ?? `exit code ${code}`})`}`;
      const isFromOutside = overCap === undefined && signal !== null && outsideSignals.has(signal);
      this.rejectAll(new BuildEnded(message, this.currentPage, errorOutput.trim(), { isFromOutside }));
    };

    // All output has been read by then.
    child.on("close", ended);
    return child;
  }

  private receive(message: BuildMessage): void {
    this.lastMessageAt = Date.now();

    switch (message.event) {
      case "page":
        this.currentPage = message.file;
        this.options.onProgress?.("page", message.done, message.total);
        return;
      case "written":
        this.currentPage = undefined;
        this.hasReadPages = true;
        this.options.onProgress?.("write", message.done, message.total);
        this.options.onPages?.(message.pages, message.totalPages);
        return;
      case "outlined":
        this.options.onOutline?.(message.paths);
        return;
      case "failed":
        this.waiting.get(message.id)?.reject(new BuildFailed(message.message, message.detail, message.code));
        break;
      default:
        this.waiting.get(message.id)?.resolve(message);
    }

    this.waiting.delete(message.id);
  }
}

function cacheExists(cacheFolder: string | undefined): boolean {
  return cacheFolder !== undefined && existsSync(cacheFolder);
}

function startProcess(
  { module, env, caps }: BuildProcessOptions,
  hasCache: boolean,
  note: PageNote,
): ChildProcess {
  const options: SpawnOptions = {
    // QuickJS uses the process's time zone. UTC makes builds reproducible.
    env: { NODE_ENV: "production", TZ: "UTC", ...env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc", note.descriptor],
  };

  const youngHeap_mb = hasCache ? limits.rebuildYoungHeap_mb : limits.buildYoungHeap_mb;
  const heap = [
    `--initial-heap-size=${limits.buildInitialHeap_mb}`,
    `--max-old-space-size=${limits.buildHeap_mb}`,
    `--heap-growing-percent=${hasCache ? limits.rebuildHeapGrowth_percent : limits.buildHeapGrowth_percent}`,
    // Semi-spaces have their maximum size from the start, so that fewer short-lived objects move to the old
    // generation.
    `--min-semi-space-size=${youngHeap_mb}`,
    `--max-semi-space-size=${youngHeap_mb}`,
    // One thread for garbage collection and compilation beside the main one. More threads use more CPU time
    // in total.
    "--v8-pool-size=1",
    // A build with a cache allocates few objects. Sharing their collection between two threads then uses more
    // CPU time than it saves.
    ...(hasCache ? ["--single-threaded-gc"] : []),
  ];

  const node = [process.execPath, ...heap, module];
  if (!caps) return spawn(node[0]!, node.slice(1), options);

  if (!existsSync(shell)) {
    const child = spawn(node[0]!, node.slice(1), options);
    lowerPriority(child.pid!, limits.buildPriority);
    return child;
  }

  // The shell sets limits and priority before the process starts threads, which inherit them. If this process
  // has been killed, `ulimit` still ends a build that is in an endless loop.
  const limited = 'ulimit -t "$0"; command -v nice > /dev/null && set -- nice -n "$@" || shift; exec "$@"';
  return spawn(
    shell,
    ["-c", limited, String(Math.ceil(2 * caps.cpu_s)), String(limits.buildPriority), ...node],
    options,
  );
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // The process has ended.
  }
}

/**
 * Thrown if a build fails for a reason outside the documentation, such as a full disk. `detail`: stack trace
 * of the build process.
 */
export class BuildFailed extends Error {
  readonly detail: string;
  /** Code of the system error that it failed with, such as `ENOSPC`. */
  readonly code: string | undefined;
  constructor(message: string, detail: string, code?: string) {
    super(message);
    this.detail = detail;
    this.code = code;
  }
}

/**
 * Thrown if the process ended without a response: it crashed, exceeded a limit or stopped responding. `page`
 * is the page that it was reading. Undefined if it wasn't reading a page or must not be restarted. `detail`
 * is the end of its error output.
 */
export class BuildEnded extends BuildFailed {
  readonly page: string | undefined;
  /** Whether another process killed this one. */
  readonly isFromOutside: boolean;
  /** Whether the process must not be started again. */
  readonly isFinal: boolean;
  constructor(
    message: string,
    page: string | undefined,
    detail = "",
    { isFromOutside = false, isFinal = false } = {},
  ) {
    super(message, detail);
    this.page = page;
    this.isFromOutside = isFromOutside;
    this.isFinal = isFinal;
  }
}

/**
 * Thrown if a build was killed from outside several times. The documentation isn't to blame, so the job can
 * be tried again.
 */
export class BuildKilled extends BuildFailed {}
