/**
 * Whether two words differ by one inserted, removed or replaced character, or by two swapped neighboring
 * characters.
 */
export function isOneEditAway(a: string, b: string): boolean {
  const difference = a.length - b.length;
  if (difference > 1 || difference < -1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (difference === 1) return a.slice(start + 1) === b.slice(start);
  if (difference === -1) return a.slice(start) === b.slice(start + 1);
  if (a.slice(start + 1) === b.slice(start + 1)) return true;
  return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2);
}
