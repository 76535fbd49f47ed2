/** Compresses data as gzip in a worker thread, while the main thread generates more. */

import { Worker } from "node:worker_threads";

/** Size of the thread's queue in bytes at which the caller waits. */
const queue_bytes = 8_000_000;
/**
 * Size in bytes of the pieces that the compressor receives. A different size changes the compressed bytes.
 */
const piece_bytes = 128 * 1024;
/** Size of the thread's heap for short-lived objects. */
const youngHeap_mb = 8;

/** A message to the thread: the next piece of a gzip member. */
export interface GzipPiece {
  bytes: Uint8Array;
  isLast: boolean;
}

/** A message from the thread: the output for one piece. */
export interface GzipOutput {
  parts: Uint8Array[];
  isLast: boolean;
}

type OnPart = (part: Uint8Array, isLast: boolean) => void;

export class GzipThread {
  private readonly module: string;
  private worker: Worker | undefined;
  /** Callbacks of the members that aren't complete, in order. */
  private readonly members: OnPart[] = [];
  /** Sizes of the pieces that the thread hasn't compressed. */
  private readonly queued: number[] = [];
  private queued_bytes = 0;
  private failure: { error: unknown } | undefined;
  private waiting: { until_bytes: number; resolve(): void; reject(error: unknown): void } | undefined;

  /** `module`: path of the thread's script. The thread starts with the first call of `compress`. */
  constructor(module: string) {
    this.module = module;
  }

  /**
   * Compresses data, which can't be empty, as one gzip member, which is passed to `onPart`. Members are
   * completed in the order of the calls. Resolves when the queue has room, usually before the member is
   * complete. Rejects if the thread or a call of `onPart` failed.
   */
  async compress(data: readonly Uint8Array[], onPart: OnPart): Promise<void> {
    this.members.push(onPart);
    let piece = new Uint8Array(piece_bytes);
    let filled = 0;
    for (const bytes of data)
      for (let from = 0; from < bytes.length; ) {
        if (filled === piece_bytes) {
          await this.push(piece, false);
          piece = new Uint8Array(piece_bytes);
          filled = 0;
        }
        const part = bytes.subarray(from, from + piece_bytes - filled);
        piece.set(part, filled);
        from += part.length;
        filled += part.length;
      }

    await this.push(piece.slice(0, filled), true);
  }

  /** Resolves when all members are complete. Rejects if the thread or a call of `onPart` failed. */
  idle(): Promise<void> {
    return this.until(0);
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private push(bytes: Uint8Array, isLast: boolean): Promise<void> {
    this.worker ??= this.start();
    this.queued.push(bytes.length);
    this.queued_bytes += bytes.length;
    this.worker.postMessage({ bytes, isLast } satisfies GzipPiece, [bytes.buffer as ArrayBuffer]);
    return this.until(queue_bytes);
  }

  private start(): Worker {
    const worker = new Worker(this.module, { resourceLimits: { maxYoungGenerationSizeMb: youngHeap_mb } });
    worker.on("message", ({ parts, isLast }: GzipOutput) => {
      try {
        this.receive(parts, isLast);
      } catch (error) {
        this.fail(error);
      }
    });
    worker.on("error", (error) => this.fail(error));
    return worker;
  }

  private receive(parts: readonly Uint8Array[], isLast: boolean): void {
    for (const [index, part] of parts.entries()) this.members[0]!(part, isLast && index === parts.length - 1);
    if (isLast) this.members.shift();
    this.queued_bytes -= this.queued.shift()!;
    if (!this.waiting || this.queued_bytes > this.waiting.until_bytes) return;
    this.waiting.resolve();
    this.waiting = undefined;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  /** Resolves when the queue has at most this size. */
  private async until(bytes: number): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (this.queued_bytes <= bytes) return;
    await new Promise<void>((resolve, reject) => {
      this.waiting = { until_bytes: bytes, resolve, reject };
    });
  }
}
