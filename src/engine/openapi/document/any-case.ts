/** Compares restricted names without regard to case. */

const lowercase = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Whether a word is one of the names in any case. `names` doesn't change anymore. */
export function isOneOf(word: string, names: ReadonlySet<string>): boolean {
  const known = lowercase.get(names) ?? new Set([...names].map((name) => name.toLowerCase()));
  lowercase.set(names, known);
  return known.has(word.toLowerCase());
}
