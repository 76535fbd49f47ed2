/** Renders a question with its answer, and the sources and buttons of the answer. */

import { useEffect, useState } from "preact/hooks";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { answerAsText } from "./answer-as-text.ts";
import { AnswerText } from "./answer-text.tsx";
import { AttachmentName } from "./composer.tsx";
import type { ConversationStore } from "./conversation-store.ts";
import { CopyButton } from "./copy-answer-button.tsx";
import { Feedback } from "./feedback.tsx";
import { QuestionButtons } from "./question-buttons.tsx";
import type { AnswerFailure, Source, ThreadMessage } from "./saved-conversations.ts";
import { siteLink } from "./site-link.ts";

export function MessageView({
  message,
  store,
  isLast,
}: {
  message: ThreadMessage;
  store: ConversationStore;
  isLast: boolean;
}) {
  const messages = dialogMessages();
  const { question, attachments, text, sources, state, isUnanswered, answerKind, choices, near } = message;
  const isWriting = state === "writing";
  return (
    <article class="o-turn">
      <div class="o-question">
        <span class="o-sr">{messages.you}: </span>
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
      {answerKind === "quote" && <p class="o-turn-note">{messages.quoted}</p>}
      {text && <AnswerText text={text} sources={sources} isUnanswered={isUnanswered === true} />}
      {isWriting && !text && (
        <p class="o-working" aria-hidden="true">
          {messages.working}
        </p>
      )}
      {isUnanswered && !text && <p>{messages.unanswered}</p>}
      {state === "stopped" && <p class="o-turn-note">{messages.stopped}</p>}
      {message.failure && state === "failed" && (
        <FailureMessage failure={message.failure} retry={isLast ? () => store.retry(message) : undefined} />
      )}
      {isLast && choices && (
        <QuestionButtons
          name={messages.starters}
          questions={choices.map((choice) => ({ text: choice, question: `${question} (${choice})` }))}
          send={(chosen) => store.send(chosen, attachments)}
        />
      )}
      {!isWriting && answerKind !== "related" && sources.length > 0 && (
        <Sources title={messages.sources} sources={sources} isNumbered />
      )}
      {isUnanswered && near && near.length > 0 && <Sources title={messages.pagesToTry} sources={near} />}
      {(state === "done" || state === "stopped") && (
        <div class="o-turn-actions">
          {text && <CopyButton label={messages.copyAnswer} text={() => answerAsText(message)} />}
          {isLast && (
            <button
              type="button"
              aria-label={messages.retry}
              title={messages.retry}
              onClick={() => store.retry(message)}
            >
              <i class="o-c o-c-again" />
            </button>
          )}
          {state === "done" && message.turnId !== undefined && store.asksForFeedback && (
            <Feedback message={message} store={store} />
          )}
        </div>
      )}
      {isLast && state === "done" && store.supportLink && (
        <p class="o-answer">
          <a href={store.supportLink} onClick={() => store.handOver(message)}>
            {messages.support}
          </a>
        </p>
      )}
    </article>
  );
}

function Sources({
  title,
  sources,
  isNumbered = false,
}: {
  title: string;
  sources: readonly Source[];
  isNumbered?: boolean;
}) {
  return (
    <section class="o-sources" aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {sources.map((source, index) => (
          <li key={index}>
            {isNumbered && <span class="o-cite">{index + 1}</span>}
            <a href={siteLink(source.url)}>{source.title}</a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The error message of a failed answer, with a "try again" button if `retry` is set. */
function FailureMessage({ failure, retry }: { failure: AnswerFailure; retry: (() => void) | undefined }) {
  const messages = dialogMessages();
  const until = failure.kind === "limited" ? failure.until : 0;
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.ceil((until - now) / 1_000);
  useEffect(() => {
    if (seconds <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [now, until]);

  const texts: Record<AnswerFailure["kind"], string> = {
    offline: messages.offline,
    refused: messages.refused,
    broken: messages.failed,
    limited: seconds > 0 ? fill(messages.limited, { seconds }) : messages.limitedOver,
  };

  return (
    <div class="o-turn-failed">
      {/* A countdown isn't an alert: screen readers would announce it every second. */}
      <p role={failure.kind === "limited" ? undefined : "alert"}>{texts[failure.kind]}</p>
      {retry && (
        <button type="button" disabled={seconds > 0} onClick={retry}>
          {messages.retry}
        </button>
      )}
    </div>
  );
}
