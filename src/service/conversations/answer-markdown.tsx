/** Renders the Markdown of an answer. Images, raw HTML, and links with schemes other than http and https become text. */

import type { VNode } from "preact";
import { parseUrl } from "../../base/url.ts";
import { type Block, type Inline, readMarkdown } from "../../engine/answer/markdown.ts";

/** Shows the Markdown of an answer. `siteUrl`: base URL of links that are relative to the site. */
export function AnswerMarkdown({ text, siteUrl }: { text: string; siteUrl: string }) {
  return (
    <div class="d-answer">
      <Blocks blocks={readMarkdown(text)} siteUrl={siteUrl} />
    </div>
  );
}

function Blocks({ blocks, siteUrl }: { blocks: readonly Block[]; siteUrl: string }) {
  return <>{blocks.map((block) => blockOf(block, siteUrl))}</>;
}

function blockOf(block: Block, siteUrl: string): VNode {
  const inlines = (children: readonly Inline[]) => <Inlines inlines={children} siteUrl={siteUrl} />;
  switch (block.kind) {
    case "paragraph":
      return <p>{inlines(block.children)}</p>;
    case "heading":
      // The headings of the page are the questions.
      return (
        <p>
          <strong>{inlines(block.children)}</strong>
        </p>
      );
    case "rule":
      return <hr />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.children} siteUrl={siteUrl} />
        </blockquote>
      );
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "list": {
      const items = block.items.map((item) => (
        <li>
          <Blocks blocks={item} siteUrl={siteUrl} />
        </li>
      ));
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "table":
      return (
        <div class="d-answer-table" tabIndex={0}>
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

function Inlines({ inlines, siteUrl }: { inlines: readonly Inline[]; siteUrl: string }) {
  return <>{inlines.map((inline) => inlineOf(inline, siteUrl))}</>;
}

function inlineOf(inline: Inline, siteUrl: string): VNode | string {
  if (typeof inline === "string") return inline;
  const children = () => <Inlines inlines={"children" in inline ? inline.children : []} siteUrl={siteUrl} />;
  switch (inline.kind) {
    case "code":
      return <code>{inline.text}</code>;
    case "break":
      return <br />;
    case "cite":
      return <sup>{`[${inline.number}]`}</sup>;
    case "unsourced":
      return <sup>[no source]</sup>;
    case "strong":
      return <strong>{children()}</strong>;
    case "em":
      return <em>{children()}</em>;
    case "del":
      return <del>{children()}</del>;
    case "link": {
      const href = hrefOf(inline.url, siteUrl);
      return href === undefined ? (
        <span>{children()}</span>
      ) : (
        <a href={href} rel="noopener noreferrer nofollow">
          {children()}
        </a>
      );
    }
  }
}

/** Returns the absolute URL of a link. Undefined if the URL isn't an http or https URL, or contains credentials. */
function hrefOf(url: string, siteUrl: string): string | undefined {
  const absolute = parseUrl(url, siteUrl);
  return absolute && /^https?:$/.test(absolute.protocol) && !absolute.username && !absolute.password ? absolute.href : undefined;
}
