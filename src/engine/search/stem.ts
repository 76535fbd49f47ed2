import { stemmedWord_chars, stemmedWords_count } from "../../base/search-limits.ts";
import { stemmerOf } from "./stemmers.ts";

/** Cache of stems by language and word, because stemmers are slow. */
const known = new Map<string, Map<string, string>>();

/**
 * Returns the stem of a word: `deployments` → `deploy`. Long words, and words of languages without a stemmer,
 * are unchanged.
 */
export function stem(word: string, language: string): string {
  const stemmer = stemmerOf(language);
  if (!stemmer || word.length > stemmedWord_chars) return word;
  let words = known.get(language);
  if (!words) known.set(language, (words = new Map()));
  let stemmed = words.get(word);
  if (stemmed === undefined) {
    if (words.size > stemmedWords_count) words.clear();
    words.set(word, (stemmed = stemmer(word) || word));
  }
  return stemmed;
}
