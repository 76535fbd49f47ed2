/** Renders the feedback buttons of an answer: thumbs up and down, and a comment field after thumbs down. */

import { useState } from "preact/hooks";
import { dialogMessages } from "../dialog-messages.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { ThreadMessage } from "./saved-conversations.ts";

const comment_chars = 1_000;

export function Feedback({ message, store }: { message: ThreadMessage; store: ConversationStore }) {
  const messages = dialogMessages();
  const [step, setStep] = useState<"none" | "comment" | "thanks">("none");
  const [comment, setComment] = useState("");
  const sendFeedback = (helpful: boolean) => {
    store.sendFeedback(message, helpful);
    setStep(helpful ? "thanks" : "comment");
  };

  return (
    <>
      <button
        type="button"
        aria-label={messages.helpful}
        title={messages.helpful}
        aria-pressed={message.helpful === true}
        onClick={() => sendFeedback(true)}
      >
        <i class="o-c o-c-thumb" />
      </button>
      <button
        type="button"
        aria-label={messages.unhelpful}
        title={messages.unhelpful}
        aria-pressed={message.helpful === false}
        onClick={() => sendFeedback(false)}
      >
        <i class="o-c o-c-thumb o-down" />
      </button>
      {step === "comment" && (
        <form
          class="o-comment"
          onSubmit={(event) => {
            event.preventDefault();
            if (comment.trim()) store.sendFeedback(message, false, comment.trim());
            setStep("thanks");
          }}
        >
          <label>
            {messages.comment}
            <textarea
              rows={2}
              maxLength={comment_chars}
              value={comment}
              onInput={(event) => setComment(event.currentTarget.value)}
            />
          </label>
          <button type="submit">{messages.sendComment}</button>
        </form>
      )}
      <span class="o-thanks" role="status">
        {step === "thanks" && messages.thanks}
      </span>
    </>
  );
}
