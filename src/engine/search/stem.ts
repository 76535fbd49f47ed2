import { stemmer as ar } from "@orama/stemmers/arabic";
import { stemmer as nl } from "@orama/stemmers/dutch";
import { stemmer as en } from "@orama/stemmers/english";
import { stemmer as fr } from "@orama/stemmers/french";
import { stemmer as de } from "@orama/stemmers/german";
import { stemmer as id } from "@orama/stemmers/indonesian";
import { stemmer as it } from "@orama/stemmers/italian";
import { stemmer as pt } from "@orama/stemmers/portuguese";
import { stemmer as ru } from "@orama/stemmers/russian";
import { stemmer as es } from "@orama/stemmers/spanish";
import { stemmer as tr } from "@orama/stemmers/turkish";
import { stemmer as uk } from "@orama/stemmers/ukrainian";
import { limits } from "../../base/limits.ts";

const stemmers: Record<string, (word: string) => string> = { ar, de, en, es, fr, id, it, nl, pt, ru, tr, uk };

/** Cache of stems by language and word, because stemmers are slow. */
const known = new Map<string, Map<string, string>>();

/** Returns the stem of a word: `deployments` → `deploy`. Long words, and words of languages without a stemmer, are unchanged. */
export function stem(word: string, language: string): string {
  const stemmer = Object.hasOwn(stemmers, language) ? stemmers[language] : undefined;
  if (!stemmer || word.length > limits.stemmedWord_chars) return word;
  let words = known.get(language);
  if (!words) known.set(language, (words = new Map()));
  let stemmed = words.get(word);
  if (stemmed === undefined) {
    if (words.size > limits.stemmedWords_count) words.clear();
    words.set(word, (stemmed = stemmer(word) || word));
  }
  return stemmed;
}
