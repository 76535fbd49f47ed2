/**
 * Renders the Markdown of an answer. Images, raw HTML, and links with schemes other than http and https
 * become text.
 */

import { parseUrl } from "../../base/url.ts";
import { AnswerBlocks, type AnswerParts } from "../../engine/answer/answer-blocks.tsx";
import { readMarkdown } from "../../engine/answer/markdown.ts";

interface AnswerMarkdownProps {
  text: string;
  /** Base URL of links that are relative to the site. */
  siteUrl: string;
  /** Whether the documentation answers the question. Otherwise, claims need no source. */
  isAnswered: boolean;
  /** IDs of the elements with the sources, which citations link to. Without it, citations are text. */
  sourceIds?: readonly string[];
}

/** Shows the Markdown of an answer. */
export function AnswerMarkdown({ text, siteUrl, isAnswered, sourceIds = [] }: AnswerMarkdownProps) {
  const parts: AnswerParts = {
    tableClass: "d-answer-table",
    heading: (children) => (
      <p>
        <strong>{children}</strong>
      </p>
    ),
    code: ({ text: code }) => (
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    ),
    link: (url, text) => {
      const href = hrefOf(url, siteUrl);
      return href === undefined ? (
        text
      ) : (
        <a href={href} rel="noopener noreferrer nofollow">
          {text}
        </a>
      );
    },
    citation: (number) => {
      const id = sourceIds[number - 1];
      const mark = `[${number}]`;
      return <sup>{id === undefined ? mark : <a href={`#${id}`}>{mark}</a>}</sup>;
    },
    unsourced: () => (isAnswered ? <sup>[no source]</sup> : null),
  };

  return (
    <div class="d-answer">
      <AnswerBlocks blocks={readMarkdown(text)} parts={parts} />
    </div>
  );
}

/**
 * Returns the absolute URL of a link. Undefined if the URL isn't an http or https URL, or contains
 * credentials.
 */
function hrefOf(url: string, siteUrl: string): string | undefined {
  const absolute = parseUrl(url, siteUrl);
  return absolute && /^https?:$/.test(absolute.protocol) && !absolute.username && !absolute.password
    ? absolute.href
    : undefined;
}
