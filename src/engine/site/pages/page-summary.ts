/** Lists what other parts of the site need to know about the content of a page. */

import {
  type ContentElement,
  type ContentNode,
  isContentElement,
  textOf,
  visitElements,
} from "../../content.ts";
import { text, texts } from "../../html/prop-values.ts";
import { toMarkdown } from "../../page/to-markdown.ts";
import { entryDate } from "../navigation/entry-date.ts";
import { linksOf } from "../navigation/page-links.ts";
import type { FeedItem, PageLink, PageSummary } from "../page.ts";
import { paragraphStart } from "../sources/description.ts";

export function summarize(
  nodes: readonly ContentNode[],
): Omit<PageSummary, "anchors" | "cuts" | "hosts" | "diagramParts"> & { anchors: string[] } {
  const anchors: string[] = [];
  const links: PageLink[] = [];
  const views: PageSummary["views"] = [];
  const tags = new Set<string>();
  const classNames = new Set<string>();
  const islands = new Set<string>();
  let hasReaderText: true | undefined;
  const feed: FeedItem[] = [];
  let firstWords = "";
  visitElements(nodes, (node) => {
    const { props } = node;
    if (typeof props.id === "string") anchors.push(props.id);
    if (node.name === "a" && typeof props.name === "string") anchors.push(props.name);

    links.push(...linksOf(node));
    const className = props.className ?? props.class;
    if (typeof className === "string")
      for (const name of className.split(/\s+/)) if (name) classNames.add(name);
    if (!firstWords && node.name === "p") firstWords = paragraphStart(node);
    if (node.name === "View" && typeof props.title === "string")
      views.push({ title: props.title, ...(typeof props.icon === "string" ? { icon: props.icon } : {}) });
    if (isReaderText(node)) hasReaderText = true;
    if (node.name === "Island" && typeof props.code === "string") islands.add(props.code);

    if (node.name === "Update") {
      for (const tag of Array.isArray(props.tags) ? texts(props.tags) : []) tags.add(tag);
      feed.push(...feedItems(node));
    }
  });

  return {
    anchors,
    links,
    views,
    updateTags: [...tags],
    classNames: [...classNames],
    islands: [...islands],
    ...(hasReaderText && { hasReaderText }),
    feed,
    firstWords,
  };
}

/** Whether an element or the content of its attributes is text that depends on the reader. */
function isReaderText({ props }: ContentElement): boolean {
  if ("data-reader" in props) return true;
  return Object.values(props).some((value) => {
    let isFound = false;
    if (isContentElement(value)) visitElements([value], (node) => void (isFound ||= isReaderText(node)));
    return isFound;
  });
}

/**
 * Returns the feed items of a changelog entry: one from the `rss` prop, or else one per heading, or else one
 * for the whole entry.
 */
function feedItems(update: ContentElement): FeedItem[] {
  const id = text(update.props.id) ?? "";
  const label = text(update.props.label) ?? "";
  const rss = update.props.rss as { title?: unknown; description?: unknown } | undefined;
  const dated = [update.props.date, label, update.props.description].map((value) =>
    entryDate(text(value) ?? ""),
  );
  const found = dated.find((value) => value !== undefined);
  const date = found === undefined ? {} : { date: found };
  if (rss && typeof rss === "object")
    return [{ id, title: text(rss.title) ?? label, description: text(rss.description) ?? "", ...date }];

  const headings = update.children.flatMap((child, index) =>
    typeof child !== "string" && /^h[1-6]$/.test(child.name) ? [index] : [],
  );
  if (headings.length === 0) return [{ id, title: label, description: prose(update.children), ...date }];

  return headings.map((start, n) => {
    const heading = update.children[start] as ContentElement;
    return {
      id: text(heading.props.id) ?? id,
      title: textOf(heading).trim(),
      description: prose(update.children.slice(start + 1, headings[n + 1])),
      ...date,
    };
  });
}

/** Converts content to Markdown, without components and code blocks. */
function prose(nodes: readonly ContentNode[]): string {
  const plain = (node: ContentNode): ContentNode[] => {
    if (typeof node === "string") return [node];
    if (/^[A-Z]/.test(node.name) || node.name === "pre") return [];
    return [{ ...node, children: node.children.flatMap(plain) }];
  };
  return toMarkdown(nodes.flatMap(plain)).trim();
}
