/**
 * Truncates a text to at most `most` UTF-16 code units, including the ellipsis. Doesn't split a character in
 * two.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2]!) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}
