import { ar } from "./strings/playground/ar.ts";
import { de } from "./strings/playground/de.ts";
import { en, type PlaygroundStrings } from "./strings/playground/en.ts";
import { es } from "./strings/playground/es.ts";
import { fr } from "./strings/playground/fr.ts";
import { he } from "./strings/playground/he.ts";
import { id } from "./strings/playground/id.ts";
import { it } from "./strings/playground/it.ts";
import { ja } from "./strings/playground/ja.ts";
import { ko } from "./strings/playground/ko.ts";
import { nl } from "./strings/playground/nl.ts";
import { pl } from "./strings/playground/pl.ts";
import { ptBR } from "./strings/playground/pt-BR.ts";
import { ru } from "./strings/playground/ru.ts";
import { tr } from "./strings/playground/tr.ts";
import { uk } from "./strings/playground/uk.ts";
import { vi } from "./strings/playground/vi.ts";
import { zh } from "./strings/playground/zh.ts";
import { zhHant } from "./strings/playground/zh-Hant.ts";
import { ofLanguage } from "./strings.ts";

const languages: Record<string, PlaygroundStrings> = {
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

/** The words of the request playground; English where a language is not known. */
export function playgroundStrings(language: string): PlaygroundStrings {
  return ofLanguage(languages, language) ?? en;
}
