/**
 * Provides the locale messages of the playground in the page's language. A separate script sets them by
 * calling `octavoWords`.
 */

import { constraints, playground } from "../../engine/i18n/en.json";
import type { PlaygroundMessages } from "../../engine/i18n/messages.ts";

export { fill, type PlaygroundMessages } from "../../engine/i18n/messages.ts";

let loaded: Partial<PlaygroundMessages> = {};

/** Defines `octavoWords`. Call this before the script with the messages runs. */
export function listenForMessages(): void {
  Object.assign(globalThis, {
    octavoWords(messages: Partial<PlaygroundMessages>) {
      loaded = messages;
    },
  });
}

/** Returns the messages in the page's language. A message that isn't loaded is in English. */
export function readMessages(): PlaygroundMessages {
  return { ...playground, constraints, ...loaded };
}
