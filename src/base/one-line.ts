/** Puts a text on one line: removes whitespace at both ends, and replaces all other whitespace with single spaces. */
export function oneLine(text: string): string {
  // Single spaces aren't matched, since they are frequent and stay as they are.
  return text.trim().replace(/\s{2,}|[^\S ]/g, " ");
}
