import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../base/text.ts";
import { InlineMarkdown } from "../components/inline-markdown.tsx";

/** One line of Markdown with emphasis, code and links, as HTML with marked addresses. */
export function inlineHtml(source: string): string {
  return renderToString(<InlineMarkdown value={source} />);
}

/** The same line as plain text. */
export function inlineText(source: string): string {
  return unescapeHtml(inlineHtml(source).replace(/<[^>]*>/g, ""));
}
