/** Renders the list of earlier conversations that are stored in this browser. */

import { dialogMessages, fill } from "../dialog-messages.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { Conversation } from "./saved-conversations.ts";

export function EarlierList({
  store,
  choose,
}: {
  store: ConversationStore;
  choose(conversation: Conversation): void;
}) {
  const messages = dialogMessages();
  const { earlier } = store;
  if (earlier.length === 0) return <p class="o-assistant-log">{messages.noneEarlier}</p>;

  return (
    <ul class="o-assistant-log o-earlier">
      {earlier.map((conversation) => {
        const { question } = conversation.turns[0]!;
        return (
          <li key={conversation.id}>
            <button type="button" onClick={() => choose(conversation)}>
              {question}
            </button>
            <button
              type="button"
              aria-label={fill(messages.forget, { name: question })}
              onClick={() => store.forget(conversation)}
            >
              <i class="o-c o-c-x" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
