import type { LinkedPage } from "../storage/linked-pages.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import { LinkButton } from "../ui/kit/form.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Facts, PageHead } from "../ui/kit/page-parts.tsx";
import { exactTime, Time } from "../ui/kit/time.tsx";
import { Truncated, truncate } from "../ui/kit/truncated.tsx";
import { pathOf } from "../ui/url-path.ts";
import { AnswerMarkdown } from "./answer-markdown.tsx";
import { Rating, StatusBadge } from "./conversations-view.tsx";
import { WebLink } from "./web-link.tsx";

export interface ConversationProps {
  /** URL path of the page. */
  path: string;
  /** URL path of the list of conversations. */
  listPath: string;
  caller: "web" | "api" | "other";
  messages: readonly MessageView[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  /** URL of the site, for links in answers. */
  siteUrl: string;
  mayDelete: boolean;
}

export interface MessageView {
  id: string;
  query: string;
  response: string;
  sources: readonly { title: string; url: string }[];
  isAnswered: boolean;
  isClarifying: boolean;
  category: string | null;
  pageUrl: string | null;
  helpful: boolean | null;
  comment: string | null;
  /** When the reader followed the link to support. */
  handedOverAt: Date | null;
  at: Date;
}

const sourceId = ({ id }: MessageView, index: number) => `t-${id}-source-${index + 1}`;

const callers = { web: "Docs site", api: "API", other: "Imported" };

/**
 * The page of a conversation. Questions and answers are untrusted: questions are shown as plain text, and
 * answers as Markdown without raw HTML.
 */
export function Conversation({
  path,
  listPath,
  caller,
  messages,
  linked,
  siteUrl,
  mayDelete,
}: ConversationProps) {
  const first = messages[0]!;
  return (
    <>
      <PageHead title={truncate(first.query, 100)} back={{ label: "Conversations", href: listPath }} />
      <Facts
        rows={[
          ["Started", exactTime(first.at)],
          ["Source", callers[caller]],
          [
            "Page",
            first.pageUrl === null ? (
              "Unknown"
            ) : (
              <PageLink path={pathOf(first.pageUrl)} page={linked.get(pathOf(first.pageUrl))} />
            ),
          ],
          ["Questions", String(messages.length)],
        ]}
      />
      <div class="d-turns">
        {messages.map((message) => (
          <article key={message.id} id={`t-${message.id}`} class="d-turn">
            <header>
              <StatusBadge {...message} />
              {message.helpful !== null && <Rating helpful={message.helpful} />}
              {message.category !== null && <span>{message.category}</span>}
              <Time at={message.at} />
            </header>
            <h2>{message.query}</h2>
            <AnswerMarkdown
              text={message.response}
              siteUrl={siteUrl}
              isAnswered={message.isAnswered}
              sourceIds={message.sources.map((_, index) => sourceId(message, index))}
            />
            {message.comment && (
              <p>
                <strong>Comment:</strong> <span class="d-said">{message.comment}</span>
              </p>
            )}
            {message.handedOverAt && (
              <p>
                <strong>Contacted support:</strong> <Time at={message.handedOverAt} />
              </p>
            )}
            {message.sources.length > 0 && (
              <div>
                <p class="d-muted">Sources</p>
                <ol class="d-list">
                  {message.sources.map(({ title, url }, index) => (
                    <li key={url} id={sourceId(message, index)}>
                      <WebLink url={url} text={title || url} />
                    </li>
                  ))}
                </ol>
              </div>
            )}
            {mayDelete && (
              <footer>
                <LinkButton
                  href={`${path}/messages/${message.id}/delete`}
                  kind="danger"
                  of={`the question “${message.query.slice(0, 60)}”`}
                >
                  Delete
                </LinkButton>
              </footer>
            )}
          </article>
        ))}
      </div>
    </>
  );
}

export interface DeleteMessageProps {
  message: MessageView;
  /** Text that the user types to confirm: the end of the message's ID. */
  name: string;
  action: string;
  backTo: string;
  errors: FormErrors | undefined;
}

export function DeleteMessage({ message, name, action, backTo, errors }: DeleteMessageProps) {
  return (
    <Confirm
      title="Delete this question and its answer?"
      name={name}
      action={action}
      button="Delete question"
      backTo={backTo}
      errors={errors}
    >
      <p>
        “<Truncated text={message.query} most={300} />
        ”, asked <Time at={message.at} />, will be permanently deleted, along with its answer and feedback. It
        will no longer be included in lists, metrics and downloads.
      </p>
    </Confirm>
  );
}
