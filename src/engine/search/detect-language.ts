import { languagesWithStopWords, stopWords } from "./stop-words.ts";
import { tokens } from "./terms.ts";

/** Returns the language whose stop words occur most often in the text. Undefined if the text has no stop words of a known language. */
export function detectLanguage(text: string): string | undefined {
  const words = [...tokens(text, "en")].map(({ start, end }) => text.slice(start, end).toLowerCase());
  let [best, most]: [string | undefined, number] = [undefined, 0];
  for (const language of languagesWithStopWords) {
    const count = words.filter((word) => stopWords(language).has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}
