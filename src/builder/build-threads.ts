/** Starts the threads of a build that compile pages at the same time as the main thread. */

import { Worker } from "node:worker_threads";
import type { Store } from "../engine/incremental/store.ts";
import type { BuildOptions } from "../engine/site/build-options.ts";
import type { StoreValue } from "../engine/site/compile-in-thread.ts";
import { PageClaims, type PageThreads } from "../engine/site/page-claims.ts";

/**
 * Size of a thread's stack in megabytes. Node reserves 0.19 MB of it, so JavaScript can use as much as in the main thread. Otherwise, a
 * deeply nested page would have a different result.
 */
const stack_mb = 1.15;

/** Number of pages after which the event loop runs. Node releases the memory of the native MDX parser only then. */
export const pagesPerTurn_count = 32;

/** Minimum number of pages to compile for which a second thread saves time. */
const fewestPages_count = 200;

/** Everything that a thread needs to compile pages like the main thread. */
export interface ThreadData extends Pick<BuildOptions, "generator" | "fetched" | "origin" | "hasSignIn"> {
  folder: string;
  isLasting: boolean;
  /** The table of `PageClaims`. */
  table: Int32Array;
  thread: number;
  threads_count: number;
}

/** A message from a thread: a compiled page. */
export interface ThreadPage {
  index: number;
  values: StoreValue[];
}

export interface BuildThreadsOptions {
  /** Path of the script of the threads. */
  module: string;
  /** Number of threads, including the main thread. */
  threads_count: number;
  /** Minimum number of pages to compile for which threads are started. Default: `fewestPages_count`. */
  pages_count?: number | undefined;
}

export class BuildThreads implements PageThreads {
  private readonly options: BuildThreadsOptions;
  private readonly data: Pick<ThreadData, "folder" | "generator" | "fetched" | "origin" | "hasSignIn">;
  private claims: PageClaims | undefined;
  /** The threads that are running, by their numbers. */
  private readonly workers = new Map<number, Worker>();
  private readonly compiled = new Set<number>();
  private wake = () => {};

  constructor(options: BuildThreadsOptions, data: BuildThreads["data"]) {
    this.options = options;
    this.data = data;
  }

  start(missing: readonly number[], pages_count: number, store: Store): boolean {
    const { module, threads_count, pages_count: fewest_count = fewestPages_count } = this.options;
    if (threads_count < 2 || missing.length < fewest_count) return false;
    const table = new Int32Array(new SharedArrayBuffer(4 * pages_count)).fill(1);
    for (const index of missing) table[index] = 0;
    this.claims = new PageClaims(table, 0, threads_count);
    for (let thread = 1; thread < threads_count; thread++) {
      const workerData: ThreadData = { ...this.data, isLasting: store.isLasting, table, thread, threads_count };
      this.run(thread, new Worker(module, { workerData, resourceLimits: { stackSizeMb: stack_mb } }), store);
    }
    return true;
  }

  take(index: number): boolean {
    return this.compiled.has(index) || !this.workers.has(this.claims!.claim(index));
  }

  next(): number | undefined {
    return this.claims!.next();
  }

  progress(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Ends the threads. */
  end(): void {
    for (const worker of this.workers.values()) void worker.terminate();
  }

  private run(thread: number, worker: Worker, store: Store): void {
    this.workers.set(thread, worker);
    worker.on("message", ({ index, values }: ThreadPage) => {
      for (const [name, key, value] of values) store.keep(name, key, value);
      this.compiled.add(index);
      this.wake();
    });
    // The main thread compiles the pages of a thread that has failed. If one of them is the reason, it fails there, too.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.workers.delete(thread);
      this.wake();
    });
  }
}
