/**
 * Renders the Markdown of an answer. HTML is shown as text, and only links to pages of this site become
 * links.
 */

import { useMemo } from "preact/hooks";
import { AnswerBlocks, type AnswerParts } from "../../engine/answer/answer-blocks.tsx";
import { readMarkdown } from "../../engine/answer/markdown.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { HighlightedText } from "../highlighted-text.tsx";
import { useCopied } from "../use-copied.ts";
import type { Source } from "./saved-conversations.ts";
import { siteLink } from "./site-link.ts";

interface AnswerTextProps {
  text: string;
  sources: readonly Source[];
  /** Whether the documentation doesn't answer the question. Its claims then need no source. */
  isUnanswered: boolean;
}

export function AnswerText({ text, sources, isUnanswered }: AnswerTextProps) {
  const blocks = useMemo(() => readMarkdown(text), [text]);

  const parts: AnswerParts = {
    tableClass: "o-answer-table",
    heading: (children) => <p class="o-answer-heading">{children}</p>,
    code: ({ language, text }) => <CodeBlock language={language} text={text} />,
    link: (url, text) => {
      const href = siteLink(url);
      return href === undefined ? text : <a href={href}>{text}</a>;
    },
    citation: (number) => <Citation number={number} source={sources[number - 1]} />,
    unsourced: () => (isUnanswered ? null : <small class="o-unsourced">{dialogMessages().unsourced}</small>),
  };

  return (
    <div class="o-answer">
      <AnswerBlocks blocks={blocks} parts={parts} />
    </div>
  );
}

/**
 * The number of a source, as a link to the source. Plain text until the sources arrive, which follow the
 * text.
 */
function Citation({ number, source }: { number: number; source: Source | undefined }) {
  const href = source && siteLink(source.url);
  if (href === undefined) return <span class="o-cite">{number}</span>;
  return (
    <a
      class="o-cite"
      href={href}
      title={source!.title}
      aria-label={fill(dialogMessages().source, { number, title: source!.title })}
    >
      {number}
    </a>
  );
}

function CodeBlock({ language, text }: { language: string; text: string }) {
  const messages = dialogMessages();
  const [isCopied, copy] = useCopied();
  return (
    <div class="o-code">
      <button
        type="button"
        class="o-copy"
        aria-label={isCopied ? messages.copied : messages.copyCode}
        data-copied={isCopied ? "" : undefined}
        onClick={() => void copy(text)}
      />
      <pre tabIndex={0}>
        <code>
          <HighlightedText language={language} text={text} />
        </code>
      </pre>
    </div>
  );
}
