/** Matches ASCII text with a form of a regular expression that is compiled and matched faster. */

import { isAscii } from "../../base/is-ascii.ts";

/** The last text, since scanners search the same line with many regular expressions. */
let lastText = "";
let isLastAscii = true;

function isAsciiLine(text: string): boolean {
  if (text !== lastText) {
    lastText = text;
    isLastAscii = isAscii(text);
  }
  return isLastAscii;
}

/**
 * A regular expression that has a form for ASCII text. Only `exec` may be used. Shiki requires an instance of
 * `RegExp`.
 */
export class AsciiRegExp extends RegExp {
  /** Shiki reads the options of `EmulatedRegExp`. */
  readonly rawOptions: object | undefined;
  private readonly forAscii: RegExp;
  private readonly createForAny: () => RegExp;
  private forAny: RegExp | undefined;

  /** `createForAny`: creates the form for other text. It has the same matches in ASCII text. */
  constructor(forAscii: RegExp, createForAny: () => RegExp, rawOptions?: object) {
    super("", forAscii.flags);
    this.forAscii = forAscii;
    this.createForAny = createForAny;
    this.rawOptions = rawOptions;
  }

  override exec(text: string): RegExpExecArray | null {
    const form = isAsciiLine(text) ? this.forAscii : (this.forAny ??= this.createForAny());
    form.lastIndex = this.lastIndex;
    const match = form.exec(text);
    this.lastIndex = form.lastIndex;
    return match;
  }
}
