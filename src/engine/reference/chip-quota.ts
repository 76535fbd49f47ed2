/** Counts the chips for enum values on a page or in a part of it. */
export class ChipQuota {
  /** Remaining number of chips. Can become negative. */
  left: number;
  private readonly initial: number;
  /** Initial numbers of chips for which `fits` returns the same results. */
  private least = Number.NEGATIVE_INFINITY;
  private most = Number.POSITIVE_INFINITY;

  constructor(initial: number) {
    this.initial = initial;
    this.left = initial;
  }

  get used(): number {
    return this.initial - this.left;
  }

  /** Whether `count` more chips can be shown. */
  fits(count: number): boolean {
    const needed = this.used + count;
    const result = this.left >= count;
    if (result) this.least = Math.max(this.least, needed);
    else this.most = Math.min(this.most, needed - 1);
    return result;
  }

  use(count: number): void {
    this.left -= count;
  }

  /** Whether the same chips would be shown with another initial number of chips. */
  suits(initial: number): boolean {
    return initial >= this.least && initial <= this.most;
  }
}
