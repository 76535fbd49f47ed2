/** The assistant's panel: head, conversation, field. */
import { useEffect, useRef, useState } from "preact/hooks";
import { askingWords } from "../asking-words.ts";
import { Composer } from "./composer.tsx";
import { CopyButton, conversationAsText } from "./copy-button.tsx";
import type { Desk } from "./desk.ts";
import { EarlierList } from "./earlier-list.tsx";
import { TurnView } from "./turn-view.tsx";

interface PanelProps {
  desk: Desk;
  /** Absent where the panel is the page. */
  close: (() => void) | undefined;
}

export function Panel({ desk, close }: PanelProps) {
  const words = askingWords();
  const [showsEarlier, setShowsEarlier] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const { conversation, isWriting } = desk;
  const { turns } = conversation;
  const last = turns.at(-1);
  const focusField = () => root.current?.querySelector("textarea")?.focus();

  // A question stands at the top, and its answer grows below it: what is being read never moves.
  useEffect(() => {
    setShowsEarlier(false);
    log.current?.querySelector(".o-turn:last-child")?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [conversation.id, turns.length]);

  const begin = () => {
    desk.begin();
    setShowsEarlier(false);
    focusField();
  };
  const spoken = !last ? "" : last.state === "writing" ? words.working : last.state === "done" ? words.finished : "";

  return (
    <section class="o-assistant-panel" ref={root} aria-label={close ? undefined : words.assistant}>
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
      {showsEarlier ? (
        <EarlierList
          desk={desk}
          choose={(chosen) => {
            desk.begin(chosen);
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
            <TurnView key={turn.messageId} turn={turn} desk={desk} isLast={turn === last} />
          ))}
        </div>
      )}
      <p class="o-sr" role="status">
        {spoken}
      </p>
      <Composer desk={desk} onSend={() => setShowsEarlier(false)} />
    </section>
  );
}
