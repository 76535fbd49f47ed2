/** Lists the locales, and finds the locale and writing direction of a language. */

import { messages as ar } from "./ar.ts";
import { messages as de } from "./de.ts";
import { messages as en } from "./en.ts";
import { messages as es } from "./es.ts";
import { messages as fr } from "./fr.ts";
import { messages as he } from "./he.ts";
import { messages as id } from "./id.ts";
import { messages as it } from "./it.ts";
import { messages as ja } from "./ja.ts";
import { messages as ko } from "./ko.ts";
import type { Messages } from "./messages.ts";
import { messages as nl } from "./nl.ts";
import { messages as pl } from "./pl.ts";
import { messages as ptBR } from "./pt-BR.ts";
import { messages as ru } from "./ru.ts";
import { messages as tr } from "./tr.ts";
import { messages as uk } from "./uk.ts";
import { messages as vi } from "./vi.ts";
import { messages as zh } from "./zh.ts";
import { messages as zhHant } from "./zh-Hant.ts";

/** The codes of all locales. To add a locale, add its file, its code here, and its entry in `locales`. */
export const localeCodes = [
  "ar",
  "de",
  "en",
  "es",
  "fr",
  "he",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "pl",
  "pt-BR",
  "ru",
  "tr",
  "uk",
  "vi",
  "zh",
  "zh-Hant",
] as const;
export type LocaleCode = (typeof localeCodes)[number];

const locales: Record<LocaleCode, Messages> = {
  ar,
  de,
  en,
  es,
  fr,
  he,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  "pt-BR": ptBR,
  ru,
  tr,
  uk,
  vi,
  zh,
  "zh-Hant": zhHant,
};

const byLowerCase = new Map(localeCodes.map((code) => [code.toLowerCase(), code]));

/** Locale codes by alternative code, both in lowercase. */
const aliases: Record<string, string> = {
  cn: "zh",
  jp: "ja",
  pt: "pt-br",
  "ja-jp": "ja",
  "zh-cn": "zh",
  "zh-hans": "zh",
  "zh-hk": "zh-hant",
  "zh-tw": "zh-hant",
};

const rightToLeft = new Set(["ar", "he"]);

/**
 * Returns the messages of a language: by its code or an alias, or else by the first part of the code (`fr-CA` → `fr`), or else in
 * English. Ignores case.
 */
export function messagesOf(language: string): Messages {
  const find = (code: string) => byLowerCase.get(withoutAlias(code));
  return locales[find(language) ?? find(firstPart(language)) ?? "en"];
}

/** Converts a language code to lowercase and replaces aliases: `pt` → `pt-br`, `fr-CA` → `fr-ca`. */
export function withoutAlias(code: string): string {
  const lower = code.toLowerCase();
  return Object.hasOwn(aliases, lower) ? aliases[lower]! : lower;
}

export function direction(language: string): "ltr" | "rtl" {
  return rightToLeft.has(firstPart(language)) ? "rtl" : "ltr";
}

function firstPart(language: string): string {
  return language.toLowerCase().split("-")[0]!;
}
