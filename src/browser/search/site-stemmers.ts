/**
 * Replaces `src/engine/search/stemmers.ts` in a site's scripts, so that a page loads only the stemmer of its
 * language.
 */

declare global {
  /** Set by the script with the messages of the page's language. */
  var octavoStemmers: Record<string, (word: string) => string> | undefined;
}

export function stemmerOf(language: string): ((word: string) => string) | undefined {
  return globalThis.octavoStemmers?.[language];
}
