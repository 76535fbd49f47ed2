import { ar } from "./strings/asking/ar.ts";
import { de } from "./strings/asking/de.ts";
import { type AskingStrings, en } from "./strings/asking/en.ts";
import { es } from "./strings/asking/es.ts";
import { fr } from "./strings/asking/fr.ts";
import { he } from "./strings/asking/he.ts";
import { id } from "./strings/asking/id.ts";
import { it } from "./strings/asking/it.ts";
import { ja } from "./strings/asking/ja.ts";
import { ko } from "./strings/asking/ko.ts";
import { nl } from "./strings/asking/nl.ts";
import { pl } from "./strings/asking/pl.ts";
import { ptBR } from "./strings/asking/pt-BR.ts";
import { ru } from "./strings/asking/ru.ts";
import { tr } from "./strings/asking/tr.ts";
import { uk } from "./strings/asking/uk.ts";
import { vi } from "./strings/asking/vi.ts";
import { zh } from "./strings/asking/zh.ts";
import { zhHant } from "./strings/asking/zh-Hant.ts";
import { ofLanguage } from "./strings.ts";

const languages: Record<string, AskingStrings> = {
  en,
  ar,
  de,
  es,
  fr,
  he,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt: ptBR,
  ru,
  tr,
  uk,
  vi,
  zh,
  "zh-hant": zhHant,
};

/** The words of search and assistant; English where a language is not known. */
export function askingStrings(language: string): AskingStrings {
  return ofLanguage(languages, language) ?? en;
}
