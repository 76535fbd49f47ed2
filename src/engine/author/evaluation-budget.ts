import { limits } from "../../base/limits.ts";

/**
 * Maximum number of evaluation steps for a document: a constant, and more for each character of its text up
 * to a limit. Nested templates multiply the number of steps, so a short text that takes many steps is
 * probably an attack.
 */
const evaluationSteps_count = 500_000;
const stepsPerChar = 40;
const mostSteps_count = 20_000_000;

/** Thrown when a document exceeds its evaluation limits. */
export class TooMuchWork extends Error {
  constructor() {
    super("The components on this page expand to too much content.");
  }
}

/** Number of characters of text that are charged as one step. */
const charsPerStep = 10;

/** Limits the number of evaluation steps and the nesting depth of a document. */
export class EvaluationBudget {
  private stepsLeft: number;
  private depth = 0;

  constructor(text_chars: number) {
    this.stepsLeft = Math.min(mostSteps_count, evaluationSteps_count + text_chars * stepsPerChar);
  }

  /** Throws `TooMuchWork` if the steps exceed the limit. */
  charge(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new TooMuchWork();
  }

  /**
   * Charges for the length of a text, so that code that repeatedly doubles a text reaches the limit. Short
   * texts are free.
   */
  chargeText(text: string): void {
    this.charge(Math.floor(text.length / charsPerStep));
  }

  /** Runs `work` one level deeper. Throws `TooMuchWork` at the maximum depth. */
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
