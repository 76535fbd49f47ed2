/** What a question is found by, and what it has in common with the same question in other words. */
import { limits } from "../../base/limits.ts";
import { languagesWithStopWords, stopWords } from "../../engine/search/stop-words.ts";
import { termsOf, tokens } from "../../engine/search/terms.ts";

/** One for all questions and all who look for them: both sides must read alike, and whoever types one word shows no language. */
const searched = "en";

/** Words of a question, or of what somebody looks for in questions. */
export function questionTerms(text: string): string[] {
  return termsOf(text.slice(0, limits.question_chars), searched)
    .map((term) => term.slice(0, limits.searchTerm_chars))
    .slice(0, limits.queryTerms_count);
}

/**
 * The stems of the words that say what is asked, in the order of the alphabet: "How do I rotate API keys?" and
 * "rotating an API key" have one key.
 */
export function questionKey(query: string): string {
  // An api-key is an API key.
  const text = query.slice(0, limits.question_chars).replace(/[-_]+/g, " ");
  const terms = termsOf(text, languageOf(text)).sort();
  const key = terms.length ? terms.join(" ") : text.toLowerCase().replace(/\s+/g, " ").trim();
  return [...key].slice(0, limits.questionKey_chars).join("");
}

/** The one whose small words the text has most of; English where that says nothing. */
function languageOf(text: string): string {
  const words = [...tokens(text, searched)].map(({ start, end }) => text.slice(start, end).toLowerCase());
  const count = (language: string) => words.filter((word) => stopWords(language).has(word)).length;
  return languagesWithStopWords.reduce((best, language) => (count(language) > count(best) ? language : best), searched);
}
