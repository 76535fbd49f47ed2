/**
 * Tracks the progress of a running export. Each message from the build updates the progress, which is saved
 * periodically.
 */

import type { Progress } from "./export-job.ts";

/** Time between two saves of an export's progress. */
const exportProgress_ms = 1_000;

/** Progress when all pages are read. */
const read_percent = 40;
/** Progress when all files are written. */
const written_percent = 90;
/** Progress when the bundle is stored. */
const stored_percent = 98;

export class ProgressSaver {
  private current: Progress = { percent: 0, pages: 0, totalPages: null };
  private saved = this.current;
  private saving: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  /**
   * `save` resolves with false if another attempt has taken the job or the job has ended. `lost` is then
   * called.
   */
  constructor(save: (progress: Progress) => Promise<boolean>, lost: () => void) {
    this.timer = setInterval(() => {
      if (this.saving || this.current === this.saved) return;
      const progress = this.current;
      this.saving = save(progress)
        .then((isOurs) => {
          this.saved = progress;
          if (!isOurs) lost();
        })
        // After an error, the progress is saved again at the next interval.
        .catch(() => {})
        .finally(() => {
          this.saving = undefined;
        });
    }, exportProgress_ms);
  }

  reading(done: number, total: number): void {
    this.at((read_percent * done) / Math.max(total, 1));
  }

  writing(done: number, total: number): void {
    this.at(read_percent + ((written_percent - read_percent) * done) / Math.max(total, 1));
  }

  pages(pages: number, totalPages: number): void {
    this.current = { ...this.current, pages, totalPages };
  }

  stored(): void {
    this.at(stored_percent);
  }

  get pagesWritten(): number {
    return this.current.pages;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.saving;
  }

  private at(percent: number): void {
    this.current = {
      ...this.current,
      percent: Math.max(this.current.percent, Math.round(percent * 10) / 10),
    };
  }
}
