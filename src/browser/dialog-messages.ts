/** Locale messages of search and the assistant in the page's language. A separate script sets them. */

import type { AskingMessages } from "../engine/i18n/messages.ts";

export { fill } from "../engine/i18n/messages.ts";

declare const octavoAskingWords: AskingMessages;

/** Throws if the script with the messages isn't loaded. */
export function dialogMessages(): AskingMessages {
  return octavoAskingWords;
}
