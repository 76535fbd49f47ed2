/**
 * Puts a text on one line: removes whitespace at both ends, and replaces all other whitespace with single
 * spaces.
 */
export function oneLine(text: string): string {
  // Single spaces aren't matched, since they are frequent and stay as they are.
  return text.trim().replace(/\s{2,}|[^\S ]/g, " ");
}

/**
 * Like `oneLine`, also without control characters, for texts of others in a terminal and in files for
 * programs.
 */
export function plainLine(text: string): string {
  return oneLine(text).replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, "");
}

/**
 * Whether a name contains a URL, which has no place in a name and could be used to deceive the readers of
 * emails.
 */
export function hasUrl(name: string): boolean {
  return /:\/\/|\bwww\.|[\w-]\.[a-z]{2,}\//i.test(name);
}
