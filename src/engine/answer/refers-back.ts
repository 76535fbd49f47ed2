/** Words that refer to the previous question, by language. */
const words: Record<string, string> = {
  en: "it its that this these those they them their there one ones he she same other others another else also too then instead",
  de: "es das dies dieser diese dieses diesen diesem sie ihn ihm ihr ihnen dort davon damit dafür dazu dabei darin andere anderen auch dann stattdessen",
  es: "eso esto ese esa este esta esos esas estos estas lo la los las ello ahí allí otro otra otros otras mismo también entonces",
  fr: "cela ça ce cet cette ces celui celle ceux celles il elle ils elles y en là autre autres même aussi alors",
  pt: "isso isto esse essa este esta esses essas estes estas ele ela eles elas lá outro outra outros outras mesmo também então",
};

/** Patterns for the start of questions that refer to the previous question, by language. */
const openings: Record<string, RegExp> = {
  en: /^(?:and|but|or|so|why|which|what about|how about|ok|okay|yes|no)\b/i,
  de: /^(?:und|aber|oder|also|warum|wieso|was ist mit|wie ist es mit|ja|nein)(?![\p{L}])/iu,
  es: /^(?:y|pero|o|entonces|por qué|qué pasa con|qué hay de|sí|no)(?![\p{L}])/iu,
  fr: /^(?:et|mais|ou|donc|pourquoi|qu'en est-il|oui|non)(?![\p{L}])/iu,
  pt: /^(?:e|mas|ou|então|por que|por quê|sim|não)(?![\p{L}])/iu,
};

const sets = new Map(Object.entries(words).map(([language, list]) => [language, new Set(list.split(" "))]));

/**
 * Whether a question seems to refer to the previous question. Undefined for languages that are not listed
 * above.
 */
export function refersBack(question: string, language: string): boolean | undefined {
  const text = question.trim().replace(/^[¿¡]/, "");
  if (Object.hasOwn(openings, language) && openings[language]!.test(text)) return true;
  const known = sets.get(language);
  if (!known) return undefined;
  const written = text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return written.some((word) => known.has(word));
}
