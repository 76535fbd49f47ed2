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

type Stemmer = (word: string) => string;

const stemmers: Record<string, Stemmer> = { ar, de, en, es, fr, id, it, nl, pt, ru, tr, uk };

/**
 * Returns the stemmer of a language; undefined if there is none. In a site's scripts,
 * `src/browser/search/site-stemmers.ts` replaces this file.
 */
export function stemmerOf(language: string): Stemmer | undefined {
  return Object.hasOwn(stemmers, language) ? stemmers[language] : undefined;
}
