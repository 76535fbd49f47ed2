/** The input of the functions that convert a page's text. */

import type { TextEdits } from "./text-edits.ts";

export interface BodyContext {
  /** Number of lines before the text in its file. */
  linesBefore: number;
  /** Whether braces and `<` are plain text, because the source isn't MDX. */
  isPlainMarkdown: boolean;
  /** The URL in the new site of a link or image. Unchanged if it doesn't point into the old site. */
  linkTo(url: string): string;
  /** The module of an import: the URL of an asset, the path of a moved Markdown file, or undefined. */
  importOf(source: string): { asset: string } | { snippet: string } | undefined;
  report(line: number, message: string, hint: string): void;
}

/** A pass over a text. `masked` is the text without code and comments; its offsets are the same. */
export interface BodyPass extends BodyContext {
  masked: string;
  edits: TextEdits;
  lineOf(offset: number): number;
}
