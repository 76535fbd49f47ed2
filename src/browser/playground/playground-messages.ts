/** Messages of the playground in the language of the page. A script of their own sets them. */
import { playground as english } from "../../engine/i18n/en.ts";
import type { PlaygroundMessages } from "../../engine/i18n/messages.ts";

export { fill } from "../../engine/i18n/messages.ts";

export type Words = PlaygroundMessages;

let loaded: Partial<Words> = {};

/** Call this before the script with the messages runs. */
export function listenToWords(): void {
  Object.assign(globalThis, {
    octavoWords(words: Partial<Words>) {
      loaded = words;
    },
  });
}

/** English when the script did not load. */
export function readWords(): Words {
  return { ...english, ...loaded };
}
