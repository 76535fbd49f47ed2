/**
 * Starts the threads of a build, which compile and index pages and write files at the same time as the main
 * thread.
 */

import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import type { Store } from "../engine/incremental/store.ts";
import type { IndexedRun } from "../engine/search/index-segment.ts";
import type { BuildOptions } from "../engine/site/build-options.ts";
import type { ApiChanges } from "../engine/site/changes/change-list.ts";
import type { IndexTask, IndexThreads, PageThreads } from "../engine/site/other-threads.ts";
import type { FragmentTask } from "../engine/site/page.ts";
import type { StoreValue } from "../engine/site/pages/compile-in-thread.ts";
import { PageClaims } from "../engine/site/sources/page-claims.ts";
import type { FileThreads } from "./file-writer.ts";

/**
 * Size of a thread's stack in megabytes. Node reserves 0.19 MB of it, so JavaScript can use slightly less
 * than in the main thread, which then compiles a page that is nested too deeply. With more, the page would
 * have a different result.
 */
const stack_mb = 1.125;

/**
 * Number of pages after which the event loop runs. Node releases the memory of the native MDX parser only
 * then.
 */
export const pagesPerTurn_count = 32;

/**
 * Minimum number of pages to compile for which another thread saves time. With 200 pages and two threads, the
 * main thread uses 0.77 of the CPU time.
 */
const fewestPages_count = 200;

/** An OpenAPI document has about one operation, and so one page, in this many bytes. */
const operation_bytes = 5_000;

/**
 * Number of runs that a thread has received but not indexed. With one run, it would wait for the main thread.
 */
const runsAhead_count = 3;

/** Everything that a thread needs to compile pages like the main thread. */
export interface ThreadData extends Pick<BuildOptions, "generator" | "fetched" | "origin" | "hasSignIn"> {
  folder: string;
  /** Whether later builds can read the values. */
  isLasting: boolean;
  /** Number of the thread among `threads_count` threads. The main thread has number 0. */
  thread: number;
  threads_count: number;
}

/**
 * A message to a thread: first the table of `PageClaims` and the changes of the API, and then shared schemas
 * to compile, runs to index, and files to write.
 */
export type ThreadRequest =
  | { table: Int32Array; apiChanges: ApiChanges | undefined }
  | { fragments: readonly FragmentTask[] }
  | { run: Pick<IndexTask, "language" | "pages"> }
  | { file: { path: string; bytes: Uint8Array } };

/**
 * A message from a thread: the values of the page at an index or of shared schemas, an indexed run, or
 * whether a file was written.
 */
export type ThreadResponse =
  | ThreadPage
  | { fragments: StoreValue[] }
  | { run: IndexedRun }
  | { isWritten: boolean };

interface ThreadPage {
  index: number;
  values: StoreValue[];
}

export interface BuildThreadsOptions {
  /** Path of the script of the threads. */
  module: string;
  /** Number of threads, including the main thread. */
  threads_count: number;
  /** Minimum number of pages to compile for each other thread. Default: `fewestPages_count`. */
  pages_count?: number | undefined;
}

interface Thread {
  worker: Worker;
  hasEnded: boolean;
  /** Called when the thread has compiled its shared schemas, or has ended. */
  onFragments: () => void;
  /**
   * Receive the results of the runs that the thread has, in order. Without a result, the thread has ended.
   */
  waiting: ((run: IndexedRun | undefined) => void)[];
  /** Receive whether the files that the thread has are written, in order. */
  writing: ((isWritten: boolean) => void)[];
}

export class BuildThreads implements PageThreads, IndexThreads, FileThreads {
  private readonly options: BuildThreadsOptions;
  private readonly data: Omit<ThreadData, "thread" | "threads_count">;
  /** The threads that are running, by their numbers. */
  private readonly threads = new Map<number, Thread>();
  /** Number of threads that were started, including the main thread. */
  private started_count = 1;
  private store: Store | undefined;
  private claims: PageClaims | undefined;
  private readonly compiled = new Set<number>();
  private wake = () => {};

  constructor(options: BuildThreadsOptions, data: BuildThreads["data"]) {
    this.options = options;
    this.data = data;
  }

  get isRunning(): boolean {
    return this.threads.size > 0;
  }

  get count(): number {
    return this.threads.size;
  }

  /** Returns the number of threads, including the main thread, for a number of pages to compile. */
  private countFor(pages: number): number {
    const { threads_count, pages_count = fewestPages_count } = this.options;
    return Math.min(threads_count, 1 + Math.floor(pages / pages_count));
  }

