import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../base/text.ts";
import { InlineMarkdown } from "../components/inline-markdown.tsx";

/** Inline Markdown (emphasis, code, links) as HTML with marked URLs. */
export function inlineHtml(source: string): string {
  return renderToString(<InlineMarkdown value={source} />);
}

/** Inline Markdown as plain text. */
export function inlineText(source: string): string {
  return unescapeHtml(inlineHtml(source).replace(/<[^>]*>/g, ""));
}
