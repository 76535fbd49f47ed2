/** What the public sees of a running export: gathered as often as the build speaks, saved once in a while. */
import { limits } from "../../base/limits.ts";
import type { Progress } from "./export-job.ts";

/** Shares of the whole: reading pages, writing files, and bringing the bundle away. */
const read_percent = 40;
const written_percent = 90;
const stored_percent = 98;

export class ProgressKeeper {
  private current: Progress = { percent: 0, pages: 0, totalPages: null };
  private saved = this.current;
  private saving: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  /** `save` answers whether the job is still ours; `lost` is called when it is not. */
  constructor(save: (progress: Progress) => Promise<boolean>, lost: () => void) {
    this.timer = setInterval(() => {
      if (this.saving || this.current === this.saved) return;
      const progress = this.current;
      this.saving = save(progress)
        .then((isOurs) => {
          this.saved = progress;
          if (!isOurs) lost();
        })
        // The next one tries again.
        .catch(() => {})
        .finally(() => {
          this.saving = undefined;
        });
    }, limits.exportProgress_ms);
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
    this.current = { ...this.current, percent: Math.max(this.current.percent, Math.round(percent * 10) / 10) };
  }
}
