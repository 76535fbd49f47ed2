import { cutText } from "../../base/cut-text.ts";

/**
 * Returns the first paragraph of a Markdown description as text, up to 240 characters. The page shows the
 * full description.
 */
export function descriptionText(markdown: string): string {
  const first = markdown.trim().split(/\n\s*\n/)[0] ?? "";
  const text = first
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[a-zA-Z][^>]*>/g, "")
    .replace(/(\*\*|__|`)(.+?)\1/g, "$2")
    .replace(/\s+/g, " ");
  return cutText(text, 240);
}
