/** The words of search and assistant in the language of the page: a script beside theirs brings them. */
import type { AskingStrings } from "../engine/render/strings/asking/en.ts";

declare const octavoAskingWords: AskingStrings;

export function askingWords(): AskingStrings {
  return octavoAskingWords;
}

/** Fills in the places of a text: `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
