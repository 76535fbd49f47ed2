/** Compiles pages of a site in a thread other than that of the build. */

import type { Files } from "../../../base/files.ts";
import { bytesOfValue, type Store } from "../../incremental/store.ts";
import type { BuildOptions } from "../build-options.ts";
import type { ApiChanges } from "../changes/change-list.ts";
import type { FragmentTask } from "../page.ts";
import type { PageClaims } from "../sources/page-claims.ts";
import { readSources } from "../sources/read-sources.ts";
import { createCompileContext } from "./compile-context.ts";
import { compileFragment } from "./compile-fragments.ts";
import { compileClaimedPages } from "./compile-pages.ts";
import { PageBodies } from "./page-bodies.ts";

/** A value for the store of the build, with its name and its key. */
export type StoreValue = [name: string, key: string, value: Uint8Array];

interface ThreadOptions extends Omit<BuildOptions, "store" | "onPage" | "threads"> {
  /** Whether later builds can read the values. */
  isLasting: boolean;
  /** Resolves with the changes of the API that the main thread has read. */
  apiChanges(): Promise<ApiChanges | undefined>;
  /**
   * Resolves with the claims of the thread. Undefined if the main thread doesn't have this number of pages.
   */
  claimsOf(pages_count: number): Promise<PageClaims | undefined>;
  /**
   * Receives the values of the page at an index. Without values, the main thread compiles the page: its
   * result depends on a limit of time or memory, or on the size of the stack.
   */
  send(index: number, values: StoreValue[]): Promise<void>;
}

/**
 * Compiles pages until all are claimed. Resolves with a function that compiles shared schemas and returns
 * their values.
 */
export async function compileInThread(
  files: Files,
  { isLasting, apiChanges, claimsOf, send, ...options }: ThreadOptions,
): Promise<(tasks: readonly FragmentTask[]) => StoreValue[]> {
  // The main thread reports the problems.
  const sources = await readSources(files, { ...options, checksDocuments: false });
  if (sources.changes) sources.changes.apiChanges = await apiChanges();
  const store = new SentValues();
  const { context } = await createCompileContext(sources, store, options);

  // Values that no later build reads need no dependencies.
  if (!isLasting) Object.assign(context, { hashOf: undefined, keepHighlightedCode: () => {} });
  const bodies = new PageBodies(store);
  for await (const { index, hasFailed } of compileClaimedPages(sources, context, bodies, claimsOf)) {
    const values = store.take();
    await send(index, hasFailed ? [] : values);
  }

  return (tasks) => {
    for (const task of tasks) compileFragment(task, context, bodies);
    return store.take();
  };
}

/** Collects the values of a page. */
class SentValues implements Store {
  readonly isLasting = true;
  private values: StoreValue[] = [];

  has(): boolean {
    return false;
  }

  get(): undefined {
    return undefined;
  }

  keep(name: string, key: string, value: string | Uint8Array | readonly Uint8Array[]): void {
    this.values.push([name, key, bytesOfValue(value)]);
  }

  /** Returns the values that were added since the last call. */
  take(): StoreValue[] {
    const { values } = this;
    this.values = [];
    return values;
  }
}
