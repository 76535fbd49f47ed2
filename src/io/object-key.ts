/**
 * Returns the key. Throws unless it consists of parts of `[a-z0-9._-]` with slashes between them, none of which starts with a dot or
 * hyphen, so that keys can't become paths outside the store.
 */
export function checkKey(key: string): string {
  if (!/^[a-z0-9_][a-z0-9._-]*(?:\/[a-z0-9_][a-z0-9._-]*)*$/.test(key)) throw new Error(`${JSON.stringify(key)} isn't a valid object key`);
  return key;
}
