/** Returns the key. Throws if it isn't a valid object key, so that keys can't become paths outside the store. */
export function checkKey(key: string): string {
  if (!/^[a-z0-9_][a-z0-9._-]*(?:\/[a-z0-9_][a-z0-9._-]*)*$/.test(key)) throw new Error(`${JSON.stringify(key)} isn't a valid object key`);
  return key;
}
