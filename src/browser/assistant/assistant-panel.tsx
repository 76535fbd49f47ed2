/** Renders the assistant's panel: header, conversation and question field. */

import { useEffect, useRef, useState } from "preact/hooks";
import { dialogMessages } from "../dialog-messages.ts";
import { conversationAsText } from "./answer-as-text.ts";
import { Composer } from "./composer.tsx";
import type { ConversationStore } from "./conversation-store.ts";
import { CopyButton } from "./copy-answer-button.tsx";
import { EarlierList } from "./earlier-list.tsx";
import { MessageView } from "./message-view.tsx";
import { QuestionButtons } from "./question-buttons.tsx";
import type { ThreadMessage } from "./saved-conversations.ts";
import { starterQuestions } from "./starter-questions.ts";

interface PanelProps {
  store: ConversationStore;
  /** Closes the panel. Undefined on the assistant's own page. */
  close: (() => void) | undefined;
}

export function Panel({ store, close }: PanelProps) {
  const messages = dialogMessages();
  const [showsEarlier, setShowsEarlier] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const { conversation, isWriting } = store;
  const { turns } = conversation;
  const last = turns.at(-1);
  const focusField = () => root.current?.querySelector("textarea")?.focus();

  // The question scrolls to the top and its answer grows below it, so that the text doesn't move while it is
  // read.
  useEffect(() => {
    setShowsEarlier(false);
    log.current?.querySelector(".o-turn:last-child")?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [conversation.id, turns.length]);

  const begin = () => {
    store.begin();
    setShowsEarlier(false);
    focusField();
  };

  const announcement = !last
    ? ""
    : last.state === "writing"
      ? messages.working
      : last.state === "done"
        ? messages.finished
        : "";

  return (
    <section class="o-assistant-panel" ref={root} aria-label={close ? undefined : messages.assistant}>
      <PanelHeader
        turns={turns}
        showsEarlier={showsEarlier}
        setShowsEarlier={setShowsEarlier}
        begin={begin}
        close={close}
      />
      {showsEarlier ? (
        <EarlierList
          store={store}
          choose={(chosen) => {
            store.begin(chosen);
            setShowsEarlier(false);
          }}
        />
      ) : (
        <div
          class="o-assistant-log"
          ref={log}
          aria-busy={isWriting}
          tabIndex={turns.length ? 0 : undefined}
          role={turns.length ? "region" : undefined}
          aria-label={turns.length ? messages.answer : undefined}
        >
          <p class="o-assistant-intro">{messages.intro}</p>
          {turns.length === 0 && (
            <QuestionButtons
              name={messages.starters}
              questions={starterQuestions().map((question) => ({ text: question, question }))}
              send={(question) => store.send(question)}
            />
          )}
          {turns.map((message) => (
            <MessageView key={message.messageId} message={message} store={store} isLast={message === last} />
          ))}
        </div>
      )}
      <p class="o-sr" role="status">
        {announcement}
      </p>
      <Composer store={store} onSend={() => setShowsEarlier(false)} />
    </section>
  );
}

interface PanelHeaderProps extends Pick<PanelProps, "close"> {
  turns: readonly ThreadMessage[];
  showsEarlier: boolean;
  setShowsEarlier(showsEarlier: boolean): void;
  begin(): void;
}

function PanelHeader({ turns, showsEarlier, setShowsEarlier, begin, close }: PanelHeaderProps) {
  const messages = dialogMessages();
  return (
    <header>
      {showsEarlier ? (
        <button
          type="button"
          aria-label={messages.back}
          title={messages.back}
          onClick={() => setShowsEarlier(false)}
        >
          <i class="o-c o-c-back" />
        </button>
      ) : (
        <i class="o-c o-c-assistant" />
      )}
      <h2>{showsEarlier ? messages.earlier : messages.assistant}</h2>
      {turns.length > 0 && (
        <CopyButton label={messages.copyConversation} text={() => conversationAsText(turns)} />
      )}
      <button
        type="button"
        aria-label={messages.newConversation}
        title={messages.newConversation}
        onClick={begin}
      >
        <i class="o-c o-c-new" />
      </button>
      <button
        type="button"
        aria-label={messages.earlier}
        title={messages.earlier}
        aria-pressed={showsEarlier}
        onClick={() => setShowsEarlier(!showsEarlier)}
      >
        <i class="o-c o-c-clock" />
      </button>
      {close && (
        <button type="button" aria-label={messages.close} title={messages.close} onClick={close}>
          <i class="o-c o-c-x" />
        </button>
      )}
    </header>
  );
}
