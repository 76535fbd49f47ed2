/** Messages of search and the assistant in the language of the page. A script of their own sets them. */
import type { AskingMessages } from "../engine/i18n/messages.ts";

export { fill } from "../engine/i18n/messages.ts";

declare const octavoAskingWords: AskingMessages;

export function askingWords(): AskingMessages {
  return octavoAskingWords;
}
