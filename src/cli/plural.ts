/** Such as `1 page` or `2 pages`. The plural of the word must end in `s`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
