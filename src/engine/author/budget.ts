import { limits } from "../../base/limits.ts";

/** The page asks for more work than one page may. */
export class TooMuchWork extends Error {
  constructor() {
    super("The components of this page expand to too much.");
  }
}

const charsPerStep = 10;

/** The work that one document may cause, and how deep it may go. */
export class Budget {
  private stepsLeft: number = limits.evaluation_steps;
  private depth = 0;

  charge(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new TooMuchWork();
  }

  /** Pays for text that is made of other text: doubling it soon costs more than a page may. */
  chargeText(text: string): void {
    this.charge(Math.floor(text.length / charsPerStep));
  }

  /** Runs one level deeper. The limit lies far below the depth at which the stack would end. */
  deeper<T>(work: () => T): T {
    if (this.depth >= limits.nesting_levels) throw new TooMuchWork();
    this.depth++;
    try {
      return work();
    } finally {
      this.depth--;
    }
  }
}
