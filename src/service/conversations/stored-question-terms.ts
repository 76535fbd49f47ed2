import { limits } from "../../base/limits.ts";
import { termsOf } from "../../engine/search/terms.ts";

/**
 * Language of all search terms. Questions and queries must use the same language, and a query is often too
 * short to detect its language.
 */
const termLanguage = "en";

/** Returns the search terms of a question, or of a query that searches questions. */
export function questionTerms(text: string): string[] {
  return termsOf(text.slice(0, limits.question_chars), termLanguage)
    .map((term) => term.slice(0, limits.searchTerm_chars))
    .slice(0, limits.queryTerms_count);
}
