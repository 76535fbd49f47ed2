/** The assistant's panel: head, conversation, field. */
import { useEffect, useRef, useState } from "preact/hooks";
import { askingWords } from "../dialog-messages.ts";
import { Composer } from "./composer.tsx";
import type { Turn } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { CopyButton, conversationAsText } from "./copy-answer-button.tsx";
import { EarlierList } from "./earlier-list.tsx";
import { TurnView } from "./turn-view.tsx";

interface PanelProps {
  store: ConversationStore;
  /** Absent where the panel is the page. */
  close: (() => void) | undefined;
}

export function Panel({ store, close }: PanelProps) {
  const words = askingWords();
  const [showsEarlier, setShowsEarlier] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const { conversation, isWriting } = store;
  const { turns } = conversation;
  const last = turns.at(-1);
  const focusField = () => root.current?.querySelector("textarea")?.focus();

  // The question scrolls to the top and its answer grows below it, so that the text never moves while it is read.
  useEffect(() => {
    setShowsEarlier(false);
    log.current?.querySelector(".o-turn:last-child")?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [conversation.id, turns.length]);

  const begin = () => {
    store.begin();
    setShowsEarlier(false);
    focusField();
  };
  const spoken = !last ? "" : last.state === "writing" ? words.working : last.state === "done" ? words.finished : "";

  return (
    <section class="o-assistant-panel" ref={root} aria-label={close ? undefined : words.assistant}>
      <PanelHeader turns={turns} showsEarlier={showsEarlier} setShowsEarlier={setShowsEarlier} begin={begin} close={close} />
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
          aria-label={turns.length ? words.answer : undefined}
        >
          <p class="o-assistant-intro">{words.intro}</p>
          {turns.map((turn) => (
            <TurnView key={turn.messageId} turn={turn} store={store} isLast={turn === last} />
          ))}
        </div>
      )}
      <p class="o-sr" role="status">
        {spoken}
      </p>
      <Composer store={store} onSend={() => setShowsEarlier(false)} />
    </section>
  );
}

interface PanelHeaderProps extends Pick<PanelProps, "close"> {
  turns: readonly Turn[];
  showsEarlier: boolean;
  setShowsEarlier(showsEarlier: boolean): void;
  begin(): void;
}

function PanelHeader({ turns, showsEarlier, setShowsEarlier, begin, close }: PanelHeaderProps) {
  const words = askingWords();
  return (
    <header>
      {showsEarlier ? (
        <button type="button" aria-label={words.back} title={words.back} onClick={() => setShowsEarlier(false)}>
          <i class="o-c o-c-back" />
        </button>
      ) : (
        <i class="o-c o-c-assistant" />
      )}
      <h2>{showsEarlier ? words.earlier : words.assistant}</h2>
      {turns.length > 0 && <CopyButton label={words.copyConversation} text={() => conversationAsText(turns)} />}
      <button type="button" aria-label={words.newConversation} title={words.newConversation} onClick={begin}>
        <i class="o-c o-c-new" />
      </button>
      <button
        type="button"
        aria-label={words.earlier}
        title={words.earlier}
        aria-pressed={showsEarlier}
        onClick={() => setShowsEarlier(!showsEarlier)}
      >
        <i class="o-c o-c-clock" />
      </button>
      {close && (
        <button type="button" aria-label={words.close} title={words.close} onClick={close}>
          <i class="o-c o-c-x" />
        </button>
      )}
    </header>
  );
}
