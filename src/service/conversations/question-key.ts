import { limits } from "../../base/limits.ts";
import { oneLine } from "../../base/one-line.ts";
import { detectLanguage } from "../../engine/search/detect-language.ts";
import { termsOf } from "../../engine/search/terms.ts";

/** Maximum length of a group key, in characters. */
const questionKey_chars = 200;

/**
 * Returns the group key of a question: the stems of its words without stop words, in alphabetical order. "How
 * do I rotate API keys?" and "rotating an API key" have the same key. The key of a question that only has
 * stop words is its text in lowercase.
 */
export function questionKey(query: string): string {
  // "api-key" and "API key" must have the same key.
  const text = query.slice(0, limits.question_chars).replace(/[-_]+/g, " ");
  const terms = termsOf(text, detectLanguage(text) ?? "en").sort();
  const key = terms.length ? terms.join(" ") : oneLine(text.toLowerCase());
  return [...key].slice(0, questionKey_chars).join("");
}
