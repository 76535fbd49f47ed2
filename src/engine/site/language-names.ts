/** Each language by its own name; a table, because the runtime's own names differ between versions. */
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

const aliases: Record<string, string> = { cn: "zh", jp: "ja", "ja-jp": "ja", "zh-cn": "zh", "zh-hans": "zh", "zh-tw": "zh-hant" };

export function languageName(code: string): string {
  const lower = code.toLowerCase();
  return names[aliases[lower] ?? lower] ?? code;
}

/** The code that goes into `lang` attributes: `cn` and `jp` are names of this format only. */
export function languageTag(code: string): string {
  return { cn: "zh", jp: "ja" }[code] ?? code;
}
