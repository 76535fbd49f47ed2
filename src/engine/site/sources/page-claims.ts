/** Divides the pages of a build among threads. */

/**
 * Claims pages for one thread in a table that all threads of a build share. For each page, the table contains
 * 0, or 1 plus the number of the thread that has claimed it. Each thread starts with other pages, since
 * neighboring pages often share schemas, and the thread caches them.
 */
export class PageClaims {
  private readonly table: Int32Array;
  private readonly thread: number;
  /** Index of the page that the thread tries next, and the distance to the one after it. */
  private at: number;
  private readonly step: 1 | -1;
  private left_count: number;

  /** `thread`: number of the thread, from 0 (the main thread) to `threads_count - 1`. */
  constructor(table: Int32Array, thread: number, threads_count: number) {
    this.table = table;
    this.thread = thread;
    this.left_count = table.length;
    // The main thread needs the pages in order. Each of the other threads starts at the end of its part of
    // the pages, so with two threads, each compiles neighboring pages until they meet.
    this.step = thread === 0 ? 1 : -1;
    this.at = thread === 0 ? 0 : Math.floor(((thread + 1) * table.length) / threads_count) - 1;
  }

  /** Claims a page unless a thread has claimed it. Returns the number of the thread that has claimed it. */
  claim(index: number): number {
    const before = Atomics.compareExchange(this.table, index, 0, this.thread + 1);
    return before === 0 ? this.thread : before - 1;
  }

  /** Claims any page. Returns its index, or undefined if all pages are claimed. */
  next(): number | undefined {
    for (; this.left_count > 0; this.left_count--) {
      const index = this.at;
      this.at = (index + this.step + this.table.length) % this.table.length;
      if (Atomics.compareExchange(this.table, index, 0, this.thread + 1) === 0) return index;
    }
    return undefined;
  }
}
