/** Keys are made by us. One that is not of their form is a mistake of ours, and never becomes a path. */
export function checkKey(key: string): string {
  if (!/^[a-z0-9_][a-z0-9._-]*(?:\/[a-z0-9_][a-z0-9._-]*)*$/.test(key)) throw new Error(`${JSON.stringify(key)} is no key of an object`);
  return key;
}
