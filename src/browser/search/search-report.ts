/** Reports searches and opened results to analytics. A search is sent once the reader stops typing. */

import { reportEvent } from "../analytics-events.ts";

/**
 * Time between showing the results of a search and reporting the search. A newer search replaces one that
 * hasn't been reported yet.
 */
const settled_ms = 1_000;

export class SearchReport {
  private waiting: { query: string; results_count: number } | undefined;
  private sent = "";
  private timer = 0;

  /**
   * Reports a search after `settled_ms`, unless a newer one replaces it. Call this for each list of results
   * that is shown.
   */
  shown(query: string, results_count: number): void {
    clearTimeout(this.timer);
    this.waiting = query && query !== this.sent ? { query, results_count } : undefined;
    this.timer = window.setTimeout(() => this.settle(), settled_ms);
  }

  /** Reports the pending search now, if there is one. */
  settle(): void {
    clearTimeout(this.timer);
    if (!this.waiting) return;
    this.sent = this.waiting.query;
    reportEvent({ type: "search", ...this.waiting });
    this.waiting = undefined;
  }

  /** Reports an opened result, after the pending search if there is one. */
  clicked(query: string, path: string): void {
    this.settle();
    reportEvent({ type: "search-click", query, path });
  }
}
