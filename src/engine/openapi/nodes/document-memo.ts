/** Memoizes values derived from nodes of a document, since many pages show the same schemas. */

import type { Refs } from "./refs.ts";

interface MemoEntry<T> {
  value: T;
  /**
   * Pointers that were looked up to create the value. Everything that uses the value depends on these nodes.
   */
  visited: ReadonlySet<string>;
}

/**
 * Memoizes values by document and key. Only memoizes values if `refs` tracks its lookups (`refs.visited`).
 */
export class DocumentMemo<T> {
  private readonly byDocument = new WeakMap<object, Map<string, MemoEntry<T>>>();
  private readonly most: number;

  /**
   * `most`: maximum number of values per document. Before it would be exceeded, all values of the document
   * are dropped.
   */
  constructor(most: number) {
    this.most = most;
  }

  /** Returns the value of a key. If the value isn't memoized, creates it with `make`. */
  get(refs: Refs, key: string, make: () => T): T {
    // Without tracking, the document can be a part that is still being loaded, so nothing is memoized.
    const { visited } = refs;
    if (!visited) return make();
    let memoized = this.byDocument.get(refs.root);
    if (!memoized) this.byDocument.set(refs.root, (memoized = new Map()));

    let entry = memoized.get(key);
    if (!entry) {
      const own = new Set<string>();
      refs.visited = own;
      try {
        entry = { value: make(), visited: own };
      } finally {
        refs.visited = visited;
      }
      if (memoized.size >= this.most) memoized.clear();
      memoized.set(key, entry);
    }

    for (const pointer of entry.visited) visited.add(pointer);
    return entry.value;
  }
}
