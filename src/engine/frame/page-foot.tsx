import { type FeedbackReason, feedbackReasons } from "../../base/feedback-reasons.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "../page/safe-href.ts";
import { fixedHtml } from "./fixed-html.ts";
import { frameId } from "./frame-ids.ts";
import { LinkCards } from "./link-cards.tsx";
import { Link } from "./nav-link.tsx";
import type { NavLink, PageView } from "./page-view.ts";

/**
 * The end of a page: assistant field, related pages, feedback, links and date of the page's file, previous
 * and next page.
 */
export function PageFoot({ view }: { view: PageView }) {
  const { messages, related, updatedAt, previous, next } = view;
  return (
    <div class="o-foot">
      {view.assistant && <AskBar messages={messages} />}
      {related.length > 0 && (
        <section aria-labelledby={frameId(view, "related")}>
          <h2 id={frameId(view, "related")}>{messages.related}</h2>
          <LinkCards links={related} messages={messages} />
        </section>
      )}
      {view.analytics?.feedback && <Feedback view={view} />}
      {(updatedAt || view.editHref || view.issueHref) && <Source view={view} />}
      {(previous || next) && (
        <nav id={frameId(view, "pagination")} aria-label={messages.pagination}>
          {previous && <PagingLink link={previous} way="prev" word={messages.previous} />}
          {next && <PagingLink link={next} way="next" word={messages.next} />}
        </nav>
      )}
    </div>
  );
}

/**
 * The line about the page's source file: links to edit the file and to report an issue, and the date of the
 * last change.
 */
function Source({ view: { editHref, issueHref, updatedAt, language, messages } }: { view: PageView }) {
  return (
    <p class="o-source">
      {editHref && (
        <Link href={editHref} messages={messages} external>
          <i class="o-c o-c-edit" />
          {messages.editPage}
        </Link>
      )}
      {issueHref && (
        <Link href={issueHref} messages={messages} external>
          <i class="o-c o-c-issue" />
          {messages.raiseIssue}
        </Link>
      )}
      {updatedAt && (
        <span class="o-updated">
          {messages.lastUpdated} <time dateTime={updatedAt}>{longDate(updatedAt, language)}</time>
        </span>
      )}
    </p>
  );
}

const reasonMessages = {
  incorrect: "feedbackIncorrect",
  incomplete: "feedbackIncomplete",
  unclear: "feedbackUnclear",
  other: "feedbackOther",
} as const satisfies Record<FeedbackReason, keyof SiteMessages>;

/** The feedback form of a page. The page's script sends the form, and enables the reasons after "No". */
function Feedback({ view }: { view: PageView }) {
  const { messages, hasOwnIds } = view;
  const html = feedbackHtml(messages);
  return (
    <section
      class="o-feedback o-js"
      data-feature="analytics"
      data-thanks={messages.feedbackThanks}
      data-failed={messages.feedbackFailed}
      aria-labelledby="oFeedback"
      dangerouslySetInnerHTML={
        hasOwnIds ? { __html: html.__html.replaceAll(' id="feedback-', ' id="o-feedback-') } : html
      }
    />
  );
}

const feedbackHtml = fixedHtml((messages) => (
  <>
    <p id="oFeedback">{messages.feedbackQuestion}</p>
    {[true, false].map((helpful) => (
      <button
        type="button"
        id={helpful ? "feedback-thumbs-up" : "feedback-thumbs-down"}
        aria-pressed="false"
        data-helpful={String(helpful)}
      >
        <i class={helpful ? "o-c o-c-thumb" : "o-c o-c-thumb o-down"} />
        {helpful ? messages.feedbackYes : messages.feedbackNo}
      </button>
    ))}
    <p role="status" tabindex={-1} />
    <form hidden>
      <fieldset disabled>
        <legend>{messages.feedbackReason}</legend>
        {feedbackReasons.map((reason) => (
          <label>
            <input type="radio" name="reason" value={reason} />
            {messages[reasonMessages[reason]]}
          </label>
        ))}
      </fieldset>
      <label>
        {messages.feedbackComment}
        <textarea name="comment" rows={3} maxlength={2_000} />
      </label>
      <label>
        {messages.feedbackContact}
        <input name="contact" type="email" autocomplete="email" maxlength={254} />
      </label>
      <button type="submit">{messages.feedbackSend}</button>
    </form>
  </>
));

/**
 * The field for assistant questions at the end of the page. The page's script opens the assistant with the
 * question.
 */
function AskBar({ messages }: { messages: SiteMessages }) {
  return (
    <form class="o-ask-bar o-js" data-feature="assistant">
      <i class="o-c o-c-assistant" />
      <input
        name="question"
        type="text"
        autocomplete="off"
        enterkeyhint="send"
        placeholder={messages.askAssistantHint}
        aria-label={messages.askAssistantHint}
      />
      <button type="submit" aria-label={messages.askAssistant}>
        <i class="o-c o-c-up" />
      </button>
    </form>
  );
}

function PagingLink({ link, way, word }: { link: NavLink; way: "prev" | "next"; word: string }) {
  return (
    <a class={`o-${way} pagination-${way}`} rel={way} href={safeHref(link.href)}>
      <small>{word}</small> {link.label}
    </a>
  );
}

/**
 * Formats an ISO date in the page's language, or in English if the language isn't supported. Returns text
 * that isn't a date unchanged.
 */
function longDate(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const locale = Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? "en";
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}
