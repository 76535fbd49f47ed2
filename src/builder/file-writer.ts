/** Writes files, by threads if some are running. Creating a file can take as long as generating a page. */

import { writeFileSync } from "node:fs";

/** Threads that write files. */
export interface FileThreads {
  readonly isRunning: boolean;
  /** Resolves when a thread has written a file. Resolves with false if it couldn't, or has ended. `bytes`: in memory that threads can share. */
  write(file: string, bytes: Uint8Array): Promise<boolean>;
}

/** Maximum number of files, and of their bytes, that wait to be written. */
const waiting_count = 256;
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
   * Writes a file, or gives a copy of the bytes to a thread, and resolves when few files wait. Rejects if a file couldn't be written.
   */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (!this.threads?.isRunning) return writeFileSync(file, bytes);
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    void this.writeInThread(this.threads, file, copy);
    await this.until(() => this.count < waiting_count && this.bytes < waiting_bytes);
  }

  /** Resolves when no file is being written. Rejects if one couldn't be written. */
  async idle(): Promise<void> {
    await this.until(() => this.count === 0);
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

  private async until(isReached: () => boolean): Promise<void> {
    while (!isReached())
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
  }
}
