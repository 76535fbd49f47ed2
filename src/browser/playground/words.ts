/** The words of the playground, in the language of the site. */
import { en, type PlaygroundStrings } from "../../engine/render/strings/playground/en.ts";

export type Words = PlaygroundStrings;

let told: Partial<Words> = {};

/** Must be called before the script of words runs. */
export function listenToWords(): void {
  Object.assign(globalThis, {
    octavoWords(words: Partial<Words>) {
      told = words;
    },
  });
}

/** English stands in for what is missing. */
export function readWords(): Words {
  return { ...en, ...told };
}

export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
