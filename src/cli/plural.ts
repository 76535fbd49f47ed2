/** A count with its noun, such as `1 page` or `2 pages`. Only for nouns whose plural is formed with `s`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
