/** The other threads of a build, which work at the same time as the main thread. */

import type { Store } from "../incremental/store.ts";
import type { IndexedPage, IndexedRun } from "../search/index-segment.ts";
import type { ApiChanges } from "./changes/change-list.ts";
import type { FragmentTask } from "./page.ts";

/** Threads that compile pages. The pages that they have compiled are in the store of the build. */
export interface PageThreads {
  /** Number of other threads that are running. */
  readonly count: number;
  /**
   * Starts the threads if enough pages have to be compiled. Returns whether they are started. `missing`:
   * indexes of these pages, among `pages_count` pages. `store`: receives the values of compiled pages.
   * `apiChanges`: see `ChangesOfApi`.
   */
  start(
    missing: readonly number[],
    pages_count: number,
    store: Store,
    apiChanges: ApiChanges | undefined,
  ): boolean;
  /** Claims a page for the main thread. Returns false if another thread is compiling it. */
  take(index: number): boolean;
  /** Claims any page for the main thread. Returns its index, or undefined if all pages are claimed. */
  next(): number | undefined;
  /** Resolves when another thread has compiled a page, or has ended. */
  progress(): Promise<void>;
  /**
   * Compiles shared schemas. Resolves when they are in the store, except for those of a thread that has
   * ended.
   */
  compileFragments(tasks: readonly FragmentTask[]): Promise<void>;
}

/** A run of pages to index. */
export interface IndexTask {
  language: string;
  pages: readonly IndexedPage[];
  onIndexed(run: IndexedRun): void;
}

/** Threads that index pages for the search. */
export interface IndexThreads {
  /**
   * Indexes runs of pages. Resolves when no thread is indexing one of them. If the threads end, the other
   * runs aren't indexed.
   */
  index(tasks: Iterator<IndexTask>): Promise<void>;
}
