import { withoutAlias } from "../../i18n/locales.ts";

/**
 * Names of languages by code, each in the language itself. `Intl.DisplayNames` is not used, since it differs
 * between versions of Node.js.
 */
const names: Record<string, string> = {
  ar: "العربية",
  ca: "Català",
  cs: "Čeština",
  da: "Dansk",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fi: "Suomi",
  fr: "Français",
  "fr-ca": "Français (Canada)",
  he: "עברית",
  hi: "हिन्दी",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  lv: "Latviešu",
  nl: "Nederlands",
  no: "Norsk",
  pl: "Polski",
  pt: "Português",
  "pt-br": "Português (Brasil)",
  ro: "Română",
  ru: "Русский",
  sv: "Svenska",
  tr: "Türkçe",
  uk: "Українська",
  uz: "Oʻzbekcha",
  vi: "Tiếng Việt",
  zh: "简体中文",
  "zh-hant": "繁體中文",
};

/** Returns the name of a language in the language itself, or the code if the language is unknown. */
export function languageName(code: string): string {
  const key = [code.toLowerCase(), withoutAlias(code)].find((known) => Object.hasOwn(names, known));
  return key === undefined ? code : names[key]!;
}

/**
 * Returns the language code for `lang` attributes. Replaces `cn` and `jp`, which are only valid in docs.json.
 */
export function languageTag(code: string): string {
  return code === "cn" || code === "jp" ? withoutAlias(code) : code;
}
