/** Renders the Markdown of an answer. HTML is shown as text, and only links to pages of this site become links. */

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Block, type Inline, readMarkdown } from "../../engine/answer/markdown.ts";
import { copyText } from "../clipboard.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { HighlightedText } from "../highlighted-text.tsx";
import type { Source } from "./saved-conversations.ts";
import { siteLink } from "./site-link.ts";

interface AnswerTextProps {
  text: string;
  sources: readonly Source[];
}

const copied_ms = 1_600;

export function AnswerText({ text, sources }: AnswerTextProps) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div class="o-answer">
      <Blocks blocks={blocks} sources={sources} />
    </div>
  );
}

function Blocks({ blocks, sources }: { blocks: readonly Block[]; sources: readonly Source[] }) {
  return <>{blocks.map((block, index) => blockOf(block, index, sources))}</>;
}

function blockOf(block: Block, key: number, sources: readonly Source[]): VNode {
  const inlines = (children: readonly Inline[]) => <Inlines inlines={children} sources={sources} />;
  switch (block.kind) {
    case "paragraph":
      return <p key={key}>{inlines(block.children)}</p>;
    case "heading":
      // This isn't a heading element, because the outline of the page contains only the page's own headings.
      return (
        <p key={key} class="o-answer-heading">
          {inlines(block.children)}
        </p>
      );
    case "rule":
      return <hr key={key} />;
    case "quote":
      return (
        <blockquote key={key}>
          <Blocks blocks={block.children} sources={sources} />
        </blockquote>
      );
    case "code":
      return <CodeBlock key={key} language={block.language} text={block.text} />;
    case "list": {
      const items = block.items.map((item) => (
        <li>
          <ListItem blocks={item} sources={sources} />
        </li>
      ));
      return block.start === undefined ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      );
    }
    case "table":
      return (
        <div key={key} class="o-answer-table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell) => (
                  <th>{inlines(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {block.head.map((_, column) => (
                    <td>{inlines(row[column] ?? [])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

/** A list item. The first paragraph isn't wrapped in `<p>`, so that it has no margins. */
function ListItem({ blocks: [first, ...rest], sources }: { blocks: readonly Block[]; sources: readonly Source[] }) {
  if (first?.kind === "paragraph") {
    return (
      <>
        <Inlines inlines={first.children} sources={sources} />
        <Blocks blocks={rest} sources={sources} />
      </>
    );
  }
  return <Blocks blocks={first ? [first, ...rest] : rest} sources={sources} />;
}

function Inlines({ inlines, sources }: { inlines: readonly Inline[]; sources: readonly Source[] }) {
  return (
    <>
      {inlines.map((inline) => {
        if (typeof inline === "string") return inline;
        switch (inline.kind) {
          case "code":
            return <code>{inline.text}</code>;
          case "break":
            return <br />;
          case "cite":
            return <Citation number={inline.number} source={sources[inline.number - 1]} />;
          case "unsourced":
            return <small class="o-unsourced">{dialogMessages().unsourced}</small>;
          case "link": {
            const href = siteLink(inline.url);
            const text = <Inlines inlines={inline.children} sources={sources} />;
            return href === undefined ? text : <a href={href}>{text}</a>;
          }
          default: {
            const Kind = inline.kind;
            return (
              <Kind>
                <Inlines inlines={inline.children} sources={sources} />
              </Kind>
            );
          }
        }
      })}
    </>
  );
}

/** The number of a source, as a link to the source. Plain text until the sources arrive, which follow the text. */
function Citation({ number, source }: { number: number; source: Source | undefined }) {
  const href = source && siteLink(source.url);
  if (href === undefined) return <span class="o-cite">{number}</span>;
  return (
    <a class="o-cite" href={href} title={source!.title} aria-label={fill(dialogMessages().source, { number, title: source!.title })}>
      {number}
    </a>
  );
}

function CodeBlock({ language, text }: { language: string; text: string }) {
  const messages = dialogMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copied_ms);
  };
  return (
    <div class="o-code">
      <button
        type="button"
        class="o-copy"
        aria-label={isCopied ? messages.copied : messages.copyCode}
        data-copied={isCopied ? "" : undefined}
        onClick={() => void copy()}
      />
      <pre tabIndex={0}>
        <code>
          <HighlightedText language={language} text={text} />
        </code>
      </pre>
    </div>
  );
}
