/** Assigns anchors to components with a title and writes the components as Markdown. */

import type { ContentElement } from "../content.ts";
import { slugOf } from "../html/anchor-ids.ts";
import { text } from "../html/prop-values.ts";
import type { AnchorRules, MarkdownWriter } from "./component.ts";
import { propMarkdown } from "./prop-markdown.ts";
import type { TocContext } from "./toc-context.ts";

function titleOf({ props }: ContentElement): string | undefined {
  return text(props.title) ?? text(props.label);
}

/**
 * Assigns an id to a block: its `id`, or else an id derived from its title. A block with neither gets no id.
 */
export const blockAnchor: AnchorRules = {
  idOfBlock(node, claim) {
    const title = titleOf(node);
    const preferred = text(node.props.id) ?? (title ? slugOf(title).replaceAll(":", "-") : undefined);
    return preferred === undefined ? undefined : claim(preferred);
  },
};

/** Returns the context inside a tab panel or view. */
export function insidePanel(node: ContentElement, around: TocContext): TocContext {
  return { ...around, within: [...around.within, titleOf(node) ?? ""], topLevel: false };
}

/** Writes the title in bold, the description and the content. */
export function titledMarkdown(node: ContentElement, writer: MarkdownWriter, depth: number): string {
  const { title: named, label, description } = node.props;
  const title = propMarkdown(named, writer, depth) ?? propMarkdown(label, writer, depth);
  return [
    title && `**${title}**`,
    propMarkdown(description, writer, depth),
    writer.blocks(node.children, depth),
  ]
    .filter(Boolean)
    .join("\n\n");
}
