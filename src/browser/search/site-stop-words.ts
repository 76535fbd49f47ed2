/**
 * Replaces `src/engine/search/stop-words.ts` in a site's scripts, so that a page loads only the stop words of
 * its language.
 */

declare global {
  /** Words separated by spaces, by language. Set by the script with the messages of the page's language. */
  var octavoStopWords: Record<string, string> | undefined;
}

const sets = new Map<string, ReadonlySet<string>>();

export function stopWords(language: string): ReadonlySet<string> {
  let words = sets.get(language);
  if (!words) sets.set(language, (words = new Set(globalThis.octavoStopWords?.[language]?.split(" "))));
  return words;
}
