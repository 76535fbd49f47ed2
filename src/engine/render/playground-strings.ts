import { en } from "./strings/playground/en.ts";

export type PlaygroundStrings = typeof en;

const languages: Record<string, Partial<PlaygroundStrings>> = { en };

/** Words of the playground in a language, English where it has none. */
export function playgroundStrings(language: string): PlaygroundStrings {
  return { ...en, ...(languages[language] ?? languages[language.split("-")[0]!]) };
}
