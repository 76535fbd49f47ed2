import { en, type PlaygroundStrings } from "./strings/playground/en.ts";
import { ofLanguage } from "./strings.ts";

const languages: Record<string, PlaygroundStrings> = { en };

/** The words of the request playground; English where a language is not known. */
export function playgroundStrings(language: string): PlaygroundStrings {
  return ofLanguage(languages, language) ?? en;
}
