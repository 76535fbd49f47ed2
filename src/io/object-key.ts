/**
 * Returns the key if it is valid, and throws otherwise. A valid key consists of segments of `[a-z0-9._-]`,
 * separated by slashes. No segment starts with a dot or hyphen, so a key can't become a path outside the
 * store.
 */
export function checkKey(key: string): string {
  if (!/^[a-z0-9_][a-z0-9._-]*(?:\/[a-z0-9_][a-z0-9._-]*)*$/.test(key))
    throw new Error(`${JSON.stringify(key)} isn't a valid object key`);
  return key;
}
