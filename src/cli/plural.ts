/** A count with its word, such as `1 page` or `2 pages`. Only for words whose plural is formed with `s`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
