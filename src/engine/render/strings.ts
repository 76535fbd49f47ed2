import { ar } from "./strings/ar.ts";
import { de } from "./strings/de.ts";
import { en, type Strings } from "./strings/en.ts";
import { es } from "./strings/es.ts";
import { fr } from "./strings/fr.ts";
import { he } from "./strings/he.ts";
import { id } from "./strings/id.ts";
import { it } from "./strings/it.ts";
import { ja } from "./strings/ja.ts";
import { ko } from "./strings/ko.ts";
import { nl } from "./strings/nl.ts";
import { pl } from "./strings/pl.ts";
import { ptBR } from "./strings/pt-BR.ts";
import { ru } from "./strings/ru.ts";
import { tr } from "./strings/tr.ts";
import { uk } from "./strings/uk.ts";
import { vi } from "./strings/vi.ts";
import { zh } from "./strings/zh.ts";
import { zhHant } from "./strings/zh-Hant.ts";

export type { Strings };

const languages: Record<string, Partial<Strings>> = {
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

/** Codes that the platform accepts for a language that has another name. */
const aliases: Record<string, string> = { cn: "zh", jp: "ja", "zh-tw": "zh-hant", "zh-hk": "zh-hant" };

const rightToLeft = new Set(["ar", "he"]);

/** The interface words of a language: those of the exact code, else of its first part, else English. */
export function strings(language: string): Strings {
  return { ...en, ...ofLanguage(languages, language) };
}

/** What a table by language codes (lower case) holds for a language: by the exact code, else by its first part. */
export function ofLanguage<T>(table: Record<string, T>, language: string): T | undefined {
  const code = language.toLowerCase();
  const known = (name: string) => (Object.hasOwn(table, name) ? table[name] : undefined);
  return known(aliases[code] ?? code) ?? known(code.split("-")[0] ?? "");
}

/** The way a language is written. */
export function direction(language: string): "ltr" | "rtl" {
  return rightToLeft.has(language.toLowerCase().split("-")[0] ?? "") ? "rtl" : "ltr";
}
