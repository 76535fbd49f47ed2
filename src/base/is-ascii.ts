/** Returns whether a text contains only ASCII characters. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
