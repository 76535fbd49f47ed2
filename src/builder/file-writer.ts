/** Writes files, if wanted in the background, while the main thread generates others. Creating a file takes longer than generating a page. */

import { writeFile, writeFileSync } from "node:fs";

/** Maximum number of files, and of their bytes, that wait to be written. */
const waiting_count = 64;
const waiting_bytes = 8_000_000;

export class FileWriter {
  private readonly isBackground: boolean;
  private count = 0;
  private bytes = 0;
  private failure: { error: unknown } | undefined;
  private wake = () => {};

  /** `isBackground`: whether other threads write the files. They need about a tenth more CPU time for a build than the main thread. */
  constructor(isBackground: boolean) {
    this.isBackground = isBackground;
  }

  /**
   * Writes a file, or starts to write it in the background with a copy of the bytes, and resolves when few files wait. Rejects if a file
   * couldn't be written.
   */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    if (!this.isBackground) return writeFileSync(file, bytes);
    if (this.failure) throw this.failure.error;
    const copy = Buffer.from(bytes);
    this.count++;
    this.bytes += copy.length;
    writeFile(file, copy, (error) => {
      if (error) this.failure ??= { error };
      this.count--;
      this.bytes -= copy.length;
      this.wake();
    });
    await this.until(() => this.count < waiting_count && this.bytes < waiting_bytes);
  }

  /** Resolves when no file is being written. Rejects if one couldn't be written. */
  async idle(): Promise<void> {
    await this.until(() => this.count === 0);
    if (this.failure) throw this.failure.error;
  }

  private async until(isReached: () => boolean): Promise<void> {
    while (!isReached())
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
  }
}
