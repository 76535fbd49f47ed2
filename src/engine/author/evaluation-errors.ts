/** Defines the errors that are thrown while author code is evaluated. */

/** Thrown for code that the evaluator doesn't support. If possible, the sandbox runs the code instead. */
export class NeedsJavaScript extends Error {}

/** Thrown when author code fails. The sandbox doesn't run the code again. The message is for the author. */
export class AuthorCodeFailed extends Error {}

/** Thrown when code uses a name that is not defined. */
export class UndefinedName extends Error {
  constructor(readonly identifier: string) {
    super(`\`${identifier}\` isn't defined.`);
  }
}
