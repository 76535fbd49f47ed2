/** Errors that are thrown while author code is evaluated. */

/** Thrown for code that the evaluator doesn't support. The sandbox runs such code instead, if it can. */
export class NeedsJavaScript extends Error {}

/** Thrown if author code fails. The code is not run again in the sandbox. */
export class Failed extends Error {}

/** Thrown when code uses a name that is not defined. */
export class UndefinedName extends Error {
  constructor(readonly identifier: string) {
    super(`\`${identifier}\` isn't defined.`);
  }
}
