import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../base/html-text.ts";
import { InlineMarkdown } from "../components/inline-markdown.tsx";
import { replaceTags } from "../html/tags.ts";

/** Renders inline Markdown (emphasis, code, links) as HTML with marked URLs. */
export function inlineHtml(source: string): string {
  return renderToString(<InlineMarkdown value={source} />);
}

/** Converts inline Markdown to plain text, as `inlineHtml` renders it. */
export function renderedText(source: string): string {
  return unescapeHtml(replaceTags(inlineHtml(source), () => ({ text: "" })));
}
