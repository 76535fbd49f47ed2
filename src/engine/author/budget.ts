import { limits } from "../../base/limits.ts";

/** Steps of the evaluator for one page: bounds work that nested templates multiply. */
const evaluation_steps = 500_000;

/** The page exceeds the evaluation limits of a page. */
export class TooMuchWork extends Error {
  constructor() {
    super("The components of this page expand to too much.");
  }
}

const charsPerStep = 10;

/** Limits the evaluation steps and the nesting of one document. */
export class EvaluationBudget {
  private stepsLeft: number = evaluation_steps;
  private depth = 0;

  charge(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new TooMuchWork();
  }

  /** Charges for a text that was built from other texts, so that repeated doubling hits the limit. */
  chargeText(text: string): void {
    this.charge(Math.floor(text.length / charsPerStep));
  }

  /** Runs `work` one level deeper. The limit is far below the depth that would overflow the stack. */
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
