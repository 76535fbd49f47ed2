/** Limits how many reads with keys run at a time, so that changes, sites, and probes have connections. */

import { AppError } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";

export class ReadQueue {
  private running = 0;
  private waiting = 0;
  /** Functions that start the waiting reads, by organization. The one with the next turn is first. */
  private readonly queues = new Map<string, (() => void)[]>();

  /**
   * Runs a read. If others run, waits for a turn of its organization. Throws an AppError if too many wait.
   * `caller`: ID of the organization, or a name for callers without one.
   */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    if (this.running < limits.apiReads.running) this.running++;
    else await this.turnOf(caller);

    try {
      return await read();
    } finally {
      this.startNext();
    }
  }

  private turnOf(caller: string): Promise<void> {
    const queue = this.queues.get(caller) ?? [];
    if (this.waiting >= limits.apiReads.waiting || queue.length >= limits.apiReads.waitingOfCaller)
      throw new AppError("rate-limited", "Too many requests are waiting. Try again later.", {
        retryAfter_s: limits.apiReads.retryAfter_s,
      });

    this.waiting++;
    this.queues.set(caller, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Passes the place of a read that has ended to the next one. */
  private startNext(): void {
    const next = this.queues.entries().next().value;
    if (!next) {
      this.running--;
      return;
    }

    const [caller, queue] = next;
    const start = queue.shift()!;
    this.waiting--;
    this.queues.delete(caller);
    if (queue.length > 0) this.queues.set(caller, queue);
    start();
  }
}
