import { oneLine } from "../../base/one-line.ts";

/** Converts Markdown to plain text on one line. */
export function plainText(markdown: string): string {
  return oneLine(withoutMarkup(markdown));
}

/**
 * Converts inline Markdown, such as a heading, to plain text. Unlike in `plainText`, `1. Start` is not a list
 * item.
 */
export function inlineText(markdown: string): string {
  return oneLine(withoutInlineMarkup(markdown));
}

/** Removes the markup from Markdown. Can leave whitespace in its place. */
export function withoutMarkup(markdown: string): string {
  return withoutInlineMarkup(
    markdown
      .replace(/^\s*(?:`{3,}|~{3,}).*$/gm, " ")
      .replace(/^[\s:|-]{3,}$/gm, " ")
      .replace(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, " ")
      .replaceAll("|", " "),
  );
}

/** Replaces `<` in code, which isn't the start of a tag. */
const codeAngle = "\x1a";

function withoutInlineMarkup(markdown: string): string {
  const marked = markdown.includes("<")
    ? markdown.replace(/`[^`]+`/g, (code) => code.replaceAll("<", codeAngle))
    : markdown;
  return marked
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("<br>", " ")
    .replace(/[*`]{1,3}|~~|\\(\W)|<\/?(?:kbd|su[bp])>/g, "$1")
    .replaceAll(codeAngle, "<");
}
