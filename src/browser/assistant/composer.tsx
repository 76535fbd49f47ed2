/** Renders the text field for a question, and the question's attachments. */

import { useEffect, useRef, useState } from "preact/hooks";
import { question_chars } from "../../base/question-limits.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { Attachment } from "./opening.ts";

export function Composer({ store, onSend }: { store: ConversationStore; onSend(): void }) {
  const messages = dialogMessages();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const { attachments, isWriting } = store;

  // Fits the height to the text, within the limits of the style sheet.
  useEffect(() => {
    const { style } = field.current!;
    style.height = "auto";
    style.height = `${field.current!.scrollHeight}px`;
  }, [text]);

  const send = () => {
    if (!store.send(text)) return;
    setText("");
    onSend();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may be part of input method composition (IME).
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      class="o-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {attachments.length > 0 && (
        <ul class="o-attachments">
          {attachments.map((attachment) => (
            <li key={attachment.value}>
              <AttachmentName attachment={attachment} />
              <button
                type="button"
                aria-label={fill(messages.forget, { name: nameOf(attachment) })}
                onClick={() => store.detach(attachment)}
              >
                <i class="o-c o-c-x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <textarea
          ref={field}
          rows={1}
          value={text}
          maxLength={question_chars}
          placeholder={messages.question}
          aria-label={messages.question}
          enterkeyhint="send"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {isWriting ? (
          <button type="button" aria-label={messages.stop} title={messages.stop} onClick={() => store.stop()}>
            <i class="o-c o-c-stop" />
          </button>
        ) : (
          <button
            type="submit"
            aria-label={messages.send}
            title={messages.send}
            aria-disabled={text.trim() === ""}
          >
            <i class="o-c o-c-up" />
          </button>
        )}
      </div>
    </form>
  );
}

/** The beginning of an attachment's text, as a label for the attachment. */
export function AttachmentName({ attachment }: { attachment: Attachment }) {
  return (
    <span title={nameOf(attachment)}>
      <i class={`o-c ${attachment.type === "code" ? "o-c-code" : "o-c-quote"}`} />
      <span>{attachment.value.trim().slice(0, 80)}</span>
    </span>
  );
}

function nameOf({ type }: Attachment): string {
  const messages = dialogMessages();
  return type === "code" ? messages.contextCode : messages.contextText;
}
