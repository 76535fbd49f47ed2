/** Lists the locales, and finds the locale and writing direction of a language. */

import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import he from "./he.json" with { type: "json" };
import id from "./id.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import ko from "./ko.json" with { type: "json" };
import type { Messages } from "./messages.ts";
import nl from "./nl.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import ptBR from "./pt-BR.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import vi from "./vi.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };
import zhHant from "./zh-Hant.json" with { type: "json" };

/** The messages of all locales. To add a locale, add its file and its entry here. */
const locales = {
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
} satisfies Record<string, Messages>;

export type LocaleCode = keyof typeof locales;
export const localeCodes = Object.keys(locales) as LocaleCode[];

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

/** Returns the messages of a language, in its locale. */
export function messagesOf(language: string): Messages {
  return locales[localeOf(language)];
}

/**
 * Returns the locale of a language: by its code or an alias, or else by the first part of the code (`fr-CA` →
 * `fr`), or else English. Ignores case.
 */
export function localeOf(language: string): LocaleCode {
  const find = (code: string) => byLowerCase.get(withoutAlias(code));
  return find(language) ?? find(firstPart(language)) ?? "en";
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
