/**
 * Provides the locale messages of search and the assistant in the page's language, which a separate script
 * sets.
 */

import type { AskingMessages } from "../engine/i18n/messages.ts";

export { fill } from "../engine/i18n/messages.ts";

declare const octavoAskingWords: AskingMessages;

/** Returns the messages. Throws if the script that sets them isn't loaded. */
export function dialogMessages(): AskingMessages {
  return octavoAskingWords;
}
