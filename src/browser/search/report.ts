/** Tells the site's host what was searched for and what was opened: a search counts once it stands, not at each key. */

/** A search stands when no key came for so long. */
const settled_ms = 1_000;

type SearchEvent = { type: "search"; query: string; results_count: number } | { type: "search-click"; query: string; path: string };

export class SearchReport {
  private readonly address: string | undefined;
  private waiting: { query: string; results_count: number } | undefined;
  private told = "";
  private timer = 0;

  /** Without an address nobody counts. From disk there is nobody either. */
  constructor(address: string | undefined) {
    this.address = location.protocol === "file:" ? undefined : address;
  }

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
    this.send([{ type: "search", ...this.waiting }]);
    this.waiting = undefined;
  }

  clicked(query: string, path: string): void {
    this.settle();
    this.send([{ type: "search-click", query, path }]);
  }

  private send(events: SearchEvent[]): void {
    if (this.address === undefined) return;
    const body = JSON.stringify({ events });
    // The page may be left in the same moment.
    void fetch(this.address, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive: true }).catch(
      () => undefined,
    );
  }
}
