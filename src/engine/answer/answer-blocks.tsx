/** Renders the Markdown of an answer, for the assistant of a site and for the dashboard. */

import { type ComponentChildren, Fragment, type VNode } from "preact";
import type { Block, Inline } from "./markdown.ts";

/** What depends on the place where the answer is shown. */
export interface AnswerParts {
  tableClass: string;
  heading(children: ComponentChildren): VNode;
  code(block: { language: string; text: string }): VNode;
  /** Renders a link, or only its text if the URL isn't allowed. */
  link(url: string, text: VNode): VNode;
  citation(number: number): VNode;
  /** The mark of a sentence that no source supports. */
  unsourced(): VNode | null;
}

export function AnswerBlocks({ blocks, parts }: { blocks: readonly Block[]; parts: AnswerParts }) {
  return <>{blocks.map((block, index) => blockOf(block, index, parts))}</>;
}

function blockOf(block: Block, key: number, parts: AnswerParts): VNode {
  const inlines = (children: readonly Inline[]) => <Inlines inlines={children} parts={parts} />;
  switch (block.kind) {
    case "paragraph":
      return <p key={key}>{inlines(block.children)}</p>;
    case "heading":
      // This isn't a heading element, because the outline of the page contains only the page's own headings.
      return <Fragment key={key}>{parts.heading(inlines(block.children))}</Fragment>;
    case "rule":
      return <hr key={key} />;
    case "quote":
      return (
        <blockquote key={key}>
          <AnswerBlocks blocks={block.children} parts={parts} />
        </blockquote>
      );
    case "code":
      return <Fragment key={key}>{parts.code(block)}</Fragment>;
    case "list": {
      const items = block.items.map((item) => (
        <li>
          <ListItem blocks={item} parts={parts} />
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
        <div key={key} class={parts.tableClass} tabIndex={0}>
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
function ListItem({ blocks: [first, ...rest], parts }: { blocks: readonly Block[]; parts: AnswerParts }) {
  if (first?.kind !== "paragraph")
    return <AnswerBlocks blocks={first ? [first, ...rest] : rest} parts={parts} />;
  return (
    <>
      <Inlines inlines={first.children} parts={parts} />
      <AnswerBlocks blocks={rest} parts={parts} />
    </>
  );
}

function Inlines({ inlines, parts }: { inlines: readonly Inline[]; parts: AnswerParts }) {
  return <>{inlines.map((inline) => inlineOf(inline, parts))}</>;
}

function inlineOf(inline: Inline, parts: AnswerParts): VNode | string | null {
  if (typeof inline === "string") return inline;

  switch (inline.kind) {
    case "code":
      return <code>{inline.text}</code>;
    case "break":
      return <br />;
    case "cite":
      return parts.citation(inline.number);
    case "unsourced":
      return parts.unsourced();
    case "link":
      return parts.link(inline.url, <Inlines inlines={inline.children} parts={parts} />);
    default: {
      const Kind = inline.kind;
      return (
        <Kind>
          <Inlines inlines={inline.children} parts={parts} />
        </Kind>
      );
    }
  }
}
