/** Limits how much work of a kind runs at a time. Organizations take turns. */

import { AppError } from "../../base/app-error.ts";

export interface TurnLimits {
  /** Maximum number that runs at a time, in total and of one caller. */
  running: number;
  runningOfCaller: number;
  /** Maximum number that waits, in total and of one caller. */
  waiting: number;
  waitingOfCaller: number;
  /** Seconds after which a caller that is refused may try again. */
  retryAfter_s: number;
}

export class TurnQueue {
  private readonly limits: TurnLimits;
  /** Number of running calls by caller. */
  private readonly running = new Map<string, number>();
  private runningCount = 0;
  private waiting = 0;
  /** Functions that start the waiting calls, by caller. The one with the next turn is first. */
  private readonly queues = new Map<string, (() => void)[]>();

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /**
   * Runs a function. If too many others run, waits for a turn of its caller. Throws an AppError if too many
   * wait. `caller`: ID of the organization, or a name for callers without one.
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const end = await this.take(caller);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Like `run`, for work that ends when the returned function is called for the first time. */
  async take(caller: string): Promise<() => void> {
    if (this.mayRun(caller)) this.count(caller, 1);
    else await this.turnOf(caller);

    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.count(caller, -1);
      this.startNext();
    };
  }

  private mayRun(caller: string): boolean {
    return (
      this.runningCount < this.limits.running && (this.running.get(caller) ?? 0) < this.limits.runningOfCaller
    );
  }

  private count(caller: string, change: number): void {
    this.runningCount += change;
    const count = (this.running.get(caller) ?? 0) + change;
    if (count > 0) this.running.set(caller, count);
    else this.running.delete(caller);
  }

  private turnOf(caller: string): Promise<void> {
    const queue = this.queues.get(caller) ?? [];
    if (this.waiting >= this.limits.waiting || queue.length >= this.limits.waitingOfCaller)
      throw new AppError("rate-limited", "Too many requests are waiting. Try again later.", {
        retryAfter_s: this.limits.retryAfter_s,
      });

    this.waiting++;
    this.queues.set(caller, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Passes the place of a call that has ended to the next one. */
  private startNext(): void {
    const caller = [...this.queues.keys()].find((waiting) => this.mayRun(waiting));
    if (caller === undefined) return;

    const queue = this.queues.get(caller)!;
    const start = queue.shift()!;
    this.waiting--;
    this.queues.delete(caller);
    if (queue.length > 0) this.queues.set(caller, queue);
    this.count(caller, 1);
    start();
  }
}
