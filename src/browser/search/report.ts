/** Tells the site's host what was searched for and what was opened: a search counts once it stands, not at each key. */
import { count } from "../counting.ts";

/** A search stands when no key came for so long. */
const settled_ms = 1_000;

export class SearchReport {
  private waiting: { query: string; results_count: number } | undefined;
  private told = "";
  private timer = 0;

  /** What is shown for the text as it stands. */
  shown(query: string, results_count: number): void {
    clearTimeout(this.timer);
    this.waiting = query && query !== this.told ? { query, results_count } : undefined;
    this.timer = window.setTimeout(() => this.settle(), settled_ms);
  }

  settle(): void {
    clearTimeout(this.timer);
    if (!this.waiting) return;
    this.told = this.waiting.query;
    count({ type: "search", ...this.waiting });
    this.waiting = undefined;
  }

  clicked(query: string, path: string): void {
    this.settle();
    count({ type: "search-click", query, path });
  }
}