  /**
   * Starts the threads of a build without a cache if its files probably have enough pages. The threads then
   * read the files at the same time as the main thread.
   */
  prepare(files: Files): void {
    const pages = files.paths.map((file) =>
      /\.mdx?$/.test(file) ? 1 : /\.(?:json|ya?ml)$/.test(file) ? files.size(file) / operation_bytes : 0,
    );
    this.run(this.countFor(pages.reduce<number>((sum, count) => sum + count, 0)));
  }

  start(
    missing: readonly number[],
    pages_count: number,
    store: Store,
    apiChanges: ApiChanges | undefined,
  ): boolean {
    const count = this.countFor(missing.length);
    if (count < 2) {
      this.end();
      return false;
    }
    if (!this.isRunning) this.run(count);
    const table = new Int32Array(new SharedArrayBuffer(4 * pages_count)).fill(1);
    for (const index of missing) table[index] = 0;
    this.claims = new PageClaims(table, 0, this.started_count);
    this.store = store;
    const request: ThreadRequest = { table, apiChanges };
    for (const { worker } of this.threads.values()) worker.postMessage(request);
    return true;
  }

  take(index: number): boolean {
    return this.compiled.has(index) || !this.threads.has(this.claims!.claim(index));
  }

  next(): number | undefined {
    return this.claims!.next();
  }

  progress(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  async compileFragments(tasks: readonly FragmentTask[]): Promise<void> {
    // Threads that haven't started to compile can't compile fragments.
    if (!this.claims || tasks.length === 0) return;
    const share = Math.ceil(tasks.length / this.count);
    await Promise.all(
      [...this.threads.values()].map((thread, number) => {
        const compiled = new Promise<void>((resolve) => {
          thread.onFragments = resolve;
        });
        const fragments = tasks.slice(number * share, (number + 1) * share);
        thread.worker.postMessage({ fragments } satisfies ThreadRequest);
        return compiled;
      }),
    );
  }

  async index(tasks: Iterator<IndexTask>): Promise<void> {
    const queues = [...this.threads.values()].flatMap((thread) =>
      Array<Thread>(runsAhead_count).fill(thread),
    );

    await Promise.all(
      queues.map(async (thread) => {
        const { worker, waiting } = thread;
        for (let next = tasks.next(); !next.done && !thread.hasEnded; next = tasks.next()) {
          const { language, pages, onIndexed } = next.value;
          worker.postMessage({ run: { language, pages } } satisfies ThreadRequest);
          const run = await new Promise<IndexedRun | undefined>((resolve) => waiting.push(resolve));
          if (!run) return;
          onIndexed(run);
        }
      }),
    );
  }

  write(path: string, bytes: Uint8Array): Promise<boolean> {
    const [first, ...others] = this.threads.values();
    const thread = others.reduce(
      (least, other) => (other.writing.length < least!.writing.length ? other : least),
      first,
    );
    if (!thread) return Promise.resolve(false);
    thread.worker.postMessage({ file: { path, bytes } } satisfies ThreadRequest);
    return new Promise((resolve) => thread.writing.push(resolve));
  }

  /** Ends the threads. */
  end(): void {
    for (const { worker } of this.threads.values()) void worker.terminate();
    this.threads.clear();
  }

  private run(threads_count: number): void {
    const { module } = this.options;
    this.started_count = threads_count;

    // The flag applies to threads that start after this.
    setFlagsFromString(`--initial-heap-size=${limits.threadInitialHeap_mb}`);

    for (let thread = 1; thread < threads_count; thread++) {
      const workerData: ThreadData = { ...this.data, thread, threads_count };
      const worker = new Worker(module, { workerData, resourceLimits: { stackSizeMb: stack_mb } });
      const running: Thread = { worker, hasEnded: false, onFragments: () => {}, waiting: [], writing: [] };
      const { waiting, writing } = running;
      this.threads.set(thread, running);
      worker.on("message", (response: ThreadResponse) => {
        if ("run" in response) waiting.shift()!(response.run);
        else if ("fragments" in response) {
          this.keep(response.fragments);
          running.onFragments();
        } else if ("isWritten" in response) writing.shift()!(response.isWritten);
        else this.add(response);
      });
      // The main thread compiles the pages of a thread that has failed. If one of them is the reason, it
      // fails there, too.
      worker.on("error", () => {});
      worker.on("exit", () => {
        running.hasEnded = true;
        this.threads.delete(thread);
        running.onFragments();
        for (const resolve of waiting) resolve(undefined);
        for (const resolve of writing) resolve(false);
        this.wake();
      });
    }
  }

  private keep(values: readonly StoreValue[]): void {
    for (const [name, key, value] of values) this.store!.keep(name, key, value);
  }

  private add({ index, values }: ThreadPage): void {
    this.keep(values);
    this.compiled.add(index);
    this.wake();
  }
}
