/** The code is beyond the evaluator: the sandbox has to run it. */
export class NeedsJavaScript extends Error {}

/** The code cannot work, in the sandbox neither. */
export class Failed extends Error {}

/** Nothing of this name exists where an expression of a document names it. */
export class UndefinedName extends Error {
  constructor(readonly identifier: string) {
    super(`Nothing is called \`${identifier}\` here.`);
  }
}
