/** The evaluator doesn't support the code; the sandbox must run it. */
export class NeedsJavaScript extends Error {}

/** The code fails, in the evaluator as well as in the sandbox. */
export class Failed extends Error {}

/** An expression uses a name that is not defined. */
export class UndefinedName extends Error {
  constructor(readonly identifier: string) {
    super(`Nothing is called \`${identifier}\` here.`);
  }
}
