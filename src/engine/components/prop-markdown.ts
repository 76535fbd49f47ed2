import { isContentElement, type PropValue } from "../content.ts";
import { text } from "../html/prop-values.ts";
import type { MarkdownWriter } from "./component.ts";

/** Returns a prop as a line of Markdown: a text, or JSX. Undefined if there is nothing to show. */
export function propMarkdown(value: PropValue, writer: MarkdownWriter, depth: number): string | undefined {
  return isContentElement(value) ? writer.inline([value], depth).trim() || undefined : text(value);
}
