/** Where a question is written, with what goes along. */
import { useEffect, useRef, useState } from "preact/hooks";
import { question_chars } from "../../base/question-limits.ts";
import { askingWords, fill } from "../dialog-messages.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { Attachment } from "./opening.ts";

export function Composer({ store, onSend }: { store: ConversationStore; onSend(): void }) {
  const words = askingWords();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const { attachments, isWriting } = store;

  // As high as what is written, within the bounds of the style sheet.
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
    // Enter may belong to the input method.
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
              <button type="button" aria-label={fill(words.forget, { name: nameOf(attachment) })} onClick={() => store.detach(attachment)}>
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
          placeholder={words.question}
          aria-label={words.question}
          enterkeyhint="send"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {isWriting ? (
          <button type="button" aria-label={words.stop} title={words.stop} onClick={() => store.stop()}>
            <i class="o-c o-c-stop" />
          </button>
        ) : (
          <button type="submit" aria-label={words.send} title={words.send} aria-disabled={text.trim() === ""}>
            <i class="o-c o-c-up" />
          </button>
        )}
      </div>
    </form>
  );
}

/** What went along, by its first words. */
export function AttachmentName({ attachment }: { attachment: Attachment }) {
  return (
    <span title={nameOf(attachment)}>
      <i class={`o-c ${attachment.type === "code" ? "o-c-code" : "o-c-quote"}`} />
      <span>{attachment.value.trim().slice(0, 80)}</span>
    </span>
  );
}

function nameOf({ type }: Attachment): string {
  const words = askingWords();
  return type === "code" ? words.contextCode : words.contextText;
}
