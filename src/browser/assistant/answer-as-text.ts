/** Converts an answer or a whole conversation to text with the URLs of the sources. */

import type { ThreadMessage } from "./saved-conversations.ts";
import { siteLink } from "./site-link.ts";

export function answerAsText({ text, sources }: ThreadMessage): string {
  const list = sources.map(({ title, url }, index) => `[${index + 1}] ${title}: ${siteLink(url) ?? url}`);
  return [text, list.join("\n")].filter(Boolean).join("\n\n");
}

export function conversationAsText(turns: readonly ThreadMessage[]): string {
  return turns.map((message) => `## ${message.question}\n\n${answerAsText(message)}`).join("\n\n");
}
