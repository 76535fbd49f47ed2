/**
 * Parses JSON of strangers. Throws an Error if it has more than `most_count` objects and arrays, and a
 * `SyntaxError` if it's invalid.
 */
export function parseJson(text: string, most_count: number): unknown {
  requireFewValues(text, most_count);
  return JSON.parse(text);
}

/**
 * Throws an Error if JSON has more than `most_count` objects and arrays, nested or not. Parsing many of them
 * takes long. Brackets in strings count, too. Takes less than a millisecond per megabyte.
 */
export function requireFewValues(text: string, most_count: number): void {
  let left = most_count;
  for (const bracket of "[{")
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (--left < 0) throw new Error(`The JSON has more than ${most_count} objects and arrays`);
}
