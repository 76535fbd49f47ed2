/** Types of the input of functions that convert a page's text. */

import type { TextEdits } from "./text-edits.ts";

export interface BodyContext {
  /** Number of lines that precede the text in its file. */
  linesBefore: number;
  /** Whether braces and `<` are plain text, because the source isn't MDX. */
  isPlainMarkdown: boolean;
  /**
   * Returns the new URL of a link or image. A URL that doesn't point to an imported page or file is
   * unchanged, except that `pathname://` is removed.
   */
  linkTo(url: string): string;
  /**
   * Resolves an import to the new URL of an asset or the new path of a Markdown file. Undefined for other
   * modules.
   */
  importOf(source: string): { asset: string } | { snippet: string } | undefined;
  report(line: number, message: string, hint: string): void;
}

/**
 * A pass over a text. `masked` is the text with spaces instead of code and comments, so offsets are the same.
 */
export interface BodyPass extends BodyContext {
  masked: string;
  edits: TextEdits;
  lineOf(offset: number): number;
}
