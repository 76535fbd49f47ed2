import { languagesWithStopWords, stopWords } from "./stop-words.ts";
import { shortLanguage, tokens } from "./terms.ts";

/**
 * Returns the language whose stop words occur most often in the text. Undefined if the text has no stop words
 * of a known language.
 */
export function detectLanguage(text: string): string | undefined {
  const words = [...tokens(text, "en")].map(({ start, end }) => text.slice(start, end).toLowerCase());
  let [best, most]: [string | undefined, number] = [undefined, 0];
  for (const language of languagesWithStopWords) {
    const count = words.filter((word) => stopWords(language).has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** Languages that are written in the Latin script and have stop words. */
const latin = new Set(languagesWithStopWords.filter((language) => language !== "ru"));

/**
 * Whether a text is in none of these languages: its stop words are those of another language, or most of its
 * letters aren't Latin although all of the languages use the Latin script. False if `languages` is empty, and
 * for texts whose language can't be detected.
 */
export function isInOtherLanguage(text: string, languages: readonly string[]): boolean {
  const short = languages.map(shortLanguage);
  const detected = detectLanguage(text);
  if (short.length === 0) return false;
  if (detected !== undefined) return !short.includes(detected);
  const letters_count = text.match(/\p{L}/gu)?.length ?? 0;
  const latin_count = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin_count * 2 < letters_count && short.every((language) => latin.has(language));
}
