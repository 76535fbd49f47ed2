/**
 * Formats a count with its noun, such as `1 page` or `2 pages`. Only supports nouns whose plural ends in `s`.
 */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
