/** Markdown without its marks, on one line. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^\s*(?:`{3,}|~{3,}).*$/gm, " ")
    .replace(/^\s*\|?[\s:|-]{3,}\|?\s*$/gm, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, " ")
    .replace(/[*`]{1,3}|~~|\\(?=\W)|<\/?[a-z]+>/g, "")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
