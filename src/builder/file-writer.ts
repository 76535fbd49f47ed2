/** Writes files, by threads if some are running. Creating a file can take as long as generating a page. */

import { writeFileSync } from "node:fs";

/** Threads that write files. */
export interface FileThreads {
  readonly isRunning: boolean;
  /**
   * Resolves when a thread has written a file. Resolves with false if it couldn't, or has ended. `bytes`: in
   * memory that threads can share.
   */
  write(file: string, bytes: Uint8Array): Promise<boolean>;
}

/** Maximum number of files, and of their bytes, that wait to be written. */
const waiting_count = 512;
const waiting_bytes = 8_000_000;

export class FileWriter {
  private readonly threads: FileThreads | undefined;
  private count = 0;
  private bytes = 0;
  private failure: { error: unknown } | undefined;
  private wake = () => {};

  constructor(threads?: FileThreads) {
    this.threads = threads;
  }

  /**
   * Gives a copy of the bytes to a thread, or writes them if no thread is running or many files wait. Throws
   * if a file couldn't be written.
   */
  write(file: string, bytes: Uint8Array): void {
    if (this.failure) throw this.failure.error;
    const isFull = this.count === waiting_count || this.bytes >= waiting_bytes;
    if (isFull || !this.threads?.isRunning) return writeFileSync(file, bytes);
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    void this.writeInThread(this.threads, file, copy);
  }

  /** Resolves when no file is being written. Rejects if one couldn't be written. */
  async idle(): Promise<void> {
    while (this.count > 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.failure) throw this.failure.error;
  }

  private async writeInThread(threads: FileThreads, file: string, bytes: Uint8Array): Promise<void> {
    this.count++;
    this.bytes += bytes.length;
    try {
      // The error of this thread says more than that of another thread.
      if (!(await threads.write(file, bytes))) writeFileSync(file, bytes);
    } catch (error) {
      this.failure ??= { error };
    }
    this.count--;
    this.bytes -= bytes.length;
    this.wake();
  }
}
