/** One question with its answer, its sources, and what a reader can do with it. */
import { useEffect, useState } from "preact/hooks";
import { askingWords, fill } from "../dialog-messages.ts";
import { AnswerText } from "./answer-text.tsx";
import { AttachmentName } from "./composer.tsx";
import type { Failure, Source, Turn } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { answerAsText, CopyButton } from "./copy-answer-button.tsx";
import { Feedback } from "./feedback.tsx";
import { ownLink } from "./own-link.ts";

export function TurnView({ turn, store, isLast }: { turn: Turn; store: ConversationStore; isLast: boolean }) {
  const words = askingWords();
  const { question, attachments, text, sources, state, isUnanswered, near } = turn;
  const isWriting = state === "writing";
  return (
    <article class="o-turn">
      <div class="o-question">
        <span class="o-sr">{words.you}: </span>
        {attachments.length > 0 && (
          <ul class="o-attachments">
            {attachments.map((attachment) => (
              <li key={attachment.value}>
                <AttachmentName attachment={attachment} />
              </li>
            ))}
          </ul>
        )}
        <p>{question}</p>
      </div>
      {text && <AnswerText text={text} sources={sources} />}
      {isWriting && !text && (
        <p class="o-working" aria-hidden="true">
          {words.working}
        </p>
      )}
      {isUnanswered && !text && <p>{words.unanswered}</p>}
      {state === "stopped" && <p class="o-turn-note">{words.stopped}</p>}
      {turn.failure && state === "failed" && <FailureNote failure={turn.failure} retry={isLast ? () => store.retry(turn) : undefined} />}
      {!isWriting && sources.length > 0 && <Sources title={words.sources} sources={sources} isNumbered />}
      {isUnanswered && near && near.length > 0 && <Sources title={words.pagesToTry} sources={near} />}
      {(state === "done" || state === "stopped") && (
        <div class="o-turn-actions">
          {text && <CopyButton label={words.copyAnswer} text={() => answerAsText(turn)} />}
          {isLast && (
            <button type="button" aria-label={words.retry} title={words.retry} onClick={() => store.retry(turn)}>
              <i class="o-c o-c-again" />
            </button>
          )}
          {state === "done" && turn.turnId !== undefined && store.asksForFeedback && <Feedback turn={turn} store={store} />}
        </div>
      )}
    </article>
  );
}

function Sources({ title, sources, isNumbered = false }: { title: string; sources: readonly Source[]; isNumbered?: boolean }) {
  return (
    <section class="o-sources" aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {sources.map((source, place) => (
          <li key={place}>
            {isNumbered && <span class="o-cite">{place + 1}</span>}
            <a href={ownLink(source.url)}>{source.title}</a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What went wrong, in words, and the way to try again. */
function FailureNote({ failure, retry }: { failure: Failure; retry: (() => void) | undefined }) {
  const words = askingWords();
  const until = failure.kind === "limited" ? failure.until : 0;
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.ceil((until - now) / 1_000);
  useEffect(() => {
    if (seconds <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [now, until]);
  const texts: Record<Failure["kind"], string> = {
    offline: words.offline,
    refused: words.refused,
    broken: words.failed,
    limited: seconds > 0 ? fill(words.limited, { seconds }) : words.limitedOver,
  };
  return (
    <div class="o-turn-failed">
      {/* Each second anew would be said each second. */}
      <p role={failure.kind === "limited" ? undefined : "alert"}>{texts[failure.kind]}</p>
      {retry && (
        <button type="button" disabled={seconds > 0} onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
