/** Corrects words with one wrong, missing or additional letter, or with two swapped letters. */

import { stemmedWord_chars } from "../../base/search-limits.ts";
import type { Dictionary, FoundTerm } from "./dictionary.ts";
import { foldedStem } from "./terms.ts";

/** Number of characters at the start of a word that usually determine its shard. */
const start_chars = 2;
/** Maximum number of letters of an alphabet. */
const letters_count = 40;
/** Maximum number of shards that are read for words with another start. */
const farShards_count = 24;
/** Maximum number of terms that replace a word. */
const corrections_count = 3;

/**
 * Returns the most frequent terms of the words that are one edit away. Since an edit can hide a suffix from
 * the stemmer (`organizaton`), the words are compared before they are stemmed. Empty for words with other
 * characters than letters, and for very short or long words. `isFar`: if there are none, tries words with
 * another start, which are in other shards.
 */
export async function correctionsOf(
  word: string,
  dictionary: Dictionary,
  language: string,
  isFar: boolean,
): Promise<FoundTerm[]> {
  if (word.length < 4 || word.length > stemmedWord_chars || !/^[\p{L}\p{M}]+$/u.test(word)) return [];
  const { terms } = await dictionary.shard(dictionary.shardOf(word));
  const { near, far } = editsOf(word, lettersOf(terms));

  for (const edits of isFar ? [near, far] : [near]) {
    // Names in code are indexed without stemming.
    const wanted = [...edits].flatMap((edit) => [foldedStem(edit, language), edit]);
    const found = await dictionary.findAll(new Set(wanted.filter(isSpecific)), farShards_count);
    const own = found.find(({ term }) => term === word);
    if (own) return [own];
    if (found.length > 0)
      return found.sort((a, b) => frequencyOf(b) - frequencyOf(a)).slice(0, corrections_count);
  }

  return [];
}

/** Whether a term isn't just the rest of a word from which the stemmer has removed a suffix. */
function isSpecific(term: string): boolean {
  return term.length >= 3;
}

function frequencyOf({ shard, place }: FoundTerm): number {
  return shard.frequencies[place]!;
}

/**
 * Returns the words from which a word differs by one edit: `near` those that start like the word, and `far`
 * those with another letter at the start. Each also contains the word itself.
 */
function editsOf(word: string, letters: readonly string[]): { near: Set<string>; far: Set<string> } {
  const near = new Set<string>();
  const far = new Set<string>();
  for (let at = word.length; at >= 0; at--) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after) near.add(before + after.slice(1));
    if (after.length > 1) near.add(before + after[1] + after[0] + after.slice(2));
    const edits = at < start_chars ? far : near;
    for (const letter of letters) edits.add(before + letter + after).add(before + letter + after.slice(1));
  }

  return { near, far };
}

/** Returns the most frequent letters of terms. Ignores the pairs of characters of scripts without spaces. */
function lettersOf(terms: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const term of terms)
    if (term.length > 2) for (const letter of term) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.keys()]
    .filter((letter) => /\p{L}/u.test(letter))
    .sort((a, b) => counts.get(b)! - counts.get(a)!)
    .slice(0, letters_count);
}
