/** Thumbs, and a word on why. */
import { useState } from "preact/hooks";
import { askingWords } from "../dialog-messages.ts";
import type { Turn } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";

const comment_chars = 1_000;

export function Feedback({ turn, store }: { turn: Turn; store: ConversationStore }) {
  const words = askingWords();
  const [step, setStep] = useState<"none" | "comment" | "thanks">("none");
  const [comment, setComment] = useState("");
  const judge = (helpful: boolean) => {
    void store.judge(turn, helpful);
    setStep(helpful ? "thanks" : "comment");
  };
  return (
    <>
      <button
        type="button"
        aria-label={words.helpful}
        title={words.helpful}
        aria-pressed={turn.helpful === true}
        onClick={() => judge(true)}
      >
        <i class="o-c o-c-thumb" />
      </button>
      <button
        type="button"
        aria-label={words.unhelpful}
        title={words.unhelpful}
        aria-pressed={turn.helpful === false}
        onClick={() => judge(false)}
      >
        <i class="o-c o-c-thumb o-down" />
      </button>
      {step === "comment" && (
        <form
          class="o-comment"
          onSubmit={(event) => {
            event.preventDefault();
            if (comment.trim()) void store.judge(turn, false, comment.trim());
            setStep("thanks");
          }}
        >
          <label>
            {words.comment}
            <textarea rows={2} maxLength={comment_chars} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
          </label>
          <button type="submit">{words.sendComment}</button>
        </form>
      )}
      <span class="o-thanks" role="status">
        {step === "thanks" && words.thanks}
      </span>
    </>
  );
}
